// Host's part of solving on a target: it scales the system, requests iterations, and decides when a solve ends.  It
// decides by the residual recomputed from A, x and b, because the recursively updated residual does not suffice.
#include "compute/linear_algebra/kernels/cg_device.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "compute/linear_algebra/kernels/cg_refinement.h"

namespace orogen::compute {
namespace {

using Step = Result<std::optional<StopReason>>;

// Returns the largest magnitude, or the first value that is not finite.
double largest(std::span<const double> values)
{
    double most = 0;
    for (const double value : values)
    {
        if (!std::isfinite(value)) return value;
        most = std::max(most, std::abs(value));
    }
    return most;
}

std::vector<double> scaled(std::span<const double> values, int exponent)
{
    std::vector<double> out(values.begin(), values.end());
    for (double& value : out)
        value = std::scalbn(value, exponent);
    return out;
}

// Returns the exponent of the largest element; 0 if no scaling is possible.
int exponentOf(std::span<const double> values)
{
    const double most = largest(values);
    return std::isfinite(most) && most > 0 ? std::ilogb(most) : 0;
}

// One solve, scaled so that b's largest element is in [1, 2).
class DeviceSolve
{
public:
    DeviceSolve(KernelTarget& target, CgAlgorithm algorithm, const KernelSystem& system, const LinearOperator& a,
                std::span<const double> b, const SolveOptions& options, const CgKernelOptions& kernelOptions,
                std::span<const double> start)
        : target_(target), algorithm_(algorithm), system_(system), operator_(a), options_(options),
          kernelOptions_(kernelOptions), memory_(target), matrix_(system, memory_),
          launches_(memory_, algorithm, matrix_, kernelOptions), size_(b.size()), exponent_(exponentOf(b)),
          b_(scaled(b, -exponent_)), start_(scaled(start, -exponent_)),
          limit_(options.maxIterations != 0 ? options.maxIterations : 10 * size_)
    {
        for (const double value : b_)
            normB_ += value * value;
        normB_ = std::sqrt(normB_);
        tolerance_ = std::max(options.relativeTolerance * normB_, std::scalbn(options.absoluteTolerance, -exponent_));
    }

    Status run()
    {
        if (Status status = place(); !status) return status;
        if (Status status = refresh(); !status) return status;
        if (unsuited_)
        {
            solution_.reason = *unsuited_;
            return takeAnswer();
        }
        bool ended = false;
        if (options_.precision == Precision::kMixed)
            if (Status status = refine(ended); !status) return status;
        if (!ended)
            if (Status status = iterate(); !status) return status;
        return takeAnswer();
    }

    // Continues with a lower tolerance after the CPU, whose sums differ in the last bits, found the residual above it.
    Status goOn()
    {
        tolerance_ *= 0.75;
        if (Status status = refresh(); !status) return status;
        if (Status status = iterate(); !status) return status;
        return takeAnswer();
    }

    Solution& solution() { return solution_; }

    CgKernelRun finish()
    {
        const HostLaunch launched = target_.hostLaunches();
        const CgTimes& times = memory_.times();
        return {.solution = std::move(solution_),
                .persistent = launches_.persistent(),
                .executor = launched.counts,
                .allocateMs = times.allocateMs,
                .uploadMs = times.uploadMs,
                .kernelMs = times.kernelMs,
                .downloadMs = times.downloadMs,
                .barriers = launched.barriers};
    }

private:
    Status place()
    {
        if (Status status = matrix_.place(options_.stop); !status) return status;
        if (options_.jacobi) invertDiagonal();
        if (Status status = launches_.place(inverse_); !status) return status;
        if (Status status = launches_.placeB(b_); !status) return status;
        return start_.empty() ? Status::ok() : launches_.placeX(start_);
    }

    void invertDiagonal()
    {
        inverse_.resize(size_);
        operator_.diagonal(inverse_.data());
        for (double& value : inverse_)
        {
            if (!unsuited_ && !std::isfinite(value)) unsuited_ = StopReason::kNotFinite;
            if (!unsuited_ && value <= 0) unsuited_ = StopReason::kNotPositiveDefinite;
            value = 1 / value;
        }
    }

    // Computes r = A x - b from x alone; the recurrences start again.
    Status refresh()
    {
        const std::uint64_t before = launches_.products();
        const Result<double> rr = launches_.refresh();
        if (!rr) return rr.error();
        solution_.products += launches_.products() - before;
        residual_ = std::sqrt(*rr);
        fresh_ = true;
        return Status::ok();
    }

    // ---- stopping ----

    Status iterate()
    {
        for (;;)
        {
            Step judged = judge();
            if (judged && !*judged) judged = steps();
            if (!judged) return judged.error();
            if (!*judged) continue;
            solution_.reason = **judged;
            return Status::ok();
        }
    }

