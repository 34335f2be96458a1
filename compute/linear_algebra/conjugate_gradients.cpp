// Solves by the recurrences of cg_recurrences.h: scales the system, chooses the precision, recomputes the residual.
#include "compute/linear_algebra/conjugate_gradients.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>

#include "compute/linear_algebra/cg_recurrences.h"

namespace orogen::compute {
namespace {

bool allFinite(std::span<const double> values) { return std::isfinite(largest(values)); }

double normOf(const std::vector<double>& vector, ThreadPool& pool)
{
    return std::sqrt(Passes<double>(vector.size(), pool).dot(vector, vector));
}

// ---- mixed precision ----

// Iterations in single precision within a refinement in double; see refineInSingle().
class MixedRecurrences final : public CgRecurrences<CpuVectors<float>>
{
public:
    MixedRecurrences(const LinearOperator& a, CpuVectors<float>& vectors, double scale, ScaledSystem& system,
                     const SolveOptions& options, ThreadPool& pool, CgEnding& ending, Solution& solution)
        : CgRecurrences(vectors, Vector(system.b.size()), {}, options, ending, solution), double_(a), pool_(pool),
          size_(system.b.size()), system_(system), scale_(scale), goals_(ending.tolerance()), whole_(system.start),
          trueR_(size_)
    {
        whole_.resize(size_);
    }

    // Returns the best x so far, and sets the solution's residual, which is that of x if the solve has converged.
    std::vector<double> take()
    {
        if (!isTrue_ && solution_.reason == StopReason::kIterationLimit) absorb();
        solution_.residualNorm = std::scalbn(residual_, system_.exponent);
        solution_.relativeResidual = residual_ / system_.normB;
        return std::move(whole_);
    }

private:
    double goal() const override { return goals_.goal(); }
    bool refreshIsTrue() const override { return false; }

    void begin() override
    {
        makeResidual(!system_.start.empty());
        goals_.start(residual_);
    }

    std::optional<StopReason> renew() override
    {
        if (refine() || goals_.replaced(residual_)) return std::nullopt;
        return StopReason::kStagnated;
    }

    // Tries a refinement before giving up, because the curvature may seem negative close to the limit of single
    // precision.
    bool recovers(StopReason) override
    {
        const bool goesOn = refine() || goals_.isWorthIt(residual_);
        goals_.start(residual_);
        return goesOn;
    }

    double trueResidual() override
    {
        std::vector<double> x = whole_, r(size_);
        for (std::size_t i = 0; i < size_; ++i)
            x[i] += scale_ * double(x_[i]);
        double_.apply(x.data(), r.data(), pool_);
        for (std::size_t i = 0; i < size_; ++i)
            r[i] -= system_.b[i];
        return normOf(r, pool_);
    }

    // Adds the correction to x and recomputes the residual.  If the residual has not fallen, restores x.  Returns
    // whether the residual is within the tolerance.
    bool refine()
    {
        const std::vector<double> last = whole_;
        absorb();
        ++solution_.refinements;
        makeResidual(true);
        if (!(residual_ < goals_.last())) whole_ = last;
        return residual_ <= ending_.tolerance();
    }

    // Adds the correction found in single precision to x, which is in double.
    void absorb()
    {
        for (std::size_t i = 0; i < size_; ++i)
            whole_[i] += scale_ * double(x_[i]);
        std::ranges::fill(x_, 0.0F);
    }

    // Computes r, the residual of x, and b = -r, the right-hand side of the next correction.  `multiply`: x is not 0.
    void makeResidual(bool multiply)
    {
        if (multiply)
        {
            double_.apply(whole_.data(), trueR_.data(), pool_);
            ++solution_.products;
        }
        for (std::size_t i = 0; i < size_; ++i)
            trueR_[i] -= system_.b[i];
        residual_ = normOf(trueR_, pool_);
        for (std::size_t i = 0; i < size_; ++i)
        {
            r_[i] = float(trueR_[i]);
            b_[i] = -r_[i];
        }
        precondition();
        fresh_ = isTrue_ = true;
    }

