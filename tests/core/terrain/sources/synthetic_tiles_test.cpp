#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "core/terrain/sources/synthetic_tiles.h"
#include "tests/support/random.h"

namespace orogen {
namespace {

using namespace orogen::test;

class SyntheticTilesTest : public testing::Test
{
protected:
    void open(const std::string& dem)
    {
        Result<std::shared_ptr<const TileSource>> opened = openSyntheticTiles(dem);
        ASSERT_TRUE(opened) << opened.error().message;
        source_ = *opened;
        reader_ = std::move(*source_->openReader());
    }
    std::vector<float> read(const TileWindow& window)
    {
        std::vector<float> out(std::size_t(window.width) * std::size_t(window.height));
        EXPECT_TRUE(reader_->read(window, out));
        return out;
    }

    std::shared_ptr<const TileSource> source_;
    std::unique_ptr<TileReader> reader_;
};

TEST_F(SyntheticTilesTest, HaveTheSameSamplesInEveryWindowOfEveryLevel)
{
    open("synthetic:131072:5");
    Random random(3);
    for (int i = 0; i < 60; ++i)
    {
        const int level = random.between(0, source_->grid().levels() - 1);
        const int column = random.between(-3, TileGrid::samplesOf(131'072, level) - 1);
        const int row = random.between(-3, TileGrid::samplesOf(131'072, level) - 1);
        const std::vector<float> window = read({level, column, row, 6, 5});
        for (int r = 0; r < 5; ++r)
            for (int c = 0; c < 6; ++c)
            {
                const auto finest = [&](int at) {
                    return std::clamp(std::int64_t(at) << level, std::int64_t(0), std::int64_t(131'071));
                };
                const std::vector<float> sample = read({0, int(finest(column + c)), int(finest(row + r)), 1, 1});
                ASSERT_EQ(window[std::size_t(r * 6 + c)], sample[0]) << level << ' ' << column + c << ' ' << row + r;
            }
    }
}

// Compares samples of the finest surface in a tile with the surface of the tile's level.
TEST_F(SyntheticTilesTest, KeepTheirBounds)
{
    open("synthetic:262144:2");
    Random random(4);
    double tightest = 1e9;
    for (int i = 0; i < 40; ++i)
    {
        const int level = i % 4;
        const TileGrid grid = source_->grid();
        TileKey key{level, random.between(0, grid.columns(level) - 1), random.between(0, grid.rows(level) - 1)};
        if (i % 9 == 0) key.x = grid.columns(level) - 1;
        const TileBounds bounds = *source_->bounds(key);
        const int step = 1 << level, first = key.x * kTileCells, firstRow = key.y * kTileCells;
        const std::vector<float> coarse = read({level, first, firstRow, kTileSide, kTileSide});
        const int side = std::min(kTileCells * step + 1, 262'144 - first * step);
        const int rows = std::min(kTileCells * step + 1, 262'144 - firstRow * step);
        const std::vector<float> fine = read({0, first * step, firstRow * step, side, rows});
        float lowest = fine[0], highest = fine[0];
        double deviation = 0;
        for (int r = 0; r < rows; ++r)
            for (int c = 0; c < side; ++c)
            {
                const float height = fine[std::size_t(r) * std::size_t(side) + std::size_t(c)];
                lowest = std::min(lowest, height), highest = std::max(highest, height);
                const int x = std::min(c / step, kTileCells - 1), y = std::min(r / step, kTileCells - 1);
                const double u = double(c - x * step) / step, v = double(r - y * step) / step;
                const float* at = coarse.data() + y * kTileSide + x;
                const double surface = (1 - v) * ((1 - u) * double(at[0]) + u * double(at[1])) +
                                       v * ((1 - u) * double(at[kTileSide]) + u * double(at[kTileSide + 1]));
                deviation = std::max(deviation, std::fabs(surface - double(height)));
            }
        EXPECT_GE(lowest, bounds.lowest);
        EXPECT_LE(highest, bounds.highest);
        EXPECT_LE(deviation, double(bounds.deviation)) << level << ' ' << key.x << ' ' << key.y;
        if (deviation > 0) tightest = std::min(tightest, double(bounds.deviation) / deviation);
    }
    EXPECT_LT(tightest, 8);  // loose, but useful
}

TEST_F(SyntheticTilesTest, HaveMountainsPlainsAndLevelSea)
{
    open("synthetic:131072");
    const std::vector<float> heights = read({7, 0, 0, 1024, 1024});
    EXPECT_GT(*std::max_element(heights.begin(), heights.end()), 700);
    const auto sea = std::count(heights.begin(), heights.end(), 0.0f);
    EXPECT_GT(sea, 20'000);
    EXPECT_LT(sea, 700'000);
}

TEST(SyntheticTileNames, AreRefusedWithTheRange)
{
    const Result<std::shared_ptr<const TileSource>> source = openSyntheticTiles("synthetic:262145");
    ASSERT_FALSE(source);
    EXPECT_EQ(source.error().code, ExitCode::kUsage);
    EXPECT_NE(source.error().message.find("2 to 262144"), std::string::npos) << source.error().message;
}

}  // namespace
}  // namespace orogen
