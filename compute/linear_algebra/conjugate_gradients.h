// Conjugate gradients for symmetric positive definite A, after Ustyuzhanin, Pitskhelauri, Nekrasov (eqs. 5 to 9) with
// beta_0 negative as in their code (with the printed sign conjugacy is lost), and after Hestenes and Stiefel.
//
// A solve ends when ||A x - b|| <= max(relative tolerance * ||b||, absolute tolerance), recomputed from A, x and b:
// what the recurrences believe is not enough.  b is scaled by a power of two, so that nothing overflows on the way that
// does not in the answer.  Sums are made in a fixed order: the same bits for any number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "compute/linear_algebra/operators.h"

namespace orogen::compute {

enum class CgAlgorithm
{
    kPaper,            // three products an iteration, as printed in the paper's figure 5
    kPaperOneProduct,  // the same alpha and beta; A delta and the residual by recurrence
    kHestenesStiefel,
};

enum class StopReason
{
    kConverged,
    kIterationLimit,
    kNotPositiveDefinite,  // a direction p with (A p, p) <= 0 was met
    kNotFinite,            // in A, b or what came of them
    kStagnated,            // rounding keeps the residual above the tolerance
    kSingular,             // the determinant of A is 0
};
std::string_view textOf(StopReason reason);

// z = M^-1 r for a symmetric positive definite M that is near A.  The same bits for any number of threads.
class Preconditioner
{
public:
    virtual ~Preconditioner() = default;
    virtual void apply(const double* r, double* z, ThreadPool& pool) const = 0;  // r and z apart
};

// kMixed: the iterations read A and keep their vectors in single precision, inside a refinement whose residual is made
// anew in double, so that the answer is as good as with kDouble; where the refinement stagnates (a system too
// ill-conditioned for single precision), double goes on from where it stands.
enum class Precision
{
    kDouble,
    kMixed,
};
std::string_view textOf(Precision precision);

struct SolveOptions
{
    double relativeTolerance = 1e-10, absoluteTolerance = 0;
    std::uint64_t maxIterations = 0;  // 0: 10 n; as many again where mixed precision falls back
    Precision precision = Precision::kDouble;
    bool jacobi = false;                             // preconditioned by the diagonal
    const Preconditioner* preconditioner = nullptr;  // instead; must outlive the solve
    std::stop_token stop = {};                       // looked at each iteration
    std::function<void(std::uint64_t iteration, double relativeResidual)> watch = {};
};

// Always finite, whatever the reason, except the residual where A itself is not.
struct Solution
{
    std::vector<double> x;
    std::uint64_t iterations = 0;  // updates of x
    std::uint64_t products = 0;    // of A with a vector, the last check included
    StopReason reason = StopReason::kIterationLimit;
    std::uint64_t productsInSingle = 0;  // of these in single precision
    std::uint64_t refinements = 0;       // with Precision::kMixed: corrections in single precision that were added to x
    bool fellBack = false;               // with Precision::kMixed: the end was made in double precision alone
    double residualNorm = 0, relativeResidual = 0;  // recomputed; relative: 0 for b = 0
    std::vector<double> history;                    // relative residuals as the algorithm sees them, from the start on
};

// `start`: empty means 0.  After a stop the solution is what there is by then.
Solution solveByConjugateGradients(CgAlgorithm algorithm, const LinearOperator& a, std::span<const double> b,
                                   const SolveOptions& options, ThreadPool& pool, std::span<const double> start = {});

// Puts the recomputed residual of x into the solution, and with `judge` the reason that follows from it: converged,
// stagnated or not finite.
void assess(const LinearOperator& a, std::span<const double> b, const SolveOptions& options, ThreadPool& pool,
            bool judge, Solution& solution);

}  // namespace orogen::compute