    void record(double residual)
    {
        const double relative = normB_ == 0 ? 0 : residual / normB_;
        if (std::isfinite(relative)) solution_.history.push_back(relative);
        if (options_.watch) options_.watch(solution_.iterations, relative);
        if (residual >= best_) return;
        best_ = residual;
        bestAt_ = solution_.iterations;
    }

    // Returns the recursive residual below which it is recomputed; far below rounding it has no meaning.
    double enough() const
    {
        constexpr double kBeyondRounding = 1e-18;
        return std::max(tolerance_, kBeyondRounding * normB_);
    }

    Step judge()
    {
        bool untrue = false;
        if (residual_ <= enough() && !fresh_)
        {
            if (Status status = refresh(); !status) return status.error();
            untrue = residual_ > tolerance_ && ++refreshes_ > kMostRefreshes;
        }
        if (!judged_) record(residual_);
        judged_ = true;
        if (untrue) return Step(StopReason::kStagnated);
        if (!std::isfinite(residual_)) return Step(StopReason::kNotFinite);
        if (fresh_ && residual_ <= tolerance_) return Step(StopReason::kConverged);
        if (options_.stop.stop_requested()) return Step(StopReason::kIterationLimit);
        if (solution_.iterations - bestAt_ > 2 * size_ + 50) return Step(StopReason::kStagnated);
        if (solution_.iterations >= limit_) return Step(StopReason::kIterationLimit);
        return Step(std::nullopt);
    }

    // Runs some iterations; leaves the last residual to judge().
    template <class T>
    Step takeSteps(CgLaunches<T>& launches, double enough)
    {
        const std::uint64_t before = launches.products();
        const Result<CgSteps> steps = launches.iterate(limit_ - solution_.iterations, enough * enough);
        if (!steps) return steps.error();
        solution_.products += launches.products() - before;
        if constexpr (std::is_same_v<T, float>) solution_.productsInSingle += launches.products() - before;
        const std::size_t done = steps->history.size();
        for (std::size_t i = 0; i < done; ++i)
        {
            ++solution_.iterations;
            if (i + 1 < done) record(std::sqrt(steps->history[i]));
        }
        if (done > 0)
        {
            residual_ = std::sqrt(steps->rr);
            judged_ = fresh_ = false;
        }
        if (steps->end != CgEnd::kNotPositive && steps->end != CgEnd::kNotFinite)
            return done > 0 ? Step(std::nullopt) : Step(StopReason::kStagnated);
        if (done > 0) record(residual_);
        judged_ = true;
        return Step(steps->end == CgEnd::kNotPositive ? StopReason::kNotPositiveDefinite : StopReason::kNotFinite);
    }

    Step steps()
    {
        Step ended = takeSteps(launches_, enough());
        fresh_ = fresh_ || algorithm_ == CgAlgorithm::kPaper;  // kPaper computes each residual from x
        return ended;
    }

    // ---- single precision ----

    // Refines in single precision.  `ended`: the solution has its reason; else double precision continues from this x.
    Status refine(bool& ended)
    {
        Step judged = judge();
        if (!judged) return judged.error();
        ended = judged->has_value();
        if (ended) solution_.reason = **judged;
        if (ended) return Status::ok();
        SingleIterations single(memory_, algorithm_, system_, kernelOptions_);
        if (Status status = placeSingle(single); !status) return status;
        const std::uint64_t limit = limit_;
        if (options_.maxIterations == 0) limit_ /= 2;  // leave as many to double
        Status refined = refine(single, ended);
        limit_ = limit;
        solution_.fellBack = !ended;
        refreshes_ = 0;
        bestAt_ = solution_.iterations;
        return refined;
    }

    // Scales A's largest element, which is on its diagonal, to [1, 2).
    Status placeSingle(SingleIterations& single)
    {
        constexpr int kMost = 1000;
        std::vector<double> diagonal(size_);
        operator_.diagonal(diagonal.data());
        const int exponent = system_.grid ? 0 : std::clamp(exponentOf(diagonal), -kMost, kMost);
        return single.place(matrix_, std::scalbn(1.0, -exponent), scaled(inverse_, exponent));
    }

    Status refine(SingleIterations& single, bool& ended)
    {
        RefinementGoals goals(residual_, tolerance_);
        for (;;)
        {
            const double before = residual_;
            if (Status status = takeDown(single); !status) return status;
            Step broke = iterateInSingle(single, goals.goal());
            if (!broke) return broke.error();
            if (Status status = takeUp(single); !status) return status;
            const bool worse = !(residual_ < before);
            if (worse && !(std::isfinite(residual_) && isLimited()))
            {
                if (Status status = single.giveBack(launches_); !status) return status;
                return refresh();
            }
            Step judged = judge();
            if (!judged) return judged.error();
            ended = *judged == StopReason::kConverged || (*judged == StopReason::kIterationLimit && isLimited());
            if (ended) solution_.reason = **judged;
            if (ended || *judged || *broke || !goals.replaced(residual_)) return Status::ok();
        }
    }

