// Host's part of conjugate gradients on a target: it scales the system, requests iterations, and decides when a solve
// ends.  It decides by the residual recomputed from A, x and b, because the recursively updated residual does not
// suffice.
#include "compute/linear_algebra/kernels/target_solvers.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <memory>

#include "compute/device/kernel_target.h"
#include "compute/linear_algebra/kernels/cg_launches.h"
#include "compute/linear_algebra/kernels/cg_steps.h"
#include "compute/linear_algebra/kernels/cramer.h"
#include "core/base/clock.h"

namespace orogen::compute {
namespace {

// ---- single precision inside a refinement, which computes the residual in double on the target ----

// Goals for the residual in single precision between recomputations, and when to give up, as in
// conjugate_gradients.cpp.
class RefinementGoals
{
public:
    RefinementGoals(double residual, double tolerance) : tolerance_(tolerance) { replaced(residual); }

    double goal() const { return goal_; }  // for the residual in single precision
    double gain() const { return mostGain_; }
    // Records a recomputed residual; returns false if it fell too little to justify another refinement.
    bool replaced(double residual);

private:
    static constexpr double kMostGain = 4e-6, kLeastGain = 0.25;

    const double tolerance_;
    double last_ = 0, goal_ = 0, mostGain_ = kMostGain;
};

// Iterations in single precision.  A, x and r of `whole` are in double; the correction found here is added to its x.
class SingleIterations
{
public:
    SingleIterations(CgMemory& memory, CgAlgorithm algorithm, const KernelSystem& system,
                     const CgKernelOptions& options);

    // `scale`: power of two that A is multiplied by; `inverse`: of the scaled diagonal, or empty.
    Status place(const TargetMatrix<double>& matrix, double scale, std::span<const double> inverse);
    // Uses r of `whole`, just recomputed, as the residual here.
    Status restrictToSingle(const CgLaunches<double>& whole);
    // Adds the correction to x of `whole`; giveBack() restores the previous x.
    Status prolongToDouble(CgLaunches<double>& whole);
    Status giveBack(CgLaunches<double>& whole);
    CgLaunches<float>& launches() { return *launches_; }

private:
    CgMemory& memory_;
    const CgAlgorithm algorithm_;
    const CgKernelOptions& options_;
    TargetMatrix<float> matrix_;
    std::unique_ptr<CgLaunches<float>> launches_;
    TargetMemory before_;  // previous x of the whole
    double scale_ = 1;
};

bool RefinementGoals::replaced(double residual)
{
    const bool worthIt = last_ == 0 || residual <= kLeastGain * last_;
    // The reduction reached is the limit of single precision.
    if (last_ > 0 && residual > 2 * goal_) mostGain_ = std::max(mostGain_, residual / last_);
    last_ = residual;
    // Divides the remaining reduction into equal steps within that limit.
    const double wanted = std::max(tolerance_ / residual, 1e-300);
    const double steps = std::ceil(std::log(wanted) / std::log(mostGain_));
    goal_ = steps <= 1 ? tolerance_ : residual * std::pow(wanted, 1 / steps);
    return worthIt;
}

SingleIterations::SingleIterations(CgMemory& memory, CgAlgorithm algorithm, const KernelSystem& system,
                                   const CgKernelOptions& options)
    : memory_(memory), algorithm_(algorithm), options_(options), matrix_(system, memory)
{
}

Status SingleIterations::place(const TargetMatrix<double>& matrix, double scale, std::span<const double> inverse)
{
    scale_ = scale;
    if (Status status = matrix_.placeNarrowed(matrix, scale); !status) return status;
    launches_ = std::make_unique<CgLaunches<float>>(memory_, algorithm_, matrix_, options_);
    const std::vector<float> narrowed(inverse.begin(), inverse.end());
    if (Status status = launches_->place(narrowed); !status) return status;
    return memory_.allocate(before_, padded(matrix_.size()) * sizeof(double));
}

Status SingleIterations::restrictToSingle(const CgLaunches<double>& whole)
{
    const CgVectors<float> vectors = launches_->vectors();
    const std::uint64_t pieces = piecesOf(vectors.size, kPieceStep).count();
    return memory_.launch(stridingShape(pieces, options_.mostBlocks),
                          TakeDownArguments{whole.vectors().r, launches_->rightSide(), vectors});
}

Status SingleIterations::prolongToDouble(CgLaunches<double>& whole)
{
    const std::uint64_t size = whole.size();
    double* const x = whole.vectors().x;
    if (Status status = memory_.copy(before_.as<void>(), x, size * sizeof(double)); !status) return status;
    return memory_.launch(stridingShape(piecesOf(size, kPieceStep).count(), options_.mostBlocks),
                          TakeUpArguments{x, launches_->vectors().x, size, scale_});
}

Status SingleIterations::giveBack(CgLaunches<double>& whole)
{
    return memory_.copy(whole.vectors().x, before_.as<void>(), whole.size() * sizeof(double));
}

// ---- conjugate gradients ----

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
            if (Status status = restrictToSingle(single); !status) return status;
            Step broke = iterateInSingle(single, goals.goal());
            if (!broke) return broke.error();
            if (Status status = prolongToDouble(single); !status) return status;
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

