// Decisions of conjugate gradients that solvers on the CPU and on targets (a GPU or the host executor) share: how a
// system is scaled, when a solve ends, and which residual single precision must reach before a refinement.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "compute/linear_algebra/conjugate_gradients.h"
#include "compute/linear_algebra/kernels/cg_vectors.h"

namespace orogen::compute {

double largest(std::span<const double> values);  // the largest magnitude, or the first value that is not finite
int exponentOf(std::span<const double> values);  // exponent of the largest magnitude; 0 if it is 0 or not finite
// Returns the exponent of A's largest element, which is on its diagonal, clamped to -1000 ... 1000.
int exponentOf(const LinearOperator& a);
std::vector<double> scaled(std::span<const double> values, int exponent);  // returns the values times 2^exponent

// Returns why an iteration could not be made; empty if the iteration was made.
inline std::optional<StopReason> reasonOf(CgEnd end)
{
    if (end == CgEnd::kNotFinite) return StopReason::kNotFinite;
    return end == CgEnd::kNotPositive ? std::optional(StopReason::kNotPositiveDefinite) : std::nullopt;
}

// Computes the inverse of A's diagonal.  Returns the reason to stop if the diagonal is no preconditioner.
template <class Real>
std::optional<StopReason> invertDiagonal(const OperatorOf<Real>& a, std::vector<Real>& inverse)
{
    std::optional<StopReason> unsuited;
    inverse.resize(a.size());
    a.diagonal(inverse.data());
    for (Real& value : inverse)
    {
        if (!unsuited && !std::isfinite(value)) unsuited = StopReason::kNotFinite;
        if (!unsuited && value <= 0) unsuited = StopReason::kNotPositiveDefinite;
        value = 1 / value;
    }
    return unsuited;
}

// System A x = b with b and x scaled by 2^-exponent, so that no intermediate value overflows unless the solution does.
struct ScaledSystem
{
    ScaledSystem(std::span<const double> right, std::span<const double> x)
        : exponent(exponentOf(right)), b(scaled(right, -exponent)), start(scaled(x, -exponent))
    {
    }
    void setNorm(double norm, const SolveOptions& options)
    {
        normB = norm;
        tolerance = std::max(options.relativeTolerance * norm, std::scalbn(options.absoluteTolerance, -exponent));
    }

    int exponent;
    std::vector<double> b, start;  // start: empty means 0
    double normB = 0, tolerance = 0;
};

// Decides when a solve ends.  The caller computes residuals, recursive or from x ("true"), of the scaled system.
class CgEnding
{
public:
    CgEnding(const SolveOptions& options, const ScaledSystem& system, Solution& solution)
        : options_(options), solution_(solution), size_(system.b.size()), normB_(system.normB),
          tolerance_(system.tolerance), limit_(options.maxIterations != 0 ? options.maxIterations : 10 * size_)
    {
    }

    double tolerance() const { return tolerance_; }
    std::uint64_t left() const { return limit_ - solution_.iterations; }  // iterations left
    // Returns the bound for the recursively updated residual below which the true residual is computed from x.  The
    // bound is at least 1e-18 ||b||: below that, recursive residuals keep shrinking although x no longer improves.
    double enough(double goal) const { return std::max(goal, 1e-18 * normB_); }
    double enough() const { return enough(tolerance_); }

    // Records the residual of an iteration, and beside it the true residual if one is given.
    void record(double residual, std::optional<double> trueResidual = {})
    {
        const double relative = normB_ == 0 ? 0 : residual / normB_;
        if (std::isfinite(relative))
        {
            solution_.history.push_back(relative);
            if (trueResidual) solution_.trueHistory.push_back(normB_ == 0 ? 0 : *trueResidual / normB_);
        }
        if (options_.watch) options_.watch(solution_.iterations, relative);
        if (!(residual < best_)) return;
        best_ = residual;
        bestAt_ = solution_.iterations;
    }

