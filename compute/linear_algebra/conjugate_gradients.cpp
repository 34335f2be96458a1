// Everything around the recurrences: the scale of the system, its precision, and the residual of the solution.
#include "compute/linear_algebra/conjugate_gradients.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

#include "compute/linear_algebra/cg_run.h"
#include "compute/linear_algebra/mixed_precision.h"

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

std::vector<double> solveInDouble(CgAlgorithm algorithm, const LinearOperator& a, const ScaledSystem& system,
                                  const SolveOptions& options, ThreadPool& pool, Solution& solution)
{
    CgRun<double> run(a, system, system.b, system.start, options, pool, solution);
    run.run(algorithm);
    return run.x();
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
    std::vector<double> x =
        done ? std::move(system.start) : solveInDouble(algorithm, a, system, inDouble, pool, solution);
    x = scaled(x, system.exponent);
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
