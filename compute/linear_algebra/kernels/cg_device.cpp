// The host's part of solving on a target: it scales the system, launches the kernels, and recomputes the residual from
// A, x and b at the end, because what the recurrences believe is not enough.
#include "compute/linear_algebra/kernels/cg_device.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <cmath>
#include <limits>

#include "compute/device/kernel_target.h"
#include "compute/linear_algebra/kernels/cg_persistent.h"
#include "compute/linear_algebra/kernels/cg_steps.h"

namespace orogen::compute {
namespace {

using Clock = std::chrono::steady_clock;
using Step = Result<std::optional<StopReason>>;

constexpr std::uint64_t kMostBlocks = 65'536;  // of a launch that strides

// Not finite, or the largest there is.
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

// Of the largest element; 0 where there is none to scale by.
int exponentOf(std::span<const double> values)
{
    const double most = largest(values);
    return std::isfinite(most) && most > 0 ? std::ilogb(most) : 0;
}

// The sum of the pieces in the order in which sumPieces() of kernels/sums.h adds them on the device: each lane of a
// warp adds every 32nd piece, and the lanes are then added pairwise.  The same order gives the same bits.
double sumLikeAWarp(std::span<const double> pieces)
{
    std::array<double, kWarpLanes> lanes = {};
    for (std::size_t i = 0; i < pieces.size(); ++i)
        lanes[i % kWarpLanes] += pieces[i];
    for (unsigned distance = kWarpLanes / 2; distance > 0; distance /= 2)
        for (unsigned lane = 0; lane < distance; ++lane)
            lanes[lane] += lanes[lane + distance];
    return lanes[0];
}

// Memory on a target, and the time that it and the kernels took.
class CgMemory
{
public:
    CgMemory(KernelTarget& target, CgKernelRun& run) : target_(target), run_(run) {}

    Status allocate(TargetMemory& memory, std::size_t bytes)
    {
        const Clock::time_point start = Clock::now();
        Result<TargetMemory> made = target_.allocate(std::max<std::size_t>(bytes, 1));
        run_.allocateMs += std::chrono::duration<double, std::milli>(Clock::now() - start).count();
        if (!made) return made.error();
        memory = std::move(*made);
        return Status::ok();
    }
    Status allocateDoubles(TargetMemory& memory, std::size_t count) { return allocate(memory, count * sizeof(double)); }

    Status upload(void* to, const void* from, std::size_t bytes)
    {
        if (Status status = target_.startClock(); !status) return status;
        if (Status status = target_.upload(to, from, bytes); !status) return status;
        return stopClock(run_.uploadMs);
    }
    template <class T>
    Status place(TargetMemory& memory, std::span<const T> values)
    {
        if (Status status = allocate(memory, values.size_bytes()); !status) return status;
        return upload(memory.as<void>(), values.data(), values.size_bytes());
    }

    template <class Arguments>
    Status launch(const Kernel<Arguments>& kernel, const LaunchShape& shape, const Arguments& arguments)
    {
        if (!running_)
            if (Status status = target_.startClock(); !status) return status;
        running_ = true;
        return target_.launch(kernel, shape, arguments);
    }
    template <class T>
    Status download(std::span<T> to, const void* from)
    {
        if (running_)
            if (Status status = stopClock(run_.kernelMs); !status) return status;
        running_ = false;
        if (Status status = target_.startClock(); !status) return status;
        if (Status status = target_.download(to.data(), from, to.size_bytes()); !status) return status;
        return stopClock(run_.downloadMs);
    }

private:
    Status stopClock(double& sum)
    {
        const Result<double> took = target_.stopClock();
        if (!took) return took.error();
        sum += *took;
        return Status::ok();
    }

    KernelTarget& target_;
    CgKernelRun& run_;
    bool running_ = false;  // the clock, of kernels
};

// The matrix on a target, and its product with a vector.
class TargetMatrix
{
public:
    TargetMatrix(const KernelSystem& system, CgMemory& memory) : system_(system), memory_(memory) {}

    Status place()
    {
        if (system_.half) return placeHalf(*system_.dense);
        if (system_.dense) return memory_.place(values_, system_.dense->values());
        if (Status status = memory_.place<double>(values_, system_.sparse->values); !status) return status;
        if (Status status = memory_.place<std::uint64_t>(starts_, system_.sparse->starts); !status) return status;
        return memory_.place<std::uint32_t>(columns_, system_.sparse->columns);
    }

