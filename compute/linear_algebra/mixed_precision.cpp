// A's largest element, which is on its diagonal, and b's are scaled to [1, 2) by powers of two.  Values that single
// precision cannot hold are then far below rounding.
#include "compute/linear_algebra/mixed_precision.h"

#include <cmath>

namespace orogen::compute {
namespace {

// Largest reduction of the residual before it is recomputed; past it, single precision makes no real progress.
constexpr double kMostGain = 4e-6;
// A refinement that leaves a larger share of the residual is not worth it.
constexpr double kLeastGain = 0.25;

// Returns the power of two that scales the largest element of the diagonal to [1, 2); 1 if there is none.
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

    // Returns the best x so far, and sets its residual in the solution.
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
        // The reduction reached is the limit of single precision.
        if (residual_ > 2 * wanted) mostGain_ = std::max(mostGain_, residual_ / before);
        chooseGoal();
        return std::nullopt;
    }

    // Close to the limit of single precision, the curvature may appear negative; a refinement decides whether to
    // continue.
    bool recovers(StopReason) override
    {
        const double before = trueResidual_;
        return refine() || residual_ <= kLeastGain * before;
    }

    // Adds the correction to x and recomputes the residual; returns whether it is within the tolerance.
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

    // Adds the correction found in single precision to x in double.
    void absorb()
    {
        for (std::size_t i = 0; i < size_; ++i)
            whole_[i] += scale_ * double(x_[i]);
        std::ranges::fill(x_, 0.0F);
    }

    // Computes r, the residual of x, and b = -r, the right-hand side of the next correction.
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

    // Divides the remaining reduction into equal steps, each at most mostGain_.
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
