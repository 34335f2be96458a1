// Direct methods, for comparison: Cholesky's factorisation and Cramer's rule.
#pragma once

#include <span>

#include "compute/linear_algebra/conjugate_gradients.h"

namespace orogen::compute {

constexpr std::size_t kMostCramer = 12;  // unknowns

// A = L L^T in blocks, then two substitutions and at most two steps of refinement.  Takes another n x n of memory, and
// reads only the lower half of A.
Solution solveByCholesky(const Matrix& a, std::span<const double> b, const SolveOptions& options, ThreadPool& pool);

// n + 1 determinants, each by elimination with pivots.  Not only for positive definite A, so that a determinant of 0
// says nothing of definiteness: the quotients with it have no finite value (kNotFinite).  n <= kMostCramer.
Solution solveByCramer(const Matrix& a, std::span<const double> b, const SolveOptions& options, ThreadPool& pool);

}  // namespace orogen::compute