    std::uint64_t size() const { return system_.dense ? system_.dense->rows() : system_.sparse->size; }
    bool isHalf() const { return system_.half; }
    std::uint64_t elements() const { return values_.bytes() / sizeof(double); }
    RowMatrix rows() const
    {
        return {values_.as<double>(), starts_.as<std::uint64_t>(), columns_.as<std::uint32_t>(), size()};
    }
    HalfMatrix half() const { return {values_.as<double>(), shares_.as<double>(), size(), groups()}; }
    // Pieces that (A d, d) is summed in.
    std::uint64_t pieces() const { return system_.half ? groups() : piecesOf(size(), kRowPiece); }

    Status multiply(const double* x, double* y, std::uint64_t mostBlocks)
    {
        if (!system_.half)
            return memory_.launch(cgMultiplyRowsKernel(), {{unsigned(std::min(pieces(), mostBlocks))}, {kCgThreads}},
                                  MultiplyRowsArguments{rows(), x, y});
        const MultiplyHalfArguments arguments = {half(), x, y};
        const auto blocks = unsigned(std::min(tilesBefore(groups()), mostBlocks));
        if (Status status = memory_.launch(cgMultiplyTilesKernel(), {{blocks}, {kCgThreads}}, arguments); !status)
            return status;
        return memory_.launch(cgGatherTilesKernel(), {{unsigned(groups())}, {kCgThreads}}, arguments);
    }

private:
    std::uint64_t groups() const { return piecesOf(size(), kHalfTile); }

    // A strip of tiles after the other, so that the host needs memory for one.
    Status placeHalf(const Matrix& a)
    {
        if (Status status = memory_.allocateDoubles(values_, tilesBefore(groups()) * kHalfTileElements); !status)
            return status;
        if (Status status = memory_.allocateDoubles(shares_, groups() * groups() * kHalfTile); !status) return status;
        std::vector<double> strip;
        for (std::uint64_t group = 0; group < groups(); ++group)
        {
            strip.assign((group + 1) * kHalfTileElements, 0.0);
            for (std::uint64_t i = group * kHalfTile; i < std::min(size(), (group + 1) * kHalfTile); ++i)
                for (std::uint64_t j = 0; j <= i; ++j)
                    strip[(j / kHalfTile * kHalfTile + i % kHalfTile) * kHalfTile + j % kHalfTile] = a(i, j);
            double* const to = values_.as<double>() + tilesBefore(group) * kHalfTileElements;
            if (Status status = memory_.upload(to, strip.data(), strip.size() * sizeof(double)); !status) return status;
        }
        return Status::ok();
    }

    const KernelSystem& system_;
    CgMemory& memory_;
    TargetMemory values_, starts_, columns_;  // values: rows, or tiles of the half
    TargetMemory shares_;
};

// One solve.  All is scaled: b's largest element is in [1, 2).
class DeviceSolve
{
public:
    DeviceSolve(KernelTarget& target, CgAlgorithm algorithm, const KernelSystem& system, const LinearOperator& a,
                std::span<const double> b, const SolveOptions& options, const CgKernelOptions& kernelOptions,
                std::span<const double> start)
        : target_(target), algorithm_(algorithm), operator_(a), options_(options), kernelOptions_(kernelOptions),
          memory_(target, run_), matrix_(system, memory_), size_(b.size()), exponent_(exponentOf(b)),
          b_(scaled(b, -exponent_)), start_(scaled(start, -exponent_)),
          limit_(options.maxIterations != 0 ? options.maxIterations : 10 * size_)
    {
        start_.resize(size_);
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
            run_.solution.reason = *unsuited_;
        else if (Status status = iterate(); !status)
            return status;
        return takeAnswer();
    }

    CgKernelRun finish()
    {
        const HostLaunch launched = target_.hostLaunches();
        run_.executor = launched.counts;
        run_.barriers = launched.barriers;
        return std::move(run_);
    }

private:
    // ---- memory ----

