// A's largest element, which lies on its diagonal, is brought to [1, 2) by a power of two, and so is b's: what single
// precision cannot hold then is far below rounding.
#include "compute/linear_algebra/mixed_precision.h"

#include <cmath>

namespace orogen::compute {
namespace {

// How far the residual may fall before it is made anew, at most: beyond, single precision would go on at a loss.
constexpr double kMostGain = 4e-6;
// A refinement that leaves more of the residual is one too many.
constexpr double kLeastGain = 0.25;

// The power of two that brings the largest element of the diagonal to [1, 2); 1 where there is none.
double scaleOf(const LinearOperator& a)
{
    constexpr int kMost = 1000;
    std::vector<double> diagonal(a.size());
    a.diagonal(diagonal.data());
    double most = 0;
    for (const double value : diagonal)
        most = std::max(most, std::abs(value));
    return most > 0 && std::isfinite(most) ? std::ldexp(1.0, -std::clamp(std::ilogb(most), -kMost, kMost)) : 1;
}

class MixedRun final : public CgRun<float>
{
public:
    MixedRun(const LinearOperator& a, const SingleOperator& single, double scale, ScaledSystem& system,
             const SolveOptions& options, ThreadPool& pool, Solution& solution)
        : CgRun(single, system, Vector(system.b.size()), {}, options, pool, solution), double_(a), system_(system),
          scale_(scale), whole_(system.start), trueR_(system.b.size())
    {
        whole_.resize(size_);
    }

    // The best x so far, and where it is the answer, its residual in the solution.
    std::vector<double> take()
    {
        if (!isTrue_ && solution_.reason == StopReason::kIterationLimit) absorb();
        solution_.residualNorm = std::scalbn(trueResidual_, system_.exponent);
        solution_.relativeResidual = trueResidual_ / normB_;
        return std::move(whole_);
    }

private:
    double goal() const override { return goal_; }
    bool refreshIsTrue() const override { return false; }

    void begin() override { makeResidual(!system_.start.empty()); }

    std::optional<StopReason> renew() override
    {
        const double before = trueResidual_, wanted = goal_;
        if (refine()) return std::nullopt;
        if (!(residual_ <= kLeastGain * before)) return StopReason::kStagnated;
        if (residual_ > 2 * wanted) mostGain_ = std::max(mostGain_, residual_ / before);  // more is not to be had here
        chooseGoal();
        return std::nullopt;
    }

    // Close to what single precision can tell of a residual, its curvature may well look negative.
    bool recovers(StopReason) override
    {
        const double before = trueResidual_;
        return refine() || residual_ <= kLeastGain * before;
    }

    // True: that was enough.
    bool refine()
    {
        const double before = trueResidual_;
        const std::vector<double> last = whole_;
        absorb();
        ++solution_.refinements;
        makeResidual(true);
        if (!(residual_ < before)) whole_ = last;
        return residual_ <= tolerance_;
    }

    // x in double takes up what was found in single precision.
    void absorb()
    {
        for (std::size_t i = 0; i < size_; ++i)
            whole_[i] += scale_ * double(x_[i]);
        std::ranges::fill(x_, 0.0F);
    }

    // b, the right side of what remains, and r, its residual at 0.
    void makeResidual(bool multiply)
    {
        if (multiply)
        {
            double_.apply(whole_.data(), trueR_.data(), pool_);
            ++solution_.products;
        }
        for (std::size_t i = 0; i < size_; ++i)
            trueR_[i] -= system_.b[i];
        residual_ = trueResidual_ = std::sqrt(Passes<double>(size_, pool_).dot(trueR_, trueR_));
        for (std::size_t i = 0; i < size_; ++i)
        {
            r_[i] = float(trueR_[i]);
            b_[i] = -r_[i];
        }
        precondition();
        fresh_ = isTrue_ = true;
        chooseGoal();
    }

    // What remains to be done in equal steps, none beyond the most.
    void chooseGoal()
    {
        const double wanted = std::max(tolerance_ / trueResidual_, 1e-300);
        const double steps = std::ceil(std::log(wanted) / std::log(mostGain_));
        goal_ = steps <= 1 ? tolerance_ : trueResidual_ * std::pow(wanted, 1 / steps);
    }

    const LinearOperator& double_;
    ScaledSystem& system_;
    const double scale_;
    std::vector<double> whole_, trueR_;  // x and r in double
    double trueResidual_ = 0, goal_ = 0, mostGain_ = kMostGain;
};

}  // namespace

bool refineInSingle(CgAlgorithm algorithm, const LinearOperator& a, const SolveOptions& options, ThreadPool& pool,
                    ScaledSystem& system, Solution& solution)
{
    if (options.preconditioner) return false;
    const double scale = scaleOf(a);
    const std::unique_ptr<SingleOperator> single = a.inSingle(scale, pool);
    if (!single) return false;
    MixedRun run(a, *single, scale, system, options, pool, solution);
    run.run(algorithm);
    system.start = run.take();
    const bool limited =
        solution.reason == StopReason::kIterationLimit && (options.maxIterations != 0 || options.stop.stop_requested());
    return solution.reason == StopReason::kConverged || limited;
}

}  // namespace orogen::compute
