#include "app/session/picture_scene.h"

#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include <gtest/gtest.h>

#include "core/terrain/tiles/tile_grid.h"
#include "tests/support/tile_fixtures.h"

namespace orogen::app {
namespace {

// Without a tile, the coarsest level counts.
TEST(PlaneScene, SamplesOfTilesHaveTheLargerSpacing)
{
    const HeightField overview;
    const std::optional<TerrainGeography> geography;
    for (const auto& [width, height] : {std::pair(10, 30), std::pair(30, 10)})
    {
        Raster raster = test::hills(300, 200);
        raster.pixelWidth = width;
        raster.pixelHeight = height;
        const std::unique_ptr<TileCache> tiles = test::cacheOf(rasterTiles(raster));
        ASSERT_TRUE(tiles);
        const PlaneScene scene(overview, raster, tiles.get(), 9'000, geography);
        EXPECT_EQ(scene.samplesAt({}), std::ldexp(30.0, TileGrid(300, 200).levels() - 1));
    }
}

}  // namespace
}  // namespace orogen::app