    Status place()
    {
        if (Status status = matrix_.place(); !status) return status;
        if (Status status = memory_.place<double>(bMemory_, b_); !status) return status;
        if (Status status = memory_.place<double>(x_, start_); !status) return status;
        if (options_.jacobi)
            if (Status status = placeInverse(); !status) return status;
        const bool paper = algorithm_ != CgAlgorithm::kHestenesStiefel;
        for (TargetMemory* vector : {&r_, &d_, &q_, paper ? &az_ : &next_})
            if (Status status = memory_.allocateDoubles(*vector, size_); !status) return status;
        const std::uint64_t pieces = piecesOf(size_, kSumPiece);
        if (Status status = memory_.allocateDoubles(sums_, kMostInnerProducts * pieces + matrix_.pieces()); !status)
            return status;
        if (paper) return Status::ok();
        if (Status status = memory_.allocateDoubles(history_, stepsALaunch()); !status) return status;
        if (Status status = memory_.allocate(state_, sizeof(CgState)); !status) return status;
        return choosePersistent();
    }

    Status placeInverse()
    {
        std::vector<double> inverse(size_);
        operator_.diagonal(inverse.data());
        for (double& value : inverse)
        {
            if (!unsuited_ && !std::isfinite(value)) unsuited_ = StopReason::kNotFinite;
            if (!unsuited_ && value <= 0) unsuited_ = StopReason::kNotPositiveDefinite;
            value = 1 / value;
        }
        if (Status status = memory_.allocateDoubles(z_, size_); !status) return status;
        return memory_.place<double>(inverse_, inverse);
    }

    // About 10 ms of a GPU that reads 4 TB/s.
    std::uint64_t stepsALaunch() const
    {
        if (kernelOptions_.stepsALaunch != 0) return kernelOptions_.stepsALaunch;
        constexpr std::uint64_t kElements = 5'000'000'000, kMost = 1000;
        return std::clamp<std::uint64_t>(kElements / std::max<std::uint64_t>(matrix_.elements(), 1), 1, kMost);
    }

    Status choosePersistent()
    {
        if (kernelOptions_.plain) return Status::ok();
        const KernelEntry& kernel =
            half() ? static_cast<const KernelEntry&>(iterateHalf_) : static_cast<const KernelEntry&>(iterateRows_);
        const Result<unsigned> resident = target_.residentBlocks(kernel, kCgThreads);
        if (!resident) return resident.error().code == ExitCode::kLimit ? Status::ok() : Status(resident.error());
        const std::uint64_t useful = half() ? tilesBefore(matrix_.half().groups) : matrix_.pieces();
        blocks_ = unsigned(std::min<std::uint64_t>({*resident, useful, kernelOptions_.mostBlocks}));
        run_.persistent = true;
        return Status::ok();
    }

    bool half() const { return matrix_.isHalf(); }
    CgVectors vectors() const
    {
        const std::uint64_t pieces = piecesOf(size_, kSumPiece);
        return {bMemory_.as<double>(),
                inverse_.as<double>(),
                x_.as<double>(),
                r_.as<double>(),
                z(),
                sums_.as<double>(),
                sums_.as<double>() + pieces,
                size_};
    }
    double* z() const { return options_.jacobi ? z_.as<double>() : r_.as<double>(); }

    // ---- launches ----

    std::uint64_t mostBlocks() const { return std::min<std::uint64_t>(kMostBlocks, kernelOptions_.mostBlocks); }
    unsigned pieceBlocks() const { return unsigned(std::min(piecesOf(size_, kSumPiece), mostBlocks())); }

    Status multiply(const double* x, double* y)
    {
        ++run_.solution.products;
        return matrix_.multiply(x, y, mostBlocks());
    }

    Status combine(double* v, const double* w, double alpha, double beta)
    {
        return memory_.launch(cgCombineKernel(), {{pieceBlocks()}, {kCgThreads}},
                              CombineArguments{v, w, size_, alpha, beta});
    }

    // kCount sums of pieces that lie one after the other.
    template <std::size_t kCount>
    Status takeSums(std::array<double, kCount>& sums)
    {
        const std::uint64_t pieces = piecesOf(size_, kSumPiece);
        pieces_.resize(kCount * pieces);
        if (Status status = memory_.download<double>(pieces_, sums_.as<void>()); !status) return status;
        for (std::size_t i = 0; i < kCount; ++i)
            sums[i] = sumLikeAWarp(std::span(pieces_).subspan(i * pieces, pieces));
        return Status::ok();
    }

