// Whether a matrix is singular, without rounding.
#pragma once

#include "compute/linear_algebra/matrix.h"

namespace orogen::compute {

// True exactly where the determinant of A, square and of finite elements, is 0.  A regular matrix takes n^3 / 3
// products of 61 bits; only a singular one takes as many of integers with up to n times the bits of an element.
bool isSingular(const Matrix& a);

}  // namespace orogen::compute
