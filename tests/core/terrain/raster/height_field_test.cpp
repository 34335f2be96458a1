// GPU data of a height field: codes that reproduce the heights, and voids filled without seams.
#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "core/terrain/raster/height_field.h"

namespace orogen {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// Returns a raster as a reader would.
Raster rasterOf(int width, int height, std::vector<float> heights)
{
    Raster raster;
    raster.width = width;
    raster.height = height;
    raster.heights = std::move(heights);
    raster.minHeight = 1e30f, raster.maxHeight = -1e30f;
    for (const float h : raster.heights)
        if (std::isnan(h))
            ++raster.voids;
        else
            raster.minHeight = std::min(raster.minHeight, h), raster.maxHeight = std::max(raster.maxHeight, h);
    if (raster.voids == raster.heights.size()) raster.minHeight = raster.maxHeight = 0;
    return raster;
}

TEST(HeightField, WholeMetresAreExact)
{
    for (const auto& [low, span] : {std::pair{-11'000, 19'848}, {0, 65'535}, {-32'767, 65'534}, {5, 1}})
    {
        SCOPED_TRACE(span);
        const std::vector<float> heights = {float(low), float(low + span), float(low + span / 2),
                                            float(low + span / 3)};
        const HeightField field = quantise(rasterOf(2, 2, heights));
        EXPECT_EQ(field.scale, 1.0f);
        EXPECT_EQ(field.offset, float(low));
        EXPECT_EQ(field.maxQuantisationError(), 0.0f);
        for (int i = 0; i < 4; ++i)
            EXPECT_EQ(field.at(i % 2, i / 2), heights[std::size_t(i)]);
    }
}

TEST(HeightField, BinaryFractionsOfAMetreAreExact)
{
    for (const float step : {0.5f, 0.25f, 0.125f, 0.0625f})
    {
        SCOPED_TRACE(step);
        const std::vector<float> heights = {-100.0f, -100.0f + step, 200.0f, -100.0f + 65535 * step};
        const HeightField field = quantise(rasterOf(2, 2, heights));
        EXPECT_EQ(field.scale, step);
        EXPECT_EQ(field.maxQuantisationError(), 0.0f);
        for (int i = 0; i < 4; ++i)
            EXPECT_EQ(field.at(i % 2, i / 2), heights[std::size_t(i)]);
        // One step more than the codes can represent.
        EXPECT_GT(quantise(rasterOf(2, 2, {0, step, 65536 * step, 0})).maxQuantisationError(), 0.0f);
    }
}

TEST(HeightField, OtherHeightsAreOffByHalfAStepAtMost)
{
    for (unsigned seed = 0; seed < 50; ++seed)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        std::mt19937 random(seed);
        std::uniform_real_distribution<float> height(-500.0f, -499.0f + float(seed) * 300.0f);
        std::vector<float> heights(100);
        for (float& h : heights)
            h = height(random);
        const HeightField field = quantise(rasterOf(10, 10, heights));
        // 65535 steps from the lowest to the highest, up to the rounding of floats.
        const auto [least, most] = std::minmax_element(heights.begin(), heights.end());
        EXPECT_NEAR(field.scale, (*most - *least) / 65535, 1e-4f * field.scale);
        for (std::size_t i = 0; i < 100; ++i)
        {
            const double back = double(field.offset) + double(field.scale) * field.codes[i];
            ASSERT_LE(std::fabs(back - double(heights[i])), double(field.maxQuantisationError()) * 1.01) << i;
        }
    }
}

TEST(HeightField, SpansOfMoreThan65535MetresAreScaled)
{
    const HeightField field = quantise(rasterOf(2, 2, {0, 65'536, 1, 2}));
    EXPECT_GT(field.maxQuantisationError(), 0.5f);
    EXPECT_NEAR(field.at(1, 0), 65'536.0f, 0.01f);
    // A span of 65535 metres gives a step of one metre, but the samples are not whole metres.
    EXPECT_EQ(quantise(rasterOf(2, 2, {0, 65'535, 0.5f, 2})).maxQuantisationError(), 0.5f);
}

TEST(HeightField, FlatRastersKeepTheirHeight)
{
    const HeightField field = quantise(rasterOf(2, 2, {7.25f, 7.25f, 7.25f, 7.25f}));
    EXPECT_EQ(field.at(1, 1), 7.25f);
    EXPECT_EQ(field.maxQuantisationError(), 0.0f);
    const HeightField tiny = quantise(rasterOf(2, 2, {0, 1e-44f, 0, 0}));
    EXPECT_GT(tiny.scale, 0.0f);
    EXPECT_LT(tiny.at(1, 0), 1e-30f);
}

// A scale of 0 would hold these heights, but code them as 0 / 0.
TEST(HeightField, CodesOfALevelAtZeroHaveRoomToo)
{
    const std::vector<float> level(4, 0.0f);
    const HeightField field = encodedField(level, quantise(rasterOf(2, 2, level)), nullptr);
    EXPECT_GT(field.scale, 0.0f);
    EXPECT_LT(field.offset, 0.0f);
    EXPECT_NEAR(field.at(1, 1), 0.0f, field.scale);
}

TEST(HeightField, VoidsAreMarkedAndAllVoidsAreFlat)
{
    const HeightField some = quantise(rasterOf(2, 2, {1, kNan, 3, 4}));
    EXPECT_EQ(some.voidMask, (std::vector<std::uint8_t>{0, 255, 0, 0}));
    EXPECT_EQ(some.at(0, 1), 3.0f);
    const HeightField none = quantise(rasterOf(3, 2, std::vector<float>(6, kNan)));
    EXPECT_EQ(none.voidMask, std::vector<std::uint8_t>(6, 255));
    EXPECT_EQ(none.at(2, 1), 0.0f);
}

// A plane solves Laplace's equation, so a hole in it must be filled with the plane.
TEST(FillVoids, PutsAPlaneBackIntoAHole)
{
    const int n = 90;
    for (const int hole : {1, 2, 7, 30})
    {
        SCOPED_TRACE(hole);
        std::vector<float> heights(std::size_t(n * n));
        const auto plane = [](int x, int y) { return 3.0f * float(x) - 2.0f * float(y) + 500.0f; };
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < n; ++x)
            {
                const bool inside = x >= 31 && x < 31 + hole && y >= 22 && y < 22 + hole;
                heights[std::size_t(y * n + x)] = inside ? kNan : plane(x, y);
            }
        fillVoids(heights, n, n);
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < n; ++x)
                ASSERT_NEAR(heights[std::size_t(y * n + x)], plane(x, y), 0.05f * 5.0f * float(hole)) << x << ' ' << y;
    }
}

TEST(FillVoids, NeverLeavesTheKnownHeightsAndKeepsThem)
{
    for (unsigned seed = 0; seed < 60; ++seed)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        std::mt19937 random(seed);
        const int width = 1 + int(random() % 50), height = 1 + int(random() % 50);
        std::vector<float> heights(std::size_t(width * height));
        std::uniform_real_distribution<float> any(-100.0f, 100.0f);
        const auto share = random() % 100;
        for (float& h : heights)
            h = random() % 100 < share ? kNan : any(random);
        heights[random() % heights.size()] = 1.0f;
        const std::vector<float> before = heights;
        fillVoids(heights, width, height);
        float least = 1e30f, most = -1e30f;
        for (const float h : before)
            if (!std::isnan(h)) least = std::min(least, h), most = std::max(most, h);
        for (std::size_t i = 0; i < heights.size(); ++i)
        {
            ASSERT_TRUE(std::isnan(before[i]) || heights[i] == before[i]);
            ASSERT_GE(heights[i], least - 1e-3f);
            ASSERT_LE(heights[i], most + 1e-3f);
        }
    }
}

// Neighbours, at least one of them filled, differ by no more than the range of the rim.
TEST(FillVoids, LeavesNoSeamAndNoSpike)
{
    const int n = 120;
    std::vector<float> heights(std::size_t(n * n)), original;
    for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x)
            heights[std::size_t(y * n + x)] = 300.0f * std::sin(float(x) / 20) + 200.0f * std::cos(float(y) / 14);
    original = heights;
    float largest = 0;
    for (int y = 0; y < n; ++y)
        for (int x = 0; x + 1 < n; ++x)
            largest =
                std::max(largest, std::fabs(original[std::size_t(y * n + x)] - original[std::size_t(y * n + x + 1)]));
    const auto hollow = [](int x, int y) {
        return (x - 50) * (x - 50) + (y - 70) * (y - 70) < 900 || (x > 100 && y < 40);
    };
    for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x)
            if (hollow(x, y)) heights[std::size_t(y * n + x)] = kNan;
    fillVoids(heights, n, n);
    for (int y = 0; y + 1 < n; ++y)
        for (int x = 0; x + 1 < n; ++x)
        {
            const float h = heights[std::size_t(y * n + x)];
            ASSERT_LT(std::fabs(h - heights[std::size_t(y * n + x + 1)]), 2.5f * largest) << x << ' ' << y;
            ASSERT_LT(std::fabs(h - heights[std::size_t((y + 1) * n + x)]), 2.5f * largest) << x << ' ' << y;
        }
}

TEST(HeightField, HeightAtIsThatOfTheRaster)
{
    std::mt19937 random(11);
    std::vector<float> heights(35);
    for (float& h : heights)
        h = float(random() % 1000);
    Raster raster = rasterOf(7, 5, heights);
    raster.pixelWidth = 12, raster.pixelHeight = 30;  // not square: the aspect ratio must stay
    const HeightField field = quantise(raster);
    std::uniform_real_distribution<double> x(-50, 50), y(-80, 80);
    for (int i = 0; i < 1000; ++i)
    {
        const double east = x(random), north = y(random);
        ASSERT_NEAR(heightAt(field, east, north), heightAt(raster, east, north), 1e-3) << east << ' ' << north;
    }
}

}  // namespace
}  // namespace orogen