    template <std::size_t kCount>
    Status takeInnerProducts(const std::array<std::pair<const double*, const double*>, kCount>& factors,
                             std::array<double, kCount>& products)
    {
        InnerProductsArguments arguments = {{}, {}, size_, sums_.as<double>()};
        for (std::size_t i = 0; i < kCount; ++i)
        {
            arguments.u[i] = factors[i].first;
            arguments.v[i] = factors[i].second;
        }
        if (Status status =
                memory_.launch(cgInnerProductsKernel(), {{pieceBlocks(), unsigned(kCount)}, {kCgThreads}}, arguments);
            !status)
            return status;
        return takeSums(products);
    }

    // After a launch that made r and z.
    Status takeResidual()
    {
        const double lastRz = rz_;
        std::array<double, 1> rr = {};
        std::array<double, 2> both = {};
        if (Status status = options_.jacobi ? takeSums(both) : takeSums(rr); !status) return status;
        takeResidual(options_.jacobi ? both[0] : rr[0], options_.jacobi ? both[1] : rr[0]);
        nextBeta_ = fresh_ ? 0 : rz_ / lastRz;
        return Status::ok();
    }
    void takeResidual(double rr, double rz)
    {
        residual_ = std::sqrt(rr);
        rz_ = rz;
    }

    // r = A x - b from nothing but x; the recurrences begin anew.
    Status refresh()
    {
        if (Status status = multiply(x_.as<double>(), q_.as<double>()); !status) return status;
        if (Status status = memory_.launch(cgRenewResidualKernel(), {{pieceBlocks()}, {kCgThreads}},
                                           AdvanceArguments{vectors(), d_.as<double>(), q_.as<double>(), 0});
            !status)
            return status;
        fresh_ = true;
        return takeResidual();
    }

    // x and r move by `length` along d and q = A d.
    Status advance(double length)
    {
        if (Status status = memory_.launch(cgAdvanceKernel(), {{pieceBlocks()}, {kCgThreads}},
                                           AdvanceArguments{vectors(), d_.as<double>(), q_.as<double>(), length});
            !status)
            return status;
        fresh_ = false;
        return takeResidual();
    }

    // ---- what ends it ----

    Status iterate()
    {
        for (;;)
        {
            Step judged = judge();
            if (judged && !*judged) judged = step();
            if (!judged) return judged.error();
            if (!*judged) continue;
            run_.solution.reason = **judged;
            return Status::ok();
        }
    }

    void record(double residual)
    {
        const double relative = normB_ == 0 ? 0 : residual / normB_;
        if (std::isfinite(relative)) run_.solution.history.push_back(relative);
        if (options_.watch) options_.watch(run_.solution.iterations, relative);
        if (residual >= best_) return;
        best_ = residual;
        bestAt_ = run_.solution.iterations;
    }

    // Far below rounding the recurrences only count on; they are never believed.
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
        record(residual_);
        if (untrue) return Step(StopReason::kStagnated);
        if (!std::isfinite(residual_)) return Step(StopReason::kNotFinite);
        if (fresh_ && residual_ <= tolerance_) return Step(StopReason::kConverged);
        if (options_.stop.stop_requested()) return Step(StopReason::kIterationLimit);
        if (run_.solution.iterations - bestAt_ > 2 * size_ + 50) return Step(StopReason::kStagnated);
        if (run_.solution.iterations >= limit_) return Step(StopReason::kIterationLimit);
        return Step(std::nullopt);
    }

    Step step()
    {
        if (run_.persistent) return persistentSteps();
        ++run_.solution.iterations;
        return algorithm_ == CgAlgorithm::kHestenesStiefel ? plainStep()
               : algorithm_ == CgAlgorithm::kPaper         ? paperStep()
                                                           : oneProductStep();
    }

    // A step that ends the solve was none.
    Step ended(StopReason reason)
    {
        --run_.solution.iterations;
        return Step(reason);
    }

    // ---- Hestenes and Stiefel ----

