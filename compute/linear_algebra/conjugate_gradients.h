// Conjugate gradients for symmetric positive definite A, after paper 003 (Ustyuzhanin, Pitskhelauri, Nekrasov; eqs. 5
// to 9) and after Hestenes and Stiefel.  The paper's beta_0 is negative here, as in the paper's code; with the printed
// sign, directions would not be conjugate.
//
// A solve converges when ||A x - b|| <= max(relative tolerance * ||b||, absolute tolerance), recomputed from A, x and
// b; the recursively updated residual does not suffice.  b is scaled by a power of two, against overflow of
// intermediate values.  The order of sums is fixed: results are bit-identical for any number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/linear_algebra/operators.h"
#include "core/base/thread_pool.h"

namespace orogen::compute {

enum class CgAlgorithm
{
    kPaper,            // three products with A per iteration, as printed in figure 5 of paper 003
    kPaperOneProduct,  // same alpha and beta; A delta and the residual are updated by recurrences
    kHestenesStiefel,
};

enum class StopReason
{
    kConverged,
    kIterationLimit,       // or the caller's stop
    kNotPositiveDefinite,  // found (A p, p) <= 0 for a direction p, or a diagonal element or pivot <= 0
    kNotFinite,            // in A, b or derived values
    kStagnated,            // rounding keeps the residual above the tolerance
    kSingular,             // the determinant of A is 0
};
std::string_view textOf(StopReason reason);

// Preconditioner z = M^-1 r with a symmetric positive definite M near A.  Bit-identical for any number of threads.
class Preconditioner
{
public:
    virtual ~Preconditioner() = default;
    virtual void apply(const double* r, double* z, ThreadPool& pool) const = 0;  // r and z do not overlap
    virtual std::uint64_t products() const { return 0; }                         // products with A in an application
};

// kMixed: iterations read A and keep their vectors in single precision, inside a refinement that recomputes the
// residual in double.  The solution is as accurate as with kDouble.  If the refinement stagnates (a system too
// ill-conditioned for single precision), the solve continues in double.
enum class Precision
{
    kDouble,
    kMixed,
};
std::string_view textOf(Precision precision);

struct SolveOptions
{
    double relativeTolerance = 1e-10, absoluteTolerance = 0;
    std::uint64_t maxIterations = 0;  // 0: 10 n, and 10 n more if kMixed falls back
    Precision precision = Precision::kDouble;
    bool jacobi = false;                             // precondition by the diagonal
    const Preconditioner* preconditioner = nullptr;  // takes precedence over jacobi; must outlive the solve
    // Inner product for the CPU's recurrences in double precision.  Empty: sums in a fixed order.
    std::function<double(std::span<const double>, std::span<const double>)> dot = {};
    // Whether to fill trueHistory, by a further product per step.  On targets only solveExactlyOnTarget() fills it.
    bool trueResiduals = false;
    std::stop_token stop = {};  // polled every iteration; by solveOnTarget() between launches of many
    std::function<void(std::uint64_t iteration, double relativeResidual)> watch = {};
};

// Tridiagonal matrix of the method of Lanczos for M^-1 A, from the coefficients of the longest run of steps without a
// restart of the directions.  Its eigenvalues approximate those of M^-1 A, the extreme ones first (Golub and Van Loan,
// "Matrix Computations", section 11.3).  Empty after solveOnTarget(), and if single precision was enough for kMixed.
struct LanczosMatrix
{
    std::vector<double> diagonal = {}, beside = {};  // beside: elements beside the diagonal, one fewer
};

// Result of a solve.  All values are finite, except perhaps the residual.
struct Solution
{
    std::vector<double> x;
    std::uint64_t iterations = 0;  // updates of x
    std::uint64_t products = 0;    // products of A with a vector, except those for trueHistory
    StopReason reason = StopReason::kIterationLimit;
    std::uint64_t productsInSingle = 0;             // those of `products` in single precision
    std::uint64_t refinements = 0;                  // kMixed: corrections added to x, even if taken back
    bool fellBack = false;                          // kMixed: finished in double precision alone
    double residualNorm = 0, relativeResidual = 0;  // recomputed; relative: 0 for b = 0
    std::vector<double> history;                    // relative residuals by the algorithm, from the start on
    std::vector<double> trueHistory = {};           // residuals of `history`, computed from x
    LanczosMatrix lanczos = {};
};

// Solves A x = b from `start` (empty means 0).  After a stop, returns the state reached.
Solution solveByConjugateGradients(CgAlgorithm algorithm, const LinearOperator& a, std::span<const double> b,
                                   const SolveOptions& options, ThreadPool& pool, std::span<const double> start = {});

// Sets the solution's residual, recomputed from x by one more product.  Sets the reason to kNotFinite if the residual
// is not finite, and otherwise, with `judge`, to kConverged or kStagnated.
void assess(const LinearOperator& a, std::span<const double> b, const SolveOptions& options, ThreadPool& pool,
            bool judge, Solution& solution);

// Returns the smallest and the largest eigenvalue of a symmetric tridiagonal matrix, by bisection with Sturm sequences
// (W. Givens, 1954).  beside[i] is the element (i, i + 1).  Elements of `beside` from diagonal.size() - 1 on are not
// read.  Needs at least one diagonal element, and finite elements.
std::pair<double, double> extremesOfTridiagonal(std::span<const double> diagonal, std::span<const double> beside);

}  // namespace orogen::compute
