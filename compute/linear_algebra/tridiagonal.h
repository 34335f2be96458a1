// Extreme eigenvalues of symmetric tridiagonal matrices, as Lanczos' method and conjugate gradients produce them.
#pragma once

#include <span>
#include <utility>

namespace orogen::compute {

// Returns the smallest and the largest eigenvalue, by bisection with Sturm sequences
// (W. Givens, 1954).  beside[i] is the element between rows i and i + 1 beside the diagonal; further elements are not
// read.  The diagonal has at least one element, all finite.
std::pair<double, double> extremesOfTridiagonal(std::span<const double> diagonal, std::span<const double> beside);

}  // namespace orogen::compute
