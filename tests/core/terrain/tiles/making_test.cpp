#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "core/terrain/tiles/overview.h"
#include "core/terrain/tiles/tile.h"
#include "tests/support/random.h"
#include "tests/support/tile_fixtures.h"

namespace orogen {
namespace {

using namespace orogen::test;

// Makes all tiles of a source, the coarsest first.
std::map<TileKey, std::shared_ptr<const Tile>> makeAll(const TileSource& source)
{
    std::map<TileKey, std::shared_ptr<const Tile>> tiles;
    const auto reader = std::move(*source.openReader());
    TileMaker maker(source);
    const TileGrid grid = source.grid();
    for (int level = grid.levels() - 1; level >= 0; --level)
        for (int y = 0; y < grid.rows(level); ++y)
            for (int x = 0; x < grid.columns(level); ++x)
            {
                const TileKey key{level, x, y};
                const auto parent = tiles.find(key.parent());
                tiles[key] = *maker.make(*reader, key, parent == tiles.end() ? nullptr : parent->second.get());
            }
    return tiles;
}

float heightIn(const Tile& tile, int column, int row)
{
    return tile.heights[std::size_t(row) * kTileSide + std::size_t(column)];
}

// Returns hills with a lake of voids across tile corners, and scattered voids.
Raster hillsWithVoids()
{
    Raster raster = hills(600, 450);
    Random random(5);
    for (int y = 0; y < raster.height; ++y)
        for (int x = 0; x < raster.width; ++x)
            if (std::hypot(x - 256, y - 128) < 60 || (x > 570 && y > 400) || random.chance(1, 40))
                raster.heights[std::size_t(y * raster.width + x)] = kVoid;
    finishRaster(raster, "voids");
    return raster;
}

TEST(TileMaking, GivesNeighboursTheSameHeightsWhereTheyMeetAndCoarseSamplesThoseOfFineOnes)
{
    const Raster raster = hillsWithVoids();
    const auto source = rasterTiles(raster);
    const auto tiles = makeAll(*source);
    for (const auto& [key, tile] : tiles)
    {
        const auto east = tiles.find({key.level, key.x + 1, key.y}), south = tiles.find({key.level, key.x, key.y + 1});
        const auto parent = tiles.find(key.parent());
        for (int i = 0; i < kTileSide; ++i)
        {
            ASSERT_TRUE(east == tiles.end() || heightIn(*tile, kTileCells, i) == heightIn(*east->second, 0, i));
            ASSERT_TRUE(south == tiles.end() || heightIn(*tile, i, kTileCells) == heightIn(*south->second, i, 0));
        }
        for (int r = 0; parent != tiles.end() && r < kTileSide; r += 2)
            for (int c = 0; c < kTileSide; c += 2)
                ASSERT_EQ(heightIn(*tile, c, r), heightIn(*parent->second, (key.x & 1) * kTileCells / 2 + c / 2,
                                                          (key.y & 1) * kTileCells / 2 + r / 2));
        for (const float height : tile->heights)
            ASSERT_TRUE(height >= raster.minHeight && height <= raster.maxHeight);
    }
}

// Compares each tile's bounds with the finest surface.
TEST(TileMaking, BoundsOfARasterAreExact)
{
    const Raster raster = hillsWithVoids();
    const auto source = rasterTiles(raster);
    const auto tiles = makeAll(*source);
    Raster filled = raster;
    for (int y = 0; y < raster.height; ++y)
        for (int x = 0; x < raster.width; ++x)
            filled.heights[std::size_t(y * raster.width + x)] =
                heightIn(*tiles.at({0, x / kTileCells, y / kTileCells}), x % kTileCells, y % kTileCells);
    for (const auto& [key, tile] : tiles)
    {
        const int step = 1 << key.level, x0 = key.x * kTileCells * step, y0 = key.y * kTileCells * step;
        float lowest = 1e9f, highest = -1e9f, deviation = 0;
        for (int y = y0; y <= std::min(y0 + kTileCells * step, raster.height - 1); ++y)
            for (int x = x0; x <= std::min(x0 + kTileCells * step, raster.width - 1); ++x)
            {
                const double c = double(x - x0) / step, r = double(y - y0) / step;
                const int i = std::min(int(c), kTileCells - 1), j = std::min(int(r), kTileCells - 1);
                const auto at = [&](int dx, int dy) { return double(heightIn(*tile, i + dx, j + dy)); };
                const double top = std::lerp(at(0, 0), at(1, 0), c - i), bottom = std::lerp(at(0, 1), at(1, 1), c - i);
                const float height = filled.at(x, y);
                deviation = std::max(deviation, float(std::fabs(std::lerp(top, bottom, r - j) - double(height))));
                lowest = std::min(lowest, height), highest = std::max(highest, height);
            }
        ASSERT_TRUE(tile->boundsKnown);
        ASSERT_NEAR(tile->bounds.deviation, deviation, 2e-3) << key.level << ' ' << key.x << ' ' << key.y;
        ASSERT_EQ(tile->bounds.lowest, lowest);
        ASSERT_EQ(tile->bounds.highest, highest);
    }
}

TEST(TileMaking, SlopesAreThoseOfTheSamplesAndInCoarseLevelsTheirMeans)
{
    Raster plane = hills(300, 300);
    for (int y = 0; y < 300; ++y)
        for (int x = 0; x < 300; ++x)
            plane.heights[std::size_t(y * 300 + x)] = float(3 * x - 5 * y) + (x % 2 ? 7.0f : 0.0f);
    finishRaster(plane, "plane");
    for (const auto& [key, tile] : makeAll(*rasterTiles(plane)))
        for (int i = 0; i < 40; ++i)
        {
            const std::size_t at = 2 * (std::size_t(i + 1) * kTileSide + 1 + std::size_t(i));
            // Differences are one-sided at the border.
            const auto inside = [&](int place) {
                const int sample = (place * kTileCells + i + 1) << key.level;
                return sample >= 8 && sample < 290;
            };
            if (!inside(key.x) || !inside(key.y)) continue;
            EXPECT_NEAR(floatOfHalf(tile->slopes[at]), 0.3, 1e-3) << key.level;
            EXPECT_NEAR(floatOfHalf(tile->slopes[at + 1]), 0.5, 1e-3) << key.level;
        }
}

TEST(HalfFloats, AreTheNearestAndThoseAboveAreNoLess)
{
    Random random(7);
    for (int i = 0; i < 100'000; ++i)
    {
        const float value = float(std::ldexp(random.unit(), random.between(-26, 16)));
        const float nearest = floatOfHalf(halfOf(value)), above = floatOfHalf(halfAbove(value));
        ASSERT_LE(std::fabs(nearest - value), std::max(value * 0x1p-11f, 0x1p-25f)) << value;
        ASSERT_EQ(floatOfHalf(halfOf(-value)), -nearest);
        ASSERT_GE(above, value);
        ASSERT_LE(above - value, std::max(value * 0x1p-10f, 0x1p-24f)) << value;
    }
    EXPECT_EQ(floatOfHalf(halfOf(1e9f)), kLargestHalf);
}

TEST(Overview, HasTheExtentAndTheHeightsOfTheWhole)
{
    const Raster raster = hills(2600, 1111, 8);
    const Result<Raster> overview = readOverview(*rasterTiles(raster));
    ASSERT_TRUE(overview);
    EXPECT_EQ(overview->width, kOverviewSide);
    EXPECT_NEAR(overview->east(), raster.east(), 1e-9 * raster.east());
    EXPECT_NEAR(overview->north(), raster.north(), 1e-9 * raster.north());
    Random random(1);
    for (int i = 0; i < 200; ++i)
    {
        const int c = random.between(0, overview->width - 1), r = random.between(0, overview->height - 1);
        const double east = c * overview->pixelWidth - raster.east() / 2;
        const double north = raster.north() / 2 - r * overview->pixelHeight;
        EXPECT_NEAR(overview->at(c, r), heightAt(raster, east, north), 6);
    }
    EXPECT_EQ(overview->at(0, 0), raster.at(0, 0));
    EXPECT_NEAR(overview->at(overview->width - 1, overview->height - 1), raster.at(2599, 1110), 6);
}

TEST(Overview, OfASmallRasterIsTheRaster)
{
    const Raster raster = hillsWithVoids();
    const Result<Raster> overview = readOverview(*rasterTiles(raster));
    ASSERT_TRUE(overview);
    EXPECT_EQ(overview->voids, raster.voids);
    for (std::size_t i = 0; i < raster.heights.size(); ++i)
        ASSERT_TRUE(overview->heights[i] == raster.heights[i] || std::isnan(raster.heights[i]));
}

}  // namespace
}  // namespace orogen
