// Extreme eigenvalues of symmetric tridiagonal matrices, as Lanczos' method and conjugate gradients produce them.
#pragma once

#include <span>
#include <utility>

namespace orogen::compute {

// Returns the smallest and the largest eigenvalue, by bisection with Sturm sequences (W. Givens, 1954).  beside[i] is
// the element (i, i + 1), equal to (i + 1, i).  Elements of `beside` from diagonal.size() - 1 on are not read.  Needs
// at least one diagonal element, and finite elements.
std::pair<double, double> extremesOfTridiagonal(std::span<const double> diagonal, std::span<const double> beside);

}  // namespace orogen::compute
