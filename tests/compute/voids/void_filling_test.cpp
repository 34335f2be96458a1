// Voids filled by conjugate gradients, against discrete harmonic functions and an independent stencil.
#include "compute/voids/void_filling.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/terrain/io/load_raster.h"
#include "core/terrain/raster/raster.h"
#include "tests/support/places.h"
#include "tests/support/random.h"

namespace orogen::compute {
namespace {

constexpr float kVoid = std::numeric_limits<float>::quiet_NaN();

struct Grid
{
    int width = 0, height = 0;
    std::vector<float> heights;

    std::size_t index(int x, int y) const { return std::size_t(y) * std::size_t(width) + std::size_t(x); }
    float& at(int x, int y) { return heights[index(x, y)]; }
};

template <class Height>
Grid gridOf(int width, int height, const Height& heightOf)
{
    Grid grid{width, height, {}};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            grid.heights.push_back(float(heightOf(x, y)));
    return grid;
}

void punch(Grid& grid, int left, int top, int width, int height)
{
    for (int y = top; y < top + height; ++y)
        for (int x = left; x < left + width; ++x)
            grid.at(x, y) = kVoid;
}

Grid shippedTerrain()
{
    Result<Raster> raster = loadRaster(OROGEN_ROOT "/assets/heightmaps/jacksboro.tif");
    EXPECT_TRUE(raster) << raster.error().message;
    return {raster->width, raster->height, raster->heights};
}

Result<VoidFilling> filled(const Grid& grid, const VoidFillingOptions& options = {})
{
    return solveVoids(grid.heights, grid.width, grid.height, options);
}

// Returns all cells in long doubles: the known ones and the filled voids.
std::vector<long double> completed(const Grid& grid, const std::vector<double>& voids)
{
    std::vector<long double> all;
    std::size_t next = 0;
    for (const float height : grid.heights)
        all.push_back(std::isnan(height) ? static_cast<long double>(voids.at(next++)) : height);
    EXPECT_EQ(next, voids.size());
    return all;
}

// Returns ||A x - b|| over the minimum of ||b|| for any reference level of the heights.
double residualOf(const Grid& grid, const std::vector<double>& voids)
{
    const std::vector<long double> all = completed(grid, voids);
    long double rr = 0, bb = 0, bk = 0, kk = 0;
    for (int y = 0; y < grid.height; ++y)
        for (int x = 0; x < grid.width; ++x)
        {
            if (!std::isnan(grid.heights[grid.index(x, y)])) continue;
            long double residual = 0, known = 0;
            int count = 0;
            for (const auto& [u, v] :
                 {std::pair(x - 1, y), std::pair(x + 1, y), std::pair(x, y - 1), std::pair(x, y + 1)})
            {
                if (u < 0 || v < 0 || u >= grid.width || v >= grid.height) continue;
                residual += all[grid.index(x, y)] - all[grid.index(u, v)];
                if (std::isnan(grid.heights[grid.index(u, v)])) continue;
                known += grid.heights[grid.index(u, v)];
                ++count;
            }
            rr += residual * residual;
            bb += known * known;
            bk += known * count;
            kk += static_cast<long double>(count) * count;
        }
    return double(sqrtl(rr / (bb - bk * bk / kk)));
}

// Returns the largest distance of a filled height from heightOf(x, y).
template <class Height>
double errorOf(const Grid& grid, const std::vector<double>& voids, const Height& heightOf)
{
    const std::vector<long double> all = completed(grid, voids);
    double most = 0;
    for (int y = 0; y < grid.height; ++y)
        for (int x = 0; x < grid.width; ++x)
            most = std::max(most, std::abs(double(all[grid.index(x, y)]) - heightOf(x, y)));
    return most;
}

TEST(VoidFilling, AHoleInARealTerrainIsFilledToTheToleranceByARecomputedResidual)
{
    Grid grid = shippedTerrain();
    punch(grid, 150, 150, 100, 100);
    const Result<VoidFilling> filling = filled(grid);
    ASSERT_TRUE(filling) << filling.error().message;
    EXPECT_EQ(filling->heights.size(), 10'000u);
    const double residual = residualOf(grid, filling->heights);
    EXPECT_LE(residual, 1e-8);
    EXPECT_NEAR(filling->relativeResidual, residual, 0.01 * residual);
    RecordProperty("iterations", std::to_string(filling->iterations));
}

TEST(VoidFilling, NoFilledHeightLeavesThoseAtTheRim)
{
    Grid grid = shippedTerrain();
    punch(grid, 120, 60, 80, 130);
    const Result<VoidFilling> filling = filled(grid);
    ASSERT_TRUE(filling) << filling.error().message;
    float lowest = 1e9f, highest = -1e9f;
    for (int y = 59; y <= 190; ++y)
        for (int x = 119; x <= 200; ++x)
            if (const float height = grid.at(x, y); !std::isnan(height))
                lowest = std::min(lowest, height), highest = std::max(highest, height);
    const auto [low, high] = std::ranges::minmax(filling->heights);
    EXPECT_GE(low, lowest - 1e-4f);
    EXPECT_LE(high, highest + 1e-4f);
    EXPECT_GT(high - low, 0.2f * (highest - lowest));  // not a plane
}

TEST(VoidFilling, ARampIsReproduced)
{
    const auto ramp = [](int x, int y) { return 1200.0 + 3.5 * x - 2.25 * y; };
    Grid grid = gridOf(160, 140, ramp);
    punch(grid, 20, 10, 110, 120);
    const Result<VoidFilling> filling = filled(grid, {.tolerance = 1e-11});
    ASSERT_TRUE(filling) << filling.error().message;
    EXPECT_LT(errorOf(grid, filling->heights, ramp), 1e-6);
}

TEST(VoidFilling, ADiscreteHarmonicFunctionIsReproduced)
{
    const auto saddle = [](int x, int y) { return double(x * x - y * y + x * y); };
    Grid grid = gridOf(90, 90, saddle);
    punch(grid, 5, 5, 80, 80);
    const Result<VoidFilling> filling = filled(grid, {.tolerance = 1e-12});
    ASSERT_TRUE(filling) << filling.error().message;
    EXPECT_LT(errorOf(grid, filling->heights, saddle), 1e-6);
}

// cos(w (y + 1/2)) has no slope between rows -1 and 0, nor across the opposite border; cosh makes it harmonic.
TEST(VoidFilling, NothingFlowsAcrossTheRastersBorder)
{
    constexpr int kSide = 64;
    const double w = std::numbers::pi / kSide, growth = std::acosh(2 - std::cos(w));
    const auto wave = [&](int x, int y) { return 100 * std::cosh(growth * (x - 20)) * std::cos(w * (y + 0.5)); };
    Grid grid = gridOf(kSide, kSide, wave);
    punch(grid, 10, 0, 30, kSide);  // from the northern to the southern border
    const Result<VoidFilling> filling = filled(grid, {.tolerance = 1e-12});
    ASSERT_TRUE(filling) << filling.error().message;
    EXPECT_LT(errorOf(grid, filling->heights, wave), 1e-4);  // known heights are floats
}

TEST(VoidFilling, ACornerTakesTheHeightsOfItsTwoKnownSides)
{
    Grid grid = gridOf(20, 20, [](int, int) { return 700; });
    punch(grid, 12, 13, 8, 7);
    const Result<VoidFilling> filling = filled(grid);
    ASSERT_TRUE(filling) << filling.error().message;
    for (const double height : filling->heights)
        EXPECT_EQ(height, 700.0);
    EXPECT_EQ(filling->relativeResidual, 0);
}

TEST(VoidFilling, HolesDoNotKnowOfEachOther)
{
    const Grid whole = shippedTerrain();
    const auto holes = {std::array{10, 10, 40, 30}, std::array{100, 80, 25, 60}, std::array{0, 200, 20, 20}};
    Grid all = whole;
    for (const auto& [x, y, w, h] : holes)
        punch(all, x, y, w, h);
    const Result<VoidFilling> together = filled(all, {.tolerance = 1e-12});
    ASSERT_TRUE(together) << together.error().message;
    const std::vector<long double> expected = completed(all, together->heights);
    for (const auto& [left, top, w, h] : holes)
    {
        Grid one = whole;
        punch(one, left, top, w, h);
        const Result<VoidFilling> alone = filled(one, {.tolerance = 1e-12});
        ASSERT_TRUE(alone) << alone.error().message;
        const auto reference = [&](int x, int y) {
            const float known = whole.heights[whole.index(x, y)];
            const bool inside = x >= left && x < left + w && y >= top && y < top + h;
            return inside ? double(expected[whole.index(x, y)]) : double(known);
        };
        EXPECT_LT(errorOf(one, alone->heights, reference), 1e-6);
    }
}

TEST(VoidFilling, ASingleVoidBecomesTheMeanOfItsNeighbours)
{
    Grid grid = gridOf(3, 3, [](int x, int y) { return x + 10 * y * y; });
    punch(grid, 1, 1, 1, 1);
    const Result<VoidFilling> filling = filled(grid);
    ASSERT_TRUE(filling) << filling.error().message;
    ASSERT_EQ(filling->heights.size(), 1u);
    EXPECT_NEAR(filling->heights[0], (1 + 10 + 12 + 41) / 4.0, 1e-6);
}

// Voids at random instead of rectangles: holes within holes, and islands.
TEST(VoidFilling, ScatteredVoidsMeetTheTolerance)
{
    test::Random random(7);
    for (const std::uint32_t share : {5u, 40u, 70u, 97u})
    {
        Grid grid = shippedTerrain();
        for (float& height : grid.heights)
            if (random.chance(share, 100)) height = kVoid;
        const Result<VoidFilling> filling = filled(grid);
        ASSERT_TRUE(filling) << filling.error().message;
        EXPECT_LE(residualOf(grid, filling->heights), 1e-8) << share << " % voids";
    }
}

TEST(VoidFilling, HasTheSameBitsForAnyNumberOfThreads)
{
    Grid grid = shippedTerrain();
    punch(grid, 50, 40, 200, 150);
    const Result<VoidFilling> one = filled(grid, {.threads = 1}), two = filled(grid, {.threads = 2}),
                              three = filled(grid, {.threads = 3});
    ASSERT_TRUE(one && two && three);
    const auto sameBits = [](double a, double b) {
        return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
    };
    EXPECT_TRUE(std::ranges::equal(one->heights, two->heights, sameBits));
    EXPECT_TRUE(std::ranges::equal(one->heights, three->heights, sameBits));
    EXPECT_EQ(one->iterations, two->iterations);
}

TEST(VoidFilling, ATerrainHasTheSameResidualAtAnyAltitude)
{
    const auto hills = [](int x, int y) { return 8 * ((x * 7 + y * 3) % 16); };
    Grid low = gridOf(60, 60, hills), high = gridOf(60, 60, [&](int x, int y) { return 4096 + hills(x, y); });
    punch(low, 10, 10, 40, 40);
    punch(high, 10, 10, 40, 40);
    const Result<VoidFilling> below = filled(low), above = filled(high);
    ASSERT_TRUE(below && above);
    EXPECT_LE(residualOf(high, above->heights), 1e-8);
    EXPECT_NEAR(double(above->iterations), double(below->iterations), 3);
}

TEST(VoidFilling, WithoutVoidsThereIsNothingToDo)
{
    const Grid grid = gridOf(4, 3, [](int x, int y) { return x * y; });
    const Result<VoidFilling> filling = filled(grid);
    ASSERT_TRUE(filling);
    EXPECT_TRUE(filling->heights.empty());
    EXPECT_EQ(filling->iterations, 0u);
}

TEST(VoidFilling, NothingButVoidsIsRefused)
{
    const Grid grid = gridOf(5, 5, [](int, int) { return kVoid; });
    const Result<VoidFilling> filling = filled(grid);
    ASSERT_FALSE(filling);
    EXPECT_EQ(filling.error().code, ExitCode::kInput);
}

TEST(VoidFilling, AHeightThatIsNotFiniteIsRefused)
{
    Grid grid = gridOf(9, 9, [](int x, int) { return x; });
    punch(grid, 3, 3, 3, 3);
    grid.at(2, 4) = std::numeric_limits<float>::infinity();
    const Result<VoidFilling> filling = filled(grid);
    ASSERT_FALSE(filling);
    EXPECT_EQ(filling.error().code, ExitCode::kInput);
}

TEST(VoidFilling, WhatDoesNotConvergeIsNoResult)
{
    Grid grid = shippedTerrain();
    punch(grid, 150, 150, 100, 100);
    const Result<VoidFilling> filling = filled(grid, {.maxIterations = 3});
    ASSERT_FALSE(filling);
    EXPECT_EQ(filling.error().code, ExitCode::kNo);
    EXPECT_NE(filling.error().message.find("iteration limit after 3 iterations"), std::string::npos)
        << filling.error().message;
}

TEST(VoidFilling, IsStoppedBetweenIterations)
{
    Grid grid = shippedTerrain();
    punch(grid, 150, 150, 100, 100);
    std::stop_source source;
    std::uint64_t last = 0;
    const auto watch = [&](std::uint64_t iteration, double) {
        last = iteration;
        if (iteration == 5) source.request_stop();
    };
    const Result<VoidFilling> filling = filled(grid, {.stop = source.get_token(), .watch = watch});
    ASSERT_FALSE(filling);
    EXPECT_EQ(filling.error().code, ExitCode::kInterrupted);
    EXPECT_EQ(last, 5u);
}

// Plain conjugate gradients need twice the iterations for a hole twice as wide.
TEST(VoidFilling, TakesAsFewIterationsForAWideHoleAsForANarrowOne)
{
    const Grid whole = shippedTerrain();
    for (const int side : {40, 80, 160, 320})
    {
        Grid grid = whole;
        punch(grid, (403 - side) / 2, (344 - side) / 2, side, side);
        const Result<VoidFilling> filling = filled(grid);
        ASSERT_TRUE(filling) << filling.error().message;
        EXPECT_LE(filling->iterations, 30u) << side;
        EXPECT_LE(residualOf(grid, filling->heights), 1e-8) << side;
    }
}

TEST(VoidFilling, GivesTheSameHeightsWithAndWithoutMultigrid)
{
    test::Random random(11);
    Grid grid = shippedTerrain();
    punch(grid, 0, 100, 150, 120);
    for (float& height : grid.heights)
        if (random.chance(30, 100)) height = kVoid;
    const Result<VoidFilling> with = filled(grid, {.tolerance = 1e-12}),
                              without = filled(grid, {.tolerance = 1e-12, .multigrid = false});
    ASSERT_TRUE(with && without);
    ASSERT_EQ(with->heights.size(), without->heights.size());
    EXPECT_LT(with->iterations, without->iterations / 4);
    double most = 0;
    for (std::size_t i = 0; i < with->heights.size(); ++i)
        most = std::max(most, std::abs(with->heights[i] - without->heights[i]));
    EXPECT_LT(most, 1e-6);
}

// Returns a grid's unknowns for multigrid, found from every pair of cells.
std::vector<VoidCell> cellsOf(const Grid& grid)
{
    std::vector<VoidCell> cells;
    for (int y = 0; y < grid.height; ++y)
        for (int x = 0; x < grid.width; ++x)
            if (std::isnan(grid.heights[grid.index(x, y)]))
                cells.push_back({.x = std::uint32_t(x), .y = std::uint32_t(y)});
    const auto width = std::uint32_t(grid.width), height = std::uint32_t(grid.height);
    for (std::uint32_t i = 0; i < cells.size(); ++i)
    {
        VoidCell& cell = cells[i];
        std::fill_n(cell.to, 4, i);
        cell.neighbours = std::uint8_t((cell.x > 0) + (cell.y > 0) + (cell.x + 1 < width) + (cell.y + 1 < height));
        for (std::uint32_t j = 0; j < cells.size(); ++j)
        {
            if (cells[j].x == cell.x && cells[j].y + 1 == cell.y) cell.to[0] = j;
            if (cells[j].x == cell.x && cells[j].y == cell.y + 1) cell.to[1] = j;
            if (cells[j].y == cell.y && cells[j].x + 1 == cell.x) cell.to[2] = j;
            if (cells[j].y == cell.y && cells[j].x == cell.x + 1) cell.to[3] = j;
        }
    }
    return cells;
}

// Conjugate gradients are sure to converge only with such a preconditioner.
TEST(VoidMultigrid, IsSymmetricAndPositiveDefinite)
{
    test::Random random(5);
    for (const std::uint32_t share : {10u, 50u, 90u})
    {
        Grid grid = gridOf(50, 41, [](int, int) { return 0; });
        punch(grid, 20, 0, 25, 30);
        for (float& height : grid.heights)
            if (random.chance(share, 100)) height = kVoid;
        const VoidMultigrid multigrid(cellsOf(grid));
        ThreadPool pool(1);
        const std::size_t n = cellsOf(grid).size();
        for (int round = 0; round < 20; ++round)
        {
            std::vector<double> u(n), v(n), mu(n), mv(n);
            for (std::size_t i = 0; i < n; ++i)
                u[i] = random.unit() - 0.5, v[i] = random.unit() - 0.5;
            multigrid.apply(u.data(), mu.data(), pool);
            multigrid.apply(v.data(), mv.data(), pool);
            double uMv = 0, vMu = 0, uMu = 0;
            for (std::size_t i = 0; i < n; ++i)
                uMv += u[i] * mv[i], vMu += v[i] * mu[i], uMu += u[i] * mu[i];
            EXPECT_GT(uMu, 0);
            EXPECT_NEAR(uMv, vMu, 1e-6 * uMu) << share << " %";  // the weights are floats
        }
    }
}

}  // namespace
}  // namespace orogen::compute
