#include "compute/terrain_model/diffusion.h"

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace orogen::compute {
namespace {

// A raster with voids and fixed cells, by seed.
struct Patch
{
    int width, height;
    std::vector<CellKind> kinds;
    DiffusionGrid grid(double x, double y) const { return {kinds, width, height, x, y}; }
};

Patch patchOf(int width, int height, unsigned seed)
{
    std::mt19937 random(seed);
    Patch patch{width, height, std::vector<CellKind>(std::size_t(width * height), CellKind::kFree)};
    for (CellKind& kind : patch.kinds)
        if (const unsigned r = random() % 8; r < 2) kind = r == 0 ? CellKind::kOutside : CellKind::kFixed;
    return patch;
}

std::vector<double> freeValues(const Patch& patch, unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<double> values;
    for (const CellKind kind : patch.kinds)
        values.push_back(kind == CellKind::kFree ? std::ldexp(double(random()), -31) - 1 : 0);
    return values;
}

double dot(const std::vector<double>& a, const std::vector<double>& b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i] * b[i];
    return sum;
}

// Adds up the definition of 1 + t L over all pairs of neighbours.
std::vector<double> byDefinition(const Patch& patch, const std::vector<double>& x, double wx, double wy)
{
    std::vector<double> y = x;
    for (int v = 0; v < patch.height; ++v)
        for (int u = 0; u < patch.width; ++u)
            for (const bool along : {true, false})
            {
                const int p = u + along, q = v + !along;
                if (p >= patch.width || q >= patch.height) continue;
                const auto i = std::size_t(v * patch.width + u), j = std::size_t(q * patch.width + p);
                if (patch.kinds[i] == CellKind::kOutside || patch.kinds[j] == CellKind::kOutside) continue;
                const double flux = (along ? wx : wy) * (x[i] - x[j]);
                if (patch.kinds[i] == CellKind::kFree) y[i] += flux;
                if (patch.kinds[j] == CellKind::kFree) y[j] -= flux;
            }
    return y;
}

TEST(Diffusion, MultipliesAsDefined)
{
    ThreadPool pool(2);
    for (unsigned seed = 0; seed < 20; ++seed)
    {
        const Patch patch = patchOf(3 + int(seed) * 2, 41 - int(seed), seed);
        const std::vector<double> x = freeValues(patch, seed + 100);
        std::vector<double> y(x.size());
        DiffusionOperator(patch.grid(3, 0.5)).apply(x.data(), y.data(), pool);
        const std::vector<double> expected = byDefinition(patch, x, 3, 0.5);
        for (std::size_t i = 0; i < y.size(); ++i)
            ASSERT_NEAR(y[i], expected[i], 1e-13) << seed << ' ' << i;
    }
}

TEST(Diffusion, PreconditionerIsSymmetricAndPositive)
{
    ThreadPool pool(2);
    for (unsigned seed = 0; seed < 20; ++seed)
    {
        const Patch patch = patchOf(40 + int(seed), 30, seed);
        const GridMultigrid multigrid(stencilOf(patch.grid(50, 200)));
        EXPECT_GE(multigrid.levels(), 3);
        const std::vector<double> a = freeValues(patch, seed + 1), b = freeValues(patch, seed + 2);
        std::vector<double> ma(a.size()), mb(a.size());
        multigrid.apply(a.data(), ma.data(), pool);
        multigrid.apply(b.data(), mb.data(), pool);
        EXPECT_NEAR(dot(ma, b), dot(a, mb), 1e-5 * std::sqrt(dot(a, a) * dot(mb, mb)));
        EXPECT_GT(dot(ma, a), 0);
        for (std::size_t i = 0; i < a.size(); ++i)
            ASSERT_TRUE(patch.kinds[i] == CellKind::kFree || ma[i] == 0) << i;
    }
}

// Returns the iterations of a solve on a square of free cells, whose residual is checked.
std::uint64_t iterationsFor(int side, double weight, bool preconditioned)
{
    ThreadPool pool(2);
    const Patch patch{side, side, std::vector<CellKind>(std::size_t(side * side), CellKind::kFree)};
    const DiffusionOperator matrix(patch.grid(weight, weight));
    const GridMultigrid multigrid(stencilOf(patch.grid(weight, weight)));
    const std::vector<double> b = freeValues(patch, 5);
    const Solution solution = solveByConjugateGradients(
        CgAlgorithm::kHestenesStiefel, matrix, b,
        {.relativeTolerance = 1e-9, .preconditioner = preconditioned ? &multigrid : nullptr}, pool);
    EXPECT_EQ(solution.reason, StopReason::kConverged);
    EXPECT_LE(solution.relativeResidual, 1e-9);
    return solution.iterations;
}

TEST(Diffusion, TakesFewIterationsForAnyStep)
{
    for (const double weight : {0.01, 1.0, 1e2, 1e4, 1e6})
        EXPECT_LE(iterationsFor(192, weight, true), 30u) << weight;
    EXPECT_GT(iterationsFor(192, 1e4, false), 200u);
}

// A cosine keeps its shape; every implicit step divides it by 1 + t lambda.
TEST(Diffusion, ShrinksACosineAsItsEigenvalueSays)
{
    ThreadPool pool(2);
    constexpr int kColumns = 96, kRows = 64;
    const Patch patch{kColumns, kRows, std::vector<CellKind>(kColumns * kRows, CellKind::kFree)};
    const double wx = 7, wy = 3;
    const DiffusionOperator matrix(patch.grid(wx, wy));
    const GridMultigrid multigrid(stencilOf(patch.grid(wx, wy)));
    const double px = std::numbers::pi * 3 / kColumns, py = std::numbers::pi * 2 / kRows;
    const double lambda = wx * (2 - 2 * std::cos(px)) + wy * (2 - 2 * std::cos(py));
    std::vector<double> b;
    for (int y = 0; y < kRows; ++y)
        for (int x = 0; x < kColumns; ++x)
            b.push_back(std::cos(px * (x + 0.5)) * std::cos(py * (y + 0.5)));
    const Solution solution = solveByConjugateGradients(
        CgAlgorithm::kHestenesStiefel, matrix, b, {.relativeTolerance = 1e-12, .preconditioner = &multigrid}, pool);
    for (std::size_t i = 0; i < b.size(); ++i)
        ASSERT_NEAR(solution.x[i], b[i] / (1 + lambda), 1e-11);
}

TEST(Diffusion, FluxToFixedCellsIsWhatTheFreeOnesLose)
{
    ThreadPool pool(1);
    for (unsigned seed = 0; seed < 10; ++seed)
    {
        const Patch patch = patchOf(33, 21, seed);
        const DiffusionOperator matrix(patch.grid(2, 5));
        std::mt19937 random(seed + 9);
        std::vector<double> h(patch.kinds.size()), change(h.size());
        for (double& value : h)
            value = double(random() % 1000);
        matrix.laplacian(h.data(), change.data(), pool);
        double sum = 0;
        for (const double value : change)
            sum += value;
        EXPECT_NEAR(sum, matrix.fluxToFixed(h.data()), 1e-7) << seed;
    }
}

}  // namespace
}  // namespace orogen::compute
