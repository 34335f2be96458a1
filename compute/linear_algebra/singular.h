// Exact test for singular matrices.
#pragma once

#include "compute/linear_algebra/matrix.h"

namespace orogen::compute {

// Returns whether the determinant of A (square, finite elements) is exactly 0.  A regular matrix takes n^3 / 3 products
// of 61 bits; only a singular one takes as many products of integers with up to n times the bits of an element.
bool isSingular(const Matrix& a);

}  // namespace orogen::compute