    // Returns whether a requested limit was reached, as opposed to the one that leaves iterations to double precision.
    bool isLimited() const
    {
        return options_.stop.stop_requested() || (options_.maxIterations != 0 && solution_.iterations >= limit_);
    }

    Status takeDown(SingleIterations& single)
    {
        if (Status status = single.takeDown(launches_); !status) return status;
        const Result<double> rr = single.launches().takeReplaced();
        return rr ? Status::ok() : Status(rr.error());
    }

    // Iterates until the recursive residual reaches `goal`; returns a reason if it cannot.
    Step iterateInSingle(SingleIterations& single, double goal)
    {
        for (;;)
        {
            Step broke = takeSteps(single.launches(), goal);
            if (!broke || *broke) return broke;
            if (residual_ <= goal) return Step(std::nullopt);
            if (!std::isfinite(residual_)) return Step(StopReason::kNotFinite);
            if (options_.stop.stop_requested() || solution_.iterations >= limit_) return Step(std::nullopt);
            if (solution_.iterations - bestAt_ > 2 * size_ + 50) return Step(StopReason::kStagnated);
            if (!judged_) record(residual_);
        }
    }

    // Adds the correction to x, and recomputes the residual in double.
    Status takeUp(SingleIterations& single)
    {
        if (Status status = single.takeUp(launches_); !status) return status;
        ++solution_.refinements;
        return refresh();
    }

    // ---- solution ----

    Status takeAnswer()
    {
        std::vector<double> x(size_);
        if (Status status = memory_.download<double>(x, launches_.vectors().x); !status) return status;
        x = scaled(x, exponent_);
        if (std::isfinite(largest(x)))
            solution_.x = std::move(x);
        else
        {
            solution_.x.assign(size_, 0.0);
            solution_.reason = StopReason::kNotFinite;
        }
        return Status::ok();
    }

    static constexpr int kMostRefreshes = 3;

    KernelTarget& target_;
    const CgAlgorithm algorithm_;
    const KernelSystem& system_;
    const LinearOperator& operator_;
    const SolveOptions& options_;
    const CgKernelOptions& kernelOptions_;
    Solution solution_;
    CgMemory memory_;
    TargetMatrix<double> matrix_;
    CgLaunches<double> launches_;
    const std::uint64_t size_;
    const int exponent_;
    const std::vector<double> b_, start_;
    std::vector<double> inverse_;  // inverse diagonal; empty: no preconditioner
    std::uint64_t limit_;
    std::optional<StopReason> unsuited_;  // why the preconditioner is not applicable
    double normB_ = 0, tolerance_ = 0;
    double residual_ = 0;
    bool fresh_ = false;   // r was just computed from x
    bool judged_ = false;  // residual_ was judged and recorded
    int refreshes_ = 0;    // recomputed residuals above the tolerance
    double best_ = std::numeric_limits<double>::infinity();
    std::uint64_t bestAt_ = 0;
};

}  // namespace

Result<CgKernelRun> solveOnTarget(KernelTarget& target, CgAlgorithm algorithm, const KernelSystem& system,
                                  const LinearOperator& a, std::span<const double> b, const SolveOptions& options,
                                  ThreadPool& pool, const CgKernelOptions& kernelOptions, std::span<const double> start)
{
    constexpr int kMostRechecks = 3;
    assert(!system.half || (system.dense && algorithm == CgAlgorithm::kHestenesStiefel));
    assert(b.size() == a.size() && (start.empty() || start.size() == b.size()));
    if (options.preconditioner)
        return Error{ExitCode::kUsage, "preconditioner: in kernels none and jacobi can be applied, found another one"};
    DeviceSolve solve(target, algorithm, system, a, b, options, kernelOptions, start);
    Status solved = solve.run();
    for (int rechecks = 0; solved; ++rechecks)
    {
        // The CPU's sums differ in the last bits.  A solve counts as converged only if the CPU's residual confirms it.
        const bool converged = solve.solution().reason == StopReason::kConverged;
        assess(a, b, options, pool, converged, solve.solution());
        if (!converged || solve.solution().reason != StopReason::kStagnated || rechecks == kMostRechecks) break;
        solved = solve.goOn();
    }
    if (!solved) return solved.error();
    return solve.finish();
}

}  // namespace orogen::compute