    template <class Matrix>
    CgPersistentArguments<Matrix> persistentArguments(const Matrix& a) const
    {
        const std::uint64_t left = limit_ - run_.solution.iterations;
        return {a,
                vectors(),
                d_.as<double>(),
                next_.as<double>(),
                q_.as<double>(),
                sums_.as<double>() + kMostInnerProducts * piecesOf(size_, kSumPiece),
                history_.as<double>(),
                state_.as<CgState>(),
                rz_,
                nextBeta_,
                enough() * enough(),
                std::min(left, stepsALaunch())};
    }

    Step persistentSteps()
    {
        const LaunchShape shape = {{blocks_}, {kCgThreads}, true};
        const Status launched = half() ? memory_.launch(iterateHalf_, shape, persistentArguments(matrix_.half()))
                                       : memory_.launch(iterateRows_, shape, persistentArguments(matrix_.rows()));
        if (!launched && launched.error().code == ExitCode::kLimit)  // this device's grids cannot meet
        {
            run_.persistent = false;
            return Step(std::nullopt);
        }
        if (!launched) return launched.error();
        std::array<CgState, 1> state;
        if (Status status = memory_.download<CgState>(state, state_.as<void>()); !status) return status.error();
        pieces_.resize(state[0].done);
        if (Status status = memory_.download<double>(pieces_, history_.as<void>()); !status) return status.error();
        return takeState(state[0]);
    }

    Step takeState(const CgState& state)
    {
        run_.solution.products += state.done;
        if (state.done % 2 == 1) std::swap(d_, next_);
        for (std::uint64_t i = 0; i + 1 < state.done; ++i)  // the last is judged
        {
            ++run_.solution.iterations;
            record(std::sqrt(pieces_[i]));
        }
        if (state.end == CgEnd::kNotPositive || (state.end == CgEnd::kNotFinite && state.done == 0))
        {
            if (state.done > 0) ++run_.solution.iterations, record(std::sqrt(state.rr));
            ++run_.solution.products;
            return Step(state.end == CgEnd::kNotPositive ? StopReason::kNotPositiveDefinite : StopReason::kNotFinite);
        }
        ++run_.solution.iterations;
        nextBeta_ = state.beta;
        takeResidual(state.rr, state.rz);
        fresh_ = false;
        return Step(std::nullopt);
    }

    Step plainStep()
    {
        std::array<double, 1> curvature = {};
        if (Status status = combine(d_.as<double>(), z(), nextBeta_, 1); !status) return status.error();
        if (Status status = multiply(d_.as<double>(), q_.as<double>()); !status) return status.error();
        if (Status status = takeInnerProducts<1>({{{d_.as<double>(), q_.as<double>()}}}, curvature); !status)
            return status.error();
        if (!std::isfinite(curvature[0])) return ended(StopReason::kNotFinite);
        if (curvature[0] <= 0) return ended(StopReason::kNotPositiveDefinite);
        if (Status status = advance(-rz_ / curvature[0]); !status) return status.error();
        return Step(std::nullopt);
    }

    // ---- the paper ----

    // Eqs. 8 and 9, from five inner products by one kernel.
    Step chooseCoefficients()
    {
        const double *r = r_.as<double>(), *d = d_.as<double>(), *q = q_.as<double>(), *az = az_.as<double>();
        std::array<double, 5> sums = {};
        std::array<double, 2> first = {};
        const Status status = haveDelta_ ? takeInnerProducts<5>({{{r, z()}, {az, z()}, {r, d}, {az, d}, {q, d}}}, sums)
                                         : takeInnerProducts<2>({{{r, z()}, {az, z()}}}, first);
        if (!status) return status.error();
        if (!haveDelta_) std::ranges::copy(first, sums.begin());
        const auto [rz, zAz, rd, zAd, dAd] = sums;
        if (!std::isfinite(rz + rd + zAd + zAz + dAd)) return ended(StopReason::kNotFinite);
        if (zAz <= 0 || (haveDelta_ && dAd < 0)) return ended(StopReason::kNotPositiveDefinite);
        const double product = dAd * zAz, determinant = product - zAd * zAd;
        if (determinant < -1e-8 * product) return ended(StopReason::kNotPositiveDefinite);
        // z and delta as good as parallel: 0/0 in eqs. 8 and 9, and z alone says all.
        const bool alone = !haveDelta_ || determinant <= 4 * std::numeric_limits<double>::epsilon() * product;
        alpha_ = alone ? 0 : (rz * zAd - rd * zAz) / determinant;
        beta_ = alone ? -rz / zAz : (rd * zAd - rz * dAd) / determinant;
        return Step(std::nullopt);
    }

