// Preconditioners for conjugate gradients, besides the diagonal (SolveOptions::jacobi): symmetric successive
// over-relaxation, incomplete Cholesky factorisation, and a Chebyshev polynomial (multigrid: grid_multigrid.h).
// All are symmetric positive definite if A is, and their bits do not depend on the number of threads.
#pragma once

#include <memory>
#include <optional>

#include "compute/linear_algebra/conjugate_gradients.h"
#include "compute/linear_algebra/matrix.h"
#include "compute/linear_algebra/operators.h"

namespace orogen::compute {

// Either a preconditioner or the reason why A has none.
struct MadePreconditioner
{
    std::unique_ptr<Preconditioner> value = {};
    std::optional<StopReason> unsuited = {};  // kNotPositiveDefinite, kNotFinite
};

// Makes M = (D/w + L) (D/w)^-1 (D/w + L)^T / (2 - w) for A = L + D + L^T.  `relaxation` is w, 0 < w < 2.  Source: D. M.
// Young, "Iterative Solution of Large Linear Systems", 1971, chapter 15.  Copies the lower half of A.  One thread.
MadePreconditioner makeSsor(const SparseMatrix& a, double relaxation);

// Makes M = L L^T with the nonzeros of A's lower half: IC(0) of J. A. Meijerink and H. A. van der Vorst (Mathematics of
// Computation 31, 1977).  A is scaled to a unit diagonal.  If a pivot is not above 1e-10, the factorisation starts
// again with 1 + s on the diagonal; s is 1e-3 at first, and twice as large each time, up to 1e6 (T. A. Manteuffel,
// Mathematics of Computation 34, 1980).  One thread.
MadePreconditioner makeIncompleteCholesky(const SparseMatrix& a);

// Makes M^-1 = p(D^-1 A) D^-1 with p of degree 4.  D is A's diagonal.  1 - s p(s), as a function of s, is the Chebyshev
// polynomial of degree 5 over [t/30, t], scaled to 1 at s = 0.  t is the largest eigenvalue of D^-1 A, estimated by up
// to 16 steps of Lanczos.  Since the degree is odd, M is positive definite for any t > 0.  Four products with A in each
// application.  `a` must outlive the preconditioner.
MadePreconditioner makeChebyshev(const LinearOperator& a, ThreadPool& pool);

}  // namespace orogen::compute
