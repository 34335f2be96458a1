#include "compute/voids/void_filling.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/raster_files.h"

namespace orogen {
namespace {

// Returns 10 x 10 samples of 50 m, the first of them `first`, with voids at 44 and 45.
Raster holed(int first)
{
    std::vector<int> values(100, 50);
    values[44] = values[45] = -32768;
    values[0] = first;
    Result<Raster> raster = test::readBytes("a_10x10.raw", test::samplesOf<std::int16_t>(values));
    EXPECT_TRUE(raster);
    EXPECT_EQ(raster->voids, 2u);
    return std::move(*raster);
}

TEST(FilledVoids, KeepWhatIsKnown)
{
    const Raster raster = holed(60);
    const Raster filled = withVoidsFilled(raster, std::array{52.0, 53.0});
    EXPECT_EQ(filled.voids, 0u);
    EXPECT_EQ(filled.heights[44], 52.0f);
    EXPECT_EQ(filled.heights[45], 53.0f);
    for (std::size_t i = 0; i < filled.heights.size(); ++i)
        EXPECT_TRUE(i == 44 || i == 45 || filled.heights[i] == raster.heights[i]) << i;
}

TEST(FilledVoids, AreWholeMetresWhereTheKnownHeightsAre)
{
    Raster raster = holed(60);
    EXPECT_EQ(withVoidsFilled(raster, std::array{52.4, 52.5}).heights[44], 52.0f);
    EXPECT_EQ(withVoidsFilled(raster, std::array{52.4, 52.5}).heights[45], 53.0f);
    raster.heights[1] = 50.25f;
    EXPECT_EQ(withVoidsFilled(raster, std::array{52.4, 52.5}).heights[44], 52.4f);
}

TEST(FilledVoids, StayBetweenTheKnownHeights)
{
    const Raster filled = withVoidsFilled(holed(60), std::array{49.0, 61.0});
    EXPECT_EQ(filled.heights[44], 50.0f);
    EXPECT_EQ(filled.heights[45], 60.0f);
}

TEST(FilledVoids, InAFieldKeepWhatIsKnownAtAFinerStep)
{
    const HeightField field = quantise(holed(3000));
    const HeightField filled = withVoidsFilled(field, std::array{52.3, 1000.8});
    EXPECT_TRUE(filled.voidMask.empty());
    EXPECT_EQ(filled.scale, 1.0f / 16.0f);
    EXPECT_NEAR(filled.at(4, 4), 52.3, 1.0 / 32);
    EXPECT_NEAR(filled.at(5, 4), 1000.8, 1.0 / 32);
    for (int i = 0; i < 100; ++i)
        EXPECT_TRUE(i == 44 || i == 45 || filled.at(i % 10, i / 10) == field.at(i % 10, i / 10)) << i;
}

TEST(FilledVoids, KeepTheStepOfAFieldThatHasNoRoomForAFinerOne)
{
    const HeightField field = quantise(holed(32'767));  // 32,717 steps
    const HeightField filled = withVoidsFilled(field, std::array{60.6, 32'700.0});
    EXPECT_EQ(filled.scale, 0.5f);
    EXPECT_EQ(filled.at(4, 4), 60.5f);
    EXPECT_EQ(filled.at(5, 4), 32'700.0f);
    EXPECT_EQ(filled.at(0, 0), 32'767.0f);
}

TEST(FilledVoids, AFieldTellsItsKnownHeights)
{
    const std::vector<float> heights = knownHeights(quantise(holed(60)));
    for (std::size_t i = 0; i < heights.size(); ++i)
        EXPECT_TRUE(i == 44 || i == 45 ? std::isnan(heights[i]) : heights[i] == (i == 0 ? 60.0f : 50.0f)) << i;
}

}  // namespace
}  // namespace orogen