    const LinearOperator& double_;
    ThreadPool& pool_;
    const std::size_t size_;
    ScaledSystem& system_;
    const double scale_;
    RefinementGoals goals_;
    std::vector<double> whole_, trueR_;  // x and r in double
};

// Iterates with A and all vectors in single precision.  When the residual has fallen as far as single precision is
// reliable, a refinement follows.  The refinement adds the correction to x and recomputes the residual of x, both in
// double.  Directions are then discarded.  Kept directions would carry their rounding along and cost more steps than
// they save: 55 against 44 for an A with few large eigenvalues, n = 200.
//
// Returns true if the solve has ended; the solution has the reason.  Returns false if double precision must continue:
//   - the residual no longer falls, or the default limit of iterations was reached;
//   - single precision met values that are not positive definite or not finite;
//   - A does not support single precision, or SolveOptions::preconditioner is set.
// After iterations, sets system.start to the best x so far.
bool refineInSingle(CgAlgorithm algorithm, const LinearOperator& a, const SolveOptions& options, ThreadPool& pool,
                    ScaledSystem& system, CgEnding& ending, Solution& solution)
{
    if (options.preconditioner) return false;
    const double scale = std::scalbn(1.0, -exponentOf(a));
    const std::unique_ptr<SingleOperator> single = a.inSingle(scale, pool);
    if (!single) return false;
    CpuVectors<float> vectors(*single, options, pool);
    MixedRecurrences run(a, vectors, scale, system, options, pool, ending, solution);
    run.run(algorithm);
    system.start = run.take();
    return solution.reason == StopReason::kConverged ||
           (solution.reason == StopReason::kIterationLimit && ending.isLimited());
}

}  // namespace

std::string_view textOf(StopReason reason)
{
    constexpr std::array<std::string_view, 6> kTexts = {"converged",  "iteration limit", "not positive definite",
                                                        "not finite", "stagnated",       "singular"};
    return kTexts[std::size_t(reason)];
}

std::string_view textOf(Precision precision) { return precision == Precision::kMixed ? "mixed" : "double"; }

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

int exponentOf(std::span<const double> values)
{
    const double most = largest(values);
    return std::isfinite(most) && most > 0 ? std::ilogb(most) : 0;
}

int exponentOf(const LinearOperator& a)
{
    constexpr int kMost = 1000;
    std::vector<double> diagonal(a.size());
    a.diagonal(diagonal.data());
    return std::clamp(exponentOf(diagonal), -kMost, kMost);
}

std::vector<double> scaled(std::span<const double> values, int exponent)
{
    std::vector<double> out(values.begin(), values.end());
    for (double& value : out)
        value = std::scalbn(value, exponent);
    return out;
}

void assess(const LinearOperator& a, std::span<const double> b, const SolveOptions& options, ThreadPool& pool,
            bool judge, Solution& solution)
{
    ScaledSystem system(b, solution.x);
    system.setNorm(normOf(system.b, pool), options);
    std::vector<double> r(b.size());
    a.apply(system.start.data(), r.data(), pool);
    ++solution.products;
    for (std::size_t i = 0; i < r.size(); ++i)
        r[i] -= system.b[i];
    const double norm = normOf(r, pool);
    solution.residualNorm = std::scalbn(norm, system.exponent);
    solution.relativeResidual = system.normB == 0 ? 0 : norm / system.normB;
    if (!std::isfinite(norm))
        solution.reason = StopReason::kNotFinite;
    else if (judge)
        solution.reason = norm <= system.tolerance ? StopReason::kConverged : StopReason::kStagnated;
}

Solution solveScaled(const LinearOperator& a, std::span<const double> b, const SolveOptions& options, ThreadPool& pool,
                     std::span<const double> start, const SolveSteps& steps)
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
    if (most == 0)  // b is 0, and so is x; avoids 0/0
    {
        solution.history.push_back(0);
        if (options.trueResiduals) solution.trueHistory.push_back(0);
        assess(a, b, options, pool, true, solution);
        return solution;
    }
    ScaledSystem system(b, start);
    system.setNorm(normOf(system.b, pool), options);
    CgEnding ending(options, system, solution);
    const bool assessed = steps(system, ending, solution);
    std::vector<double> x = scaled(system.start, system.exponent);
    if (allFinite(x))
        solution.x = std::move(x);
    else
        solution.reason = StopReason::kNotFinite;
    constexpr int kExact = 500;  // with larger exponents, scaling x back may round
    if (!assessed || solution.reason != StopReason::kConverged || std::abs(system.exponent) > kExact)
        assess(a, b, options, pool, false, solution);
    return solution;
}

Solution solveByConjugateGradients(CgAlgorithm algorithm, const LinearOperator& a, std::span<const double> b,
                                   const SolveOptions& options, ThreadPool& pool, std::span<const double> start)
{
    return solveScaled(a, b, options, pool, start, [&](ScaledSystem& system, CgEnding& ending, Solution& solution) {
        const bool mixed = options.precision == Precision::kMixed;
        // A refinement ends with the residual of x itself, computed as in assess().
        if (mixed && refineInSingle(algorithm, a, options, pool, system, ending, solution)) return true;
        if (mixed) ending.fallBack();
        CpuVectors<double> vectors(a, options, pool);
        CgRecurrences<CpuVectors<double>> run(vectors, system.b, system.start, options, ending, solution);
        run.run(algorithm);
        solution.lanczos = run.takeLanczos();
        system.start = run.x();
        return false;
    });
}

namespace {

// Returns the number of eigenvalues below `x`: the number of negative pivots of the matrix minus x times the identity
// (Sylvester's law of inertia).
std::size_t countBelow(std::span<const double> diagonal, std::span<const double> beside, double x)
{
    std::size_t count = 0;
    double pivot = 1;
    for (std::size_t i = 0; i < diagonal.size(); ++i)
    {
        const double square = i == 0 ? 0 : beside[i - 1] * beside[i - 1];
        pivot = diagonal[i] - x - square / pivot;
        if (pivot == 0) pivot = -std::numeric_limits<double>::min();
        count += pivot < 0;
    }
    return count;
}

}  // namespace

std::pair<double, double> extremesOfTridiagonal(std::span<const double> diagonal, std::span<const double> beside)
{
    // Bisection starts from the ends of Gershgorin's circles, which contain all eigenvalues.
    double low = diagonal[0], high = diagonal[0];
    for (std::size_t i = 0; i < diagonal.size(); ++i)
    {
        const double reach =
            (i > 0 ? std::abs(beside[i - 1]) : 0) + (i + 1 < diagonal.size() ? std::abs(beside[i]) : 0);
        low = std::min(low, diagonal[i] - reach);
        high = std::max(high, diagonal[i] + reach);
    }
    const auto find = [&](std::size_t most) {
        double below = low, above = high;
        for (int i = 0; i < 200 && above - below > 1e-14 * std::max(std::abs(above), std::abs(below)); ++i)
        {
            const double middle = below + (above - below) / 2;
            (countBelow(diagonal, beside, middle) <= most ? below : above) = middle;
        }
        return below + (above - below) / 2;
    };
    return {find(0), find(diagonal.size() - 1)};
}

}  // namespace orogen::compute