    // Returns the reason to end, given the residual recomputed from x after the recursive one was small enough.
    std::optional<StopReason> recomputed(double residual)
    {
        constexpr int kMostRefreshes = 3;
        if (residual > tolerance_ && ++refreshes_ > kMostRefreshes) return StopReason::kStagnated;
        return std::nullopt;
    }

    // Returns the reason to end after this residual was recorded, if there is one.
    std::optional<StopReason> judge(double residual, bool isTrue) const
    {
        if (!std::isfinite(residual)) return StopReason::kNotFinite;
        if (isTrue && residual <= tolerance_) return StopReason::kConverged;
        if (options_.stop.stop_requested()) return StopReason::kIterationLimit;
        if (solution_.iterations - bestAt_ > 2 * size_ + 50) return StopReason::kStagnated;
        if (solution_.iterations >= limit_) return StopReason::kIterationLimit;
        return std::nullopt;
    }

    // Returns whether the caller's stop or iteration limit was reached.  The default limit does not count, because
    // fallBack() extends it.
    bool isLimited() const
    {
        return options_.stop.stop_requested() ||
               (options_.maxIterations != 0 && solution_.iterations >= options_.maxIterations);
    }
    // Starts again in double precision.  The iterations so far count towards the limit only if the caller has set one.
    void fallBack()
    {
        solution_.fellBack = true;
        if (options_.maxIterations == 0) limit_ = solution_.iterations + 10 * size_;
        best_ = std::numeric_limits<double>::infinity();
        bestAt_ = solution_.iterations;
        refreshes_ = 0;
    }
    void tighten() { tolerance_ *= 0.75; }  // for a solve whose final check found the residual above the tolerance

private:
    const SolveOptions& options_;
    Solution& solution_;
    const std::uint64_t size_;
    const double normB_;
    double tolerance_;
    std::uint64_t limit_;
    int refreshes_ = 0;  // how often a recomputed residual was above the tolerance
    double best_ = std::numeric_limits<double>::infinity();
    std::uint64_t bestAt_ = 0;
};

// Function that makes the steps of a solve.  It sets system.start to the x that the steps reach, and the solution's
// reason.  It returns whether it has also set the residual of that x.
using SolveSteps = std::function<bool(ScaledSystem& system, CgEnding& ending, Solution& solution)>;

// Solves A x = b from `start` (empty means 0) by `steps` on the scaled system.  Calls no steps if b is 0 (x is then 0)
// or if b or `start` is not finite.
Solution solveScaled(const LinearOperator& a, std::span<const double> b, const SolveOptions& options, ThreadPool& pool,
                     std::span<const double> start, const SolveSteps& steps);

// Goals for the residual in single precision between recomputations, and when to give up.
class RefinementGoals
{
public:
    explicit RefinementGoals(double tolerance) : tolerance_(tolerance) {}

    double goal() const { return goal_; }
    double last() const { return last_; }  // the recomputed residual of start() or replaced()
    // Returns whether a refinement that ends with this residual justifies another one.
    bool isWorthIt(double residual) const { return residual <= 0.25 * last_; }

    // Divides the reduction from a recomputed residual to the tolerance into equal factors, none below mostGain_.
    void start(double residual)
    {
        last_ = residual;
        const double wanted = std::max(tolerance_ / residual, 1e-300);
        const double steps = std::ceil(std::log(wanted) / std::log(mostGain_));
        goal_ = steps <= 1 ? tolerance_ : residual * std::pow(wanted, 1 / steps);
    }
    // Records the residual recomputed after the goal was reached; returns isWorthIt().
    bool replaced(double residual)
    {
        const bool worthIt = isWorthIt(residual);
        // The reduction reached is the limit of single precision.
        if (residual > 2 * goal_) mostGain_ = std::max(mostGain_, residual / last_);
        start(residual);
        return worthIt;
    }

private:
    const double tolerance_;
    double last_ = 0, goal_ = 0;
    double mostGain_ = 4e-6;  // smallest factor by which single precision can really reduce a residual
};

}  // namespace orogen::compute
