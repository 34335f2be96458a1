// Direct methods, for comparison: Cholesky's factorisation and Cramer's rule.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "compute/linear_algebra/conjugate_gradients.h"

namespace orogen::compute {

constexpr std::size_t kMostCramer = 20;  // unknowns

// A = L L^T in blocks, then two substitutions and at most two steps of refinement.  Takes another n x n of memory, and
// reads only the lower half of A.
Solution solveByCholesky(const Matrix& a, std::span<const double> b, const SolveOptions& options, ThreadPool& pool);

// n + 1 determinants, each by elimination with pivots: (n + 1) n^3 / 3 products.  A may be any matrix whose determinant
// is not 0, exactly and in double precision (else kSingular, and x = 0).  n <= kMostCramer.
Solution solveByCramer(const Matrix& a, std::span<const double> b, const SolveOptions& options, ThreadPool& pool);

// A determinant by elimination with row pivots, before its product is made.
struct Pivots
{
    bool negative = false;  // by the swaps of rows
    std::vector<double> values = {};
};

// The same with pivots that were made elsewhere: of A (0), and of A with b in the place of column `which` - 1.
Solution solveByCramer(const Matrix& a, std::span<const double> b, const SolveOptions& options, ThreadPool& pool,
                       const std::function<Pivots(std::size_t which)>& pivotsOf);

}  // namespace orogen::compute
