// Systems with one matrix and several right-hand sides.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "compute/linear_algebra/conjugate_gradients.h"

namespace orogen::compute {

constexpr std::size_t kMostSideBySide = 32;  // maximum number of solves at a time, with one thread each

// Solves A x = b for every b, up to kMostSideBySide side by side.  Solves wait for each other before a product.  A is
// then multiplied by all their vectors at once, so that a matrix larger than the caches is read once for all.  Each
// solution has the bits of solveByConjugateGradients() for its b alone.  `starts`: one for each b, or empty.
// options.watch gets the largest of the newest residuals.  options.dot, options.watch and the preconditioner are called
// by one thread at a time.
std::vector<Solution> solveSeveral(CgAlgorithm algorithm, const LinearOperator& a,
                                   std::span<const std::vector<double>> b, const SolveOptions& options,
                                   ThreadPool& pool, std::span<const std::vector<double>> starts = {});

}  // namespace orogen::compute
