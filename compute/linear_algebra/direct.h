// Direct methods for comparison: Cholesky factorisation and Cramer's rule, and an exact test for singular matrices.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "compute/linear_algebra/conjugate_gradients.h"
#include "compute/linear_algebra/matrix.h"

namespace orogen::compute {

constexpr std::size_t kMostCramer = 20;  // maximum number of unknowns

// Solves by A = L L^T in blocks, two substitutions and two steps of refinement.  Takes memory for another n x n matrix
// and 64 more rows, with n rounded up to a multiple of 64.  The factorisation reads only the lower half of A.
Solution solveByCholesky(const Matrix& a, std::span<const double> b, const SolveOptions& options, ThreadPool& pool);

// Solves by n + 1 determinants, each by elimination with pivots: (n + 1) n^3 / 3 multiplications.  A may be any matrix
// whose determinant is not 0, exactly and in double precision (else kSingular; x = 0).  If b is 0, x is 0 for any A.
// n <= kMostCramer.
Solution solveByCramer(const Matrix& a, std::span<const double> b, const SolveOptions& options, ThreadPool& pool);

// Pivots of an elimination with row swaps; their product, with the sign, is the determinant.
struct Pivots
{
    bool negative = false;  // whether the number of row swaps is odd
    std::vector<double> values = {};
};

// Solves with pivots computed elsewhere: of A (`which` = 0), and of A with b in place of column `which` - 1.
Solution solveByCramer(const Matrix& a, std::span<const double> b, const SolveOptions& options, ThreadPool& pool,
                       const std::function<Pivots(std::size_t which)>& pivotsOf);

// Returns whether the determinant of A (square, finite elements) is exactly 0.  A regular matrix takes n^3 / 3 products
// of 61 bits.  A singular one also takes 2 n^3 / 3 products of integers with up to about n times an element's bits.
bool isSingular(const Matrix& a);

}  // namespace orogen::compute
