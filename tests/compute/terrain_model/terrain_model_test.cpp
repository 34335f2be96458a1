#include "compute/terrain_model/terrain_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace orogen::compute {
namespace {

TerrainModel modelOf(const std::vector<float>& heights, int width, int height, double spacing = 30)
{
    Result<TerrainModel> model = TerrainModel::create(heights, width, height, spacing, spacing);
    EXPECT_TRUE(model);
    return std::move(*model);
}

std::vector<float> noise(int width, int height, float range, unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<float> heights;
    for (int i = 0; i < width * height; ++i)
        heights.push_back(range * float(random() & 0xffff) / 65535);
    return heights;
}

ModelStep stepped(TerrainModel& model, const ModelRates& rates, double years)
{
    ThreadPool pool(2);
    Result<ModelStep> step = model.step(rates, years, pool);
    EXPECT_TRUE(step) << (step ? "" : step.error().message);
    return step ? *step : ModelStep{};
}

// Heights of a cosine decay by exp(-kappa k^2 t).
TEST(TerrainModel, CreepLowersACosineAsTheHeatEquationSays)
{
    constexpr int kSide = 512;
    constexpr double kSpacing = 30, kCreep = 0.01, kYears = 2e6;
    constexpr int kSteps = 40, kWaves = 2;
    const double k = std::numbers::pi * kWaves / (kSide * kSpacing);
    std::vector<float> heights;
    for (int i = 0; i < kSide * kSide; ++i)
        heights.push_back(float(1000 + 200 * std::cos(k * kSpacing * (i % kSide + 0.5))));
    TerrainModel model = modelOf(heights, kSide, kSide, kSpacing);
    for (int step = 0; step < kSteps; ++step)
        stepped(model, {.creep = kCreep}, kYears / kSteps);
    const double left = std::exp(-kCreep * k * k * kYears);
    EXPECT_LT(left, 0.998);
    for (int x = 0; x < kSide; ++x)
    {
        const double expected = 200 * left * std::cos(k * kSpacing * (x + 0.5));
        ASSERT_NEAR(model.heightAt(std::size_t(kSide * 100 + x)) - 1000, expected, 0.001 * 200 * (1 - left)) << x;
    }
    EXPECT_LE(model.balance().imbalance(), 1e-6);
    EXPECT_NEAR(model.balance().change, 0, 1e-6 * model.balance().moved());
}

// After 10^7 years of the fastest creep each part is flat, at its mean height.  A void column separates two parts.
TEST(TerrainModel, CreepOfAnyLengthKeepsTheVolumeOfEachPart)
{
    constexpr int kWidth = 13, kHeight = 9, kVoidColumn = 6;
    std::vector<float> heights = noise(kWidth, kHeight, 100, 4);
    double means[2] = {};
    for (int i = 0; i < kWidth * kHeight; ++i)
        if (i % kWidth == kVoidColumn)
            heights[std::size_t(i)] = std::numeric_limits<float>::quiet_NaN();
        else
            means[i % kWidth > kVoidColumn] += double(heights[std::size_t(i)]) / (kVoidColumn * kHeight);
    TerrainModel model = modelOf(heights, kWidth, kHeight, 1);
    EXPECT_LE(stepped(model, {.creep = 1e6}, 1e7).balance.imbalance(), 1e-6);
    for (int i = 0; i < kWidth * kHeight; ++i)
    {
        if (i % kWidth == kVoidColumn) continue;
        EXPECT_NEAR(model.heightAt(std::size_t(i)), means[i % kWidth > kVoidColumn], 1e-4) << i;
    }
}

TEST(TerrainModel, KeepsChangesThatOneFloatWouldLose)
{
    TerrainModel model = modelOf(std::vector<float>(100, 2000.0f), 10, 10);
    for (int year = 0; year < 1000; ++year)
        stepped(model, {.uplift = 1e-5}, 1);  // a tenth of a step of a float at 2,000 m
    EXPECT_NEAR(model.heightAt(55), 2000.01, 1e-7);
    EXPECT_NEAR(model.balance().uplifted, 0.01 * 100 * 900, 1e-6);
}

// Uplifted volume stays or leaves.
TEST(TerrainModel, BalancesItsVolumes)
{
    for (unsigned seed = 0; seed < 6; ++seed)
    {
        std::vector<float> heights = noise(60, 45, 900, seed);
        for (std::size_t i = 0; i < heights.size(); i += 97)
            heights[i] = std::numeric_limits<float>::quiet_NaN();
        TerrainModel model = modelOf(heights, 60, 45);
        const ModelRates rates{.creep = 0.3, .incision = seed % 2 ? 2e-5 : 0, .uplift = 1e-3, .repose = 35};
        for (int i = 0; i < 5; ++i)
        {
            const ModelStep step = stepped(model, rates, 700);
            EXPECT_GT(step.largestChange, 0);
            EXPECT_LE(step.balance.imbalance(), 1e-6) << seed << ' ' << i;
        }
        double change = 0;
        for (std::size_t i = 0; i < heights.size(); ++i)
        {
            ASSERT_EQ(std::isnan(heights[i]), std::isnan(model.heights()[i]));
            if (!std::isnan(heights[i])) change += (model.heightAt(i) - double(heights[i])) * 900;
        }
        EXPECT_NEAR(change, model.balance().change, 1e-9 * model.balance().moved());
        EXPECT_GT(model.balance().failed, 0);
        EXPECT_GT(model.balance().crept, 0);
        EXPECT_EQ(model.balance().cut > 0, seed % 2 == 1);
        EXPECT_EQ(model.balance().left > 0, seed % 2 == 1);
    }
}

// In a steady state uplift equals incision, U = K sqrt(A) S: slopes fall with the square root of the drained area.
TEST(TerrainModel, RiversReachTheSlopesOfStreamPower)
{
    constexpr int kSide = 96;
    constexpr double kSpacing = 100, kUplift = 1e-3, kIncision = 1e-5;
    TerrainModel model = modelOf(noise(kSide, kSide, 1, 4), kSide, kSide, kSpacing);
    double last = 1e9;
    for (int i = 0; i < 400 && last > 1e-9; ++i)
        last = stepped(model, {.incision = kIncision, .uplift = kUplift}, 2e5).largestChange;
    ASSERT_LE(last, 1e-6);
    Drainage drainage;
    ThreadPool pool(1);
    std::vector<double> h;
    for (std::size_t i = 0; i < model.heights().size(); ++i)
        h.push_back(model.heightAt(i));
    drainage.route({h, model.kinds(), kSide, kSide, kSpacing, kSpacing}, pool);
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (const std::uint32_t cell : drainage.order())
    {
        const std::uint32_t to = drainage.receivers()[cell];
        if (to == cell) continue;
        const double area = double(drainage.cells()[cell]) * kSpacing * kSpacing;
        const double slope = (h[cell] - h[to]) / drainage.distance(cell);
        ASSERT_NEAR(slope * kIncision * std::sqrt(area) / kUplift, 1, 0.01) << cell;
        const double x = std::log(area), y = std::log(slope);
        n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    EXPECT_NEAR((n * sxy - sx * sy) / (n * sxx - sx * sx), -0.5, 0.01);
}

TEST(TerrainModel, SlopesFailDownToTheAngleOfRepose)
{
    std::vector<float> heights(41 * 41, 0.0f);
    heights[20 * 41 + 20] = 900;  // a needle
    TerrainModel model = modelOf(heights, 41, 41, 10);
    ModelStep step;
    for (int i = 0; i < 200 && (i == 0 || step.unstable > 0); ++i)
        step = stepped(model, {.repose = 30}, 1);
    EXPECT_EQ(step.unstable, 0u);
    const double steepest = std::tan(30 * std::numbers::pi / 180) * 10 + 1e-2;
    double volume = 0;
    for (int y = 0; y < 41; ++y)
        for (int x = 0; x < 41; ++x)
        {
            const double here = model.heightAt(std::size_t(y * 41 + x));
            volume += here;
            const double west = x > 0 ? model.heightAt(std::size_t(y * 41 + x - 1)) : here;
            const double north = y > 0 ? model.heightAt(std::size_t(y * 41 + x - 41)) : here;
            EXPECT_LE(std::max(std::abs(here - west), std::abs(here - north)), steepest);
        }
    EXPECT_NEAR(volume, 900, 1e-9);
    EXPECT_LT(model.heightAt(20 * 41 + 20), 100);
}

TEST(TerrainModel, HasEqualBitsForAnyNumberOfThreads)
{
    const std::vector<float> heights = noise(120, 77, 500, 8);
    TerrainModel one = modelOf(heights, 120, 77), three = modelOf(heights, 120, 77);
    ThreadPool single(1), several(3);
    const ModelRates rates{.creep = 5, .incision = 1e-5, .uplift = 1e-3, .repose = 40};
    for (int i = 0; i < 4; ++i)
    {
        ASSERT_TRUE(one.step(rates, 500, single));
        ASSERT_TRUE(three.step(rates, 500, several));
    }
    EXPECT_TRUE(std::ranges::equal(one.heights(), three.heights()));
    EXPECT_TRUE(std::ranges::equal(one.remainders(), three.remainders()));
}

TEST(TerrainModel, StaysAsItIsIfAStepFails)
{
    const std::vector<float> heights = noise(30, 30, 500, 8);
    TerrainModel model = modelOf(heights, 30, 30);
    ThreadPool pool(1);
    EXPECT_EQ(model.step({.creep = -1}, 1, pool).error().code, ExitCode::kUsage);
    EXPECT_EQ(model.step({.creep = 1}, 0, pool).error().code, ExitCode::kUsage);
    EXPECT_EQ(model.step({.repose = 0}, 1, pool).error().code, ExitCode::kUsage);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(model.step({.creep = 1, .uplift = 1}, 1, pool, stop.get_token()).error().code, ExitCode::kInterrupted);
    EXPECT_TRUE(std::ranges::equal(model.heights(), heights));
    EXPECT_EQ(model.balance().years, 0);
    EXPECT_EQ(TerrainModel::create(std::vector<float>(4, 0.0f), 2, 2, 1, 1).error().code, ExitCode::kInput);
    EXPECT_EQ(TerrainModel::create(std::vector<float>(25, std::numeric_limits<float>::quiet_NaN()), 5, 5, 1, 1)
                  .error()
                  .message,
              "terrain model: found no height in any sample, expected at least one");
    std::vector<float> infinite(25, 0.0f);
    infinite[7] = std::numeric_limits<float>::infinity();
    EXPECT_EQ(TerrainModel::create(infinite, 5, 5, 1, 1).error().message,
              "terrain model: column 2, row 1: found an infinite height, expected a finite one");
}

}  // namespace
}  // namespace orogen::compute
