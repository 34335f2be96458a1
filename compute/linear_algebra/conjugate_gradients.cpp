// Everything around the recurrences: the scale of the system, its precision, and the residual of the solution.
#include "compute/linear_algebra/conjugate_gradients.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <memory>

#include "compute/linear_algebra/cg_recurrences.h"

namespace orogen::compute {
namespace {

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

bool allFinite(std::span<const double> values) { return std::isfinite(largest(values)); }

std::vector<double> scaled(std::span<const double> values, int exponent)
{
    std::vector<double> out(values.begin(), values.end());
    for (double& value : out)
        value = std::scalbn(value, exponent);
    return out;
}

ScaledSystem scaledSystem(std::span<const double> b, std::span<const double> start, const SolveOptions& options,
                          ThreadPool& pool)
{
    ScaledSystem system{.exponent = std::ilogb(largest(b))};
    system.b = scaled(b, -system.exponent);
    system.start = scaled(start, -system.exponent);
    system.normB = std::sqrt(Passes<double>(b.size(), pool).dot(system.b, system.b));
    system.tolerance =
        std::max(options.relativeTolerance * system.normB, std::scalbn(options.absoluteTolerance, -system.exponent));
    return system;
}

// ---- mixed precision ----

// Largest reduction of the residual before it is recomputed; past it, single precision makes no real progress.
constexpr double kMostGain = 4e-6;
// A refinement that leaves a larger share of the residual is not worth it.
constexpr double kLeastGain = 0.25;

// Returns the power of two that scales the largest element of A, which is on its diagonal, to [1, 2); 1 if there is
// none.
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

class MixedRecurrences final : public CgRecurrences<float>
{
public:
    MixedRecurrences(const LinearOperator& a, const SingleOperator& single, double scale, ScaledSystem& system,
                     const SolveOptions& options, ThreadPool& pool, Solution& solution)
        : CgRecurrences(single, system, Vector(system.b.size()), {}, options, pool, solution), double_(a),
          system_(system), scale_(scale), whole_(system.start), trueR_(system.b.size())
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

// Iterates with A and all vectors in single precision.  When the residual has fallen as far as single precision is
// reliable, a refinement adds the correction to x and recomputes the residual of x, both in double.  Directions are
// then discarded: keeping them carried their rounding along and cost more steps than it saved (55 against 44 for an A
// with few large eigenvalues, n = 200).
//
// Returns true if the solve has ended; the solution has the reason.  Returns false if double precision must continue:
// the residual no longer falls, single precision met values that are not positive definite or not finite, or A or the
// preconditioner does not support single precision.  Sets system.start to the best x so far in both cases.
bool refineInSingle(CgAlgorithm algorithm, const LinearOperator& a, const SolveOptions& options, ThreadPool& pool,
                    ScaledSystem& system, Solution& solution)
{
    if (options.preconditioner) return false;
    const double scale = scaleOf(a);
    const std::unique_ptr<SingleOperator> single = a.inSingle(scale, pool);
    if (!single) return false;
    MixedRecurrences run(a, *single, scale, system, options, pool, solution);
    run.run(algorithm);
    system.start = run.take();
    const bool limited =
        solution.reason == StopReason::kIterationLimit && (options.maxIterations != 0 || options.stop.stop_requested());
    return solution.reason == StopReason::kConverged || limited;
}

}  // namespace

std::string_view textOf(StopReason reason)
{
    constexpr std::array<std::string_view, 6> kTexts = {"converged",  "iteration limit", "not positive definite",
                                                        "not finite", "stagnated",       "singular"};
    return kTexts[std::size_t(reason)];
}

std::string_view textOf(Precision precision) { return precision == Precision::kMixed ? "mixed" : "double"; }

void assess(const LinearOperator& a, std::span<const double> b, const SolveOptions& options, ThreadPool& pool,
            bool judge, Solution& solution)
{
    const int exponent = largest(b) > 0 && allFinite(b) ? std::ilogb(largest(b)) : 0;
    const std::vector<double> right = scaled(b, -exponent), x = scaled(solution.x, -exponent);
    std::vector<double> r(b.size());
    a.apply(x.data(), r.data(), pool);
    ++solution.products;
    Passes<double> passes(b.size(), pool);
    for (std::size_t i = 0; i < r.size(); ++i)
        r[i] -= right[i];
    const double norm = std::sqrt(passes.dot(r, r)), normB = std::sqrt(passes.dot(right, right));
    solution.residualNorm = std::scalbn(norm, exponent);
    solution.relativeResidual = normB == 0 ? 0 : norm / normB;
    const double tolerance =
        std::max(options.relativeTolerance * normB, std::scalbn(options.absoluteTolerance, -exponent));
    if (!std::isfinite(norm))
        solution.reason = StopReason::kNotFinite;
    else if (judge)
        solution.reason = norm <= tolerance ? StopReason::kConverged : StopReason::kStagnated;
}

Solution solveByConjugateGradients(CgAlgorithm algorithm, const LinearOperator& a, std::span<const double> b,
                                   const SolveOptions& options, ThreadPool& pool, std::span<const double> start)
{
    assert(b.size() == a.size() && (start.empty() || start.size() == b.size()));
    Solution solution;
    solution.x.assign(b.size(), 0.0);
    const double most = largest(b);
    if (!std::isfinite(most) || !allFinite(start))
    {
        solution.reason = StopReason::kNotFinite;
        assess(a, b, options, pool, false, solution);
        return solution;
    }
    if (most == 0)  // then x is 0, too; avoids 0/0
    {
        solution.history.push_back(0);
        assess(a, b, options, pool, true, solution);
        return solution;
    }
    ScaledSystem system = scaledSystem(b, start, options, pool);
    const bool mixed = options.precision == Precision::kMixed;
    const bool done = mixed && refineInSingle(algorithm, a, options, pool, system, solution);
    solution.fellBack = mixed && !done;
    SolveOptions inDouble = options;
    if (solution.fellBack && options.maxIterations == 0) inDouble.maxIterations = solution.iterations + 10 * a.size();
    if (!done)
    {
        CgRecurrences<double> run(a, system, system.b, system.start, inDouble, pool, solution);
        run.run(algorithm);
        system.start = run.x();
    }
    std::vector<double> x = scaled(system.start, system.exponent);
    if (allFinite(x))
        solution.x = std::move(x);
    else
        solution.reason = StopReason::kNotFinite;
    std::erase_if(solution.history, [](double value) { return !std::isfinite(value); });
    // A refinement ends with the residual of x itself, computed as in assess().
    constexpr int kExact = 500;  // with larger exponents, scaling x back may round
    if (!done || solution.reason != StopReason::kConverged || std::abs(system.exponent) > kExact)
        assess(a, b, options, pool, false, solution);
    return solution;
}

}  // namespace orogen::compute