    Step paperStep()
    {
        if (Status status = multiply(z(), az_.as<double>()); !status) return status.error();
        if (haveDelta_)
            if (Status status = multiply(d_.as<double>(), q_.as<double>()); !status) return status.error();
        if (Step step = chooseCoefficients(); !step || *step) return step;
        haveDelta_ = true;
        if (Status status = combine(d_.as<double>(), z(), alpha_, beta_); !status) return status.error();
        if (Status status = combine(x_.as<double>(), d_.as<double>(), 1, 1); !status) return status.error();
        if (Status status = refresh(); !status) return status.error();
        return Step(std::nullopt);
    }

    Step oneProductStep()
    {
        if (Status status = multiply(z(), az_.as<double>()); !status) return status.error();
        haveDelta_ = haveDelta_ && !fresh_;
        if (Step step = chooseCoefficients(); !step || *step) return step;
        haveDelta_ = true;
        if (Status status = combine(d_.as<double>(), z(), alpha_, beta_); !status) return status.error();
        if (Status status = combine(q_.as<double>(), az_.as<double>(), alpha_, beta_); !status) return status.error();
        if (Status status = advance(1); !status) return status.error();
        return Step(std::nullopt);
    }

    // ---- the answer ----

    Status takeAnswer()
    {
        std::vector<double> x(size_);
        if (Status status = memory_.download<double>(x, x_.as<void>()); !status) return status;
        x = scaled(x, exponent_);
        if (std::isfinite(largest(x)))
            run_.solution.x = std::move(x);
        else
        {
            run_.solution.x.assign(size_, 0.0);
            run_.solution.reason = StopReason::kNotFinite;
        }
        return Status::ok();
    }

    static constexpr int kMostRefreshes = 3;

    KernelTarget& target_;
    const CgAlgorithm algorithm_;
    const LinearOperator& operator_;
    const SolveOptions& options_;
    const CgKernelOptions& kernelOptions_;
    CgKernelRun run_;
    CgMemory memory_;
    TargetMatrix matrix_;
    const std::uint64_t size_;
    const int exponent_;
    const std::vector<double> b_;
    std::vector<double> start_, pieces_;
    const std::uint64_t limit_;
    TargetMemory bMemory_, x_, r_, z_, d_, next_, q_, az_, inverse_, sums_, history_, state_;
    const Kernel<CgRowsArguments> iterateRows_ = cgIterateRowsKernel();
    const Kernel<CgHalfArguments> iterateHalf_ = cgIterateHalfKernel();
    unsigned blocks_ = 1;                 // of a persistent launch
    std::optional<StopReason> unsuited_;  // to the preconditioner
    double normB_ = 0, tolerance_ = 0;
    double residual_ = 0, rz_ = 0, alpha_ = 0, beta_ = 0;
    double nextBeta_ = 0;     // of Hestenes' and Stiefel's next direction
    bool fresh_ = false;      // r was just made from x
    bool haveDelta_ = false;  // of the paper
    int refreshes_ = 0;       // that found the recurrence's residual untrue
    double best_ = std::numeric_limits<double>::infinity();
    std::uint64_t bestAt_ = 0;
};

}  // namespace

Result<CgKernelRun> solveOnTarget(KernelTarget& target, CgAlgorithm algorithm, const KernelSystem& system,
                                  const LinearOperator& a, std::span<const double> b, const SolveOptions& options,
                                  ThreadPool& pool, const CgKernelOptions& kernelOptions, std::span<const double> start)
{
    assert(!system.half || (system.dense && algorithm == CgAlgorithm::kHestenesStiefel));
    assert(b.size() == a.size() && (start.empty() || start.size() == b.size()));
    DeviceSolve solve(target, algorithm, system, a, b, options, kernelOptions, start);
    if (Status status = solve.run(); !status) return status.error();
    CgKernelRun run = solve.finish();
    // The CPU's sums differ in the last bits: who says converged has to mean it there, too.
    const bool converged = run.solution.reason == StopReason::kConverged;
    assess(a, b, options, pool, converged, run.solution);
    return run;
}

}  // namespace orogen::compute