    Status restrictToSingle(SingleIterations& single)
    {
        if (Status status = single.restrictToSingle(launches_); !status) return status;
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
    Status prolongToDouble(SingleIterations& single)
    {
        if (Status status = single.prolongToDouble(launches_); !status) return status;
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

// ---- Cramer's rule ----

static_assert(kMostCramer == kMostCramerSide);

Result<CgKernelRun> solveByCramerOnTarget(KernelTarget& target, const Matrix& a, std::span<const double> b,
                                          const SolveOptions& options, ThreadPool& pool)
{
    assert(a.rows() == a.columns() && a.rows() == b.size() && b.size() <= kMostCramer);
    CgKernelRun run;
    const Clock::time_point allocation = Clock::now();
    std::vector<double> pivots((b.size() + 1) * kCramerPivots);
    Result<TargetMemory> matrix = target.allocate(a.values().size_bytes());
    Result<TargetMemory> right = target.allocate(b.size_bytes());
    Result<TargetMemory> found = target.allocate(pivots.size() * sizeof(double));
    for (const Result<TargetMemory>* memory : {&matrix, &right, &found})
        if (!*memory) return memory->error();
    run.allocateMs = millisecondsSince(allocation);
    const Clock::time_point upload = Clock::now();
    if (Status status = target.upload(matrix->as<void>(), a.row(0), a.values().size_bytes()); !status)
        return status.error();
    if (Status status = target.upload(right->as<void>(), b.data(), b.size_bytes()); !status) return status.error();
    run.uploadMs = millisecondsSince(upload);
    if (Status status = target.startClock(); !status) return status.error();
    const CramerArguments arguments = {matrix->as<double>(), right->as<double>(), found->as<double>(),
                                       unsigned(b.size())};
    const LaunchShape shape = {{unsigned(b.size()) + 1}, {kWarpLanes}};
    if (Status status = target.launch(eliminateForCramerKernel(), shape, arguments); !status) return status.error();
    const Result<double> ms = target.stopClock();
    if (!ms) return ms.error();
    run.kernelMs = *ms;
    const Clock::time_point download = Clock::now();
    if (Status status = target.download(pivots.data(), found->as<void>(), pivots.size() * sizeof(double)); !status)
        return status.error();
    if (Status status = target.finish(); !status) return status.error();
    run.downloadMs = millisecondsSince(download);
    run.executor = target.hostLaunches().counts;
    run.barriers = target.hostLaunches().barriers;
    run.solution = solveByCramer(a, b, options, pool, [&](std::size_t which) {
        const double* const of = pivots.data() + which * kCramerPivots;
        return Pivots{of[0] < 0, {of + 1, of + 1 + b.size()}};
    });
    return run;
}

}  // namespace orogen::compute
