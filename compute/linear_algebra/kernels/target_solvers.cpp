// The CPU's part of conjugate gradients on a target: scales the system, requests iterations, and decides when a solve
// ends.  A solve converges only by the residual recomputed from A, x and b; the recursively updated one may differ.
#include "compute/linear_algebra/kernels/target_solvers.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>
#include <numeric>

#include "compute/device/kernel_target.h"
#include "compute/linear_algebra/cg_recurrences.h"
#include "compute/linear_algebra/kernels/cg_launches.h"
#include "compute/linear_algebra/kernels/cg_steps.h"
#include "compute/linear_algebra/kernels/cramer.h"
#include "core/base/clock.h"

namespace orogen::compute {
namespace {

// ---- single precision inside a refinement, which computes the residual in double on the target ----

// Iterations in single precision.  `whole` has A, x and r in double precision.  The iterations here find a correction,
// which is added to that x.
class SingleIterations
{
public:
    SingleIterations(CgMemory& memory, CgAlgorithm algorithm, const KernelSystem& system,
                     const CgKernelOptions& options);

    // `scale`: power of two that A is multiplied by.  `inverse`: inverse of the scaled diagonal; empty without a
    // preconditioner.
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
    TargetMemory before_;  // previous x of `whole`
    double scale_ = 1;
};

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

using Step = Result<std::optional<StopReason>>;  // why the solve ends after a step; empty: it continues

// One solve, scaled so that b's largest element, unless it is 0, is in [1, 2).
class DeviceSolve
{
public:
    DeviceSolve(KernelTarget& target, CgAlgorithm algorithm, const KernelSystem& system, const LinearOperator& a,
                std::span<const double> b, const SolveOptions& options, const CgKernelOptions& kernelOptions,
                std::span<const double> start)
        : target_(target), algorithm_(algorithm), system_(system), operator_(a), options_(options),
          kernelOptions_(kernelOptions), scaled_(scaledSystem(b, start, options)), ending_(options, scaled_, solution_),
          memory_(target), matrix_(system, memory_), launches_(memory_, algorithm, matrix_, kernelOptions)
    {
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

    // Continues with a lower tolerance: the CPU, whose sums differ in the last bits, found the residual too large.
    Status goOn()
    {
        ending_.tighten();
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
    static ScaledSystem scaledSystem(std::span<const double> b, std::span<const double> start,
                                     const SolveOptions& options)
    {
        ScaledSystem system(b, start);
        system.setNorm(std::sqrt(std::inner_product(system.b.begin(), system.b.end(), system.b.begin(), 0.0)), options);
        return system;
    }

    Status place()
    {
        if (Status status = matrix_.place(options_.stop); !status) return status;
        if (options_.jacobi) unsuited_ = invertDiagonal(operator_, inverse_);
        if (Status status = launches_.place(inverse_); !status) return status;
        if (Status status = launches_.placeB(scaled_.b); !status) return status;
        return scaled_.start.empty() ? Status::ok() : launches_.placeX(scaled_.start);
    }

    // Computes r = A x - b from x alone.
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

    Step judge()
    {
        std::optional<StopReason> reason;
        if (residual_ <= ending_.enough() && !fresh_)
        {
            if (Status status = refresh(); !status) return status.error();
            reason = ending_.recomputed(residual_);
        }
        if (!std::exchange(judged_, true)) ending_.record(residual_);
        return reason ? reason : ending_.judge(residual_, fresh_);
    }

    // Runs some iterations and records their residuals.  Without a reason to end, the caller records the last one.
    template <class T>
    Step takeSteps(CgLaunches<T>& launches, double enough)
    {
        const std::uint64_t before = launches.products();
        const Result<CgSteps> steps = launches.iterate(ending_.left(), enough * enough);
        if (!steps) return steps.error();
        solution_.products += launches.products() - before;
        if constexpr (std::is_same_v<T, float>) solution_.productsInSingle += launches.products() - before;
        const std::size_t done = steps->history.size();
        for (std::size_t i = 0; i < done; ++i)
        {
            ++solution_.iterations;
            if (i + 1 < done) ending_.record(std::sqrt(steps->history[i]));
        }
        if (done > 0)
        {
            residual_ = std::sqrt(steps->rr);
            judged_ = fresh_ = false;
        }
        const std::optional<StopReason> reason = reasonOf(steps->end);
        if (!reason) return done > 0 ? Step(std::nullopt) : Step(StopReason::kStagnated);
        if (done > 0) ending_.record(residual_);
        judged_ = true;
        return reason;
    }

    Step steps()
    {
        Step ended = takeSteps(launches_, ending_.enough());
        fresh_ = fresh_ || algorithm_ == CgAlgorithm::kPaper;  // kPaper computes each residual from x
        return ended;
    }

    // ---- single precision ----

    // Refines in single precision.  Sets `ended` if the solve has ended and the solution has its reason.  Otherwise the
    // solve continues in double precision.
    Status refine(bool& ended)
    {
        Step judged = judge();
        if (!judged) return judged.error();
        ended = judged->has_value();
        if (ended) solution_.reason = **judged;
        if (ended) return Status::ok();
        SingleIterations single(memory_, algorithm_, system_, kernelOptions_);
        if (Status status = placeSingle(single); !status) return status;
        Status refined = refine(single, ended);
        if (!ended) ending_.fallBack();
        return refined;
    }

    // Places A scaled so that the largest element of its diagonal is about 1.  A grid is not scaled.
    Status placeSingle(SingleIterations& single)
    {
        const int exponent = system_.grid ? 0 : exponentOf(operator_);
        return single.place(matrix_, std::scalbn(1.0, -exponent), scaled(inverse_, exponent));
    }

    Status refine(SingleIterations& single, bool& ended)
    {
        RefinementGoals goals(ending_.tolerance());
        goals.start(residual_);
        for (;;)
        {
            if (Status status = restrictToSingle(single); !status) return status;
            Step broke = iterateInSingle(single, goals.goal());
            if (!broke) return broke.error();
            if (Status status = prolongToDouble(single); !status) return status;
            const bool worse = !(residual_ < goals.last());
            if (worse && !(std::isfinite(residual_) && ending_.isLimited()))
            {
                if (Status status = single.giveBack(launches_); !status) return status;
                return refresh();
            }
            Step judged = judge();
            if (!judged) return judged.error();
            ended =
                *judged == StopReason::kConverged || (*judged == StopReason::kIterationLimit && ending_.isLimited());
            if (ended) solution_.reason = **judged;
            if (ended || *judged || *broke || !goals.replaced(residual_)) return Status::ok();
        }
    }

    Status restrictToSingle(SingleIterations& single)
    {
        if (Status status = single.restrictToSingle(launches_); !status) return status;
        const Result<double> rr = single.launches().takeReplaced();
        return rr ? Status::ok() : Status(rr.error());
    }

    // Iterates until the recursive residual is at most `goal`, until the iterations run out, or until a stop.  Returns
    // a reason only if single precision gets no further.
    Step iterateInSingle(SingleIterations& single, double goal)
    {
        for (;;)
        {
            Step broke = takeSteps(single.launches(), goal);
            if (!broke || *broke) return broke;
            if (residual_ <= goal) return Step(std::nullopt);
            const std::optional<StopReason> reason = ending_.judge(residual_, false);
            if (reason == StopReason::kIterationLimit) return Step(std::nullopt);
            if (reason) return reason;
            if (!judged_) ending_.record(residual_);
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
        std::vector<double> x(scaled_.b.size());
        if (Status status = memory_.download<double>(x, launches_.vectors().x); !status) return status;
        x = scaled(x, scaled_.exponent);
        if (std::isfinite(largest(x)))
            solution_.x = std::move(x);
        else
        {
            solution_.x.assign(x.size(), 0.0);
            solution_.reason = StopReason::kNotFinite;
        }
        return Status::ok();
    }

    KernelTarget& target_;
    const CgAlgorithm algorithm_;
    const KernelSystem& system_;
    const LinearOperator& operator_;
    const SolveOptions& options_;
    const CgKernelOptions& kernelOptions_;
    Solution solution_;
    const ScaledSystem scaled_;
    CgEnding ending_;
    CgMemory memory_;
    TargetMatrix<double> matrix_;
    CgLaunches<double> launches_;
    std::vector<double> inverse_;         // inverse diagonal; empty: no preconditioner
    std::optional<StopReason> unsuited_;  // why the preconditioner is not applicable
    double residual_ = 0;
    bool fresh_ = false;   // r was just computed from x
    bool judged_ = false;  // the last iteration's residual was recorded
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
    // For b = 0, x is 0: as in solveScaled(), a start is not needed, and no tolerance relative to b would end it.
    const bool zero = largest(b) == 0 && std::isfinite(largest(start));
    DeviceSolve solve(target, algorithm, system, a, b, options, kernelOptions,
                      zero ? std::span<const double>() : start);
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
