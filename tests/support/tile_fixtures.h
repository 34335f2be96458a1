// Tiled terrains, views of them, and faulty sources, for tests.
#pragma once

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/terrain/raster/raster.h"
#include "core/terrain/sources/raster_tiles.h"
#include "core/terrain/synthetic/noise.h"
#include "core/terrain/tiles/tile_cache.h"

namespace orogen::test {

// Hills of whole metres, 0 to about 400 m.
inline Raster hills(int width, int height, double pixel = 10, std::uint32_t seed = 1)
{
    Raster raster;
    raster.width = width, raster.height = height;
    raster.pixelWidth = raster.pixelHeight = pixel;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            raster.heights.push_back(std::round(200 + 150 * fractalNoise(float(x) / 90, float(y) / 90, 5, seed)));
    finishRaster(raster, "hills");
    return raster;
}

// Returns a level view to the north, with 90 degrees field of view both ways.
inline TileView viewFrom(glm::dvec3 position, double pixelsPerRadian = 600)
{
    TileView view;
    view.position = position;
    view.pixelsPerRadian = pixelsPerRadian;
    const float r = std::sqrt(0.5f);
    view.planes = {glm::vec4(r, r, 0, 0), glm::vec4(-r, r, 0, 0), glm::vec4(0, r, r, 0), glm::vec4(0, r, -r, 0),
                   glm::vec4(0, 1, 0, -0.1f)};
    return view;
}

inline constexpr std::uint64_t kSmallBudget = 100 * kTileBytes;

inline std::unique_ptr<TileCache> cacheOf(std::shared_ptr<const TileSource> source, std::uint64_t budget = kSmallBudget,
                                          int threads = 2)
{
    Result<std::unique_ptr<TileCache>> cache = TileCache::create(std::move(source), budget, threads);
    return cache ? std::move(*cache) : nullptr;
}

// Applies the uploads of update() and checks the slots: each is below the budget's number and holds one tile.
inline void expectConsistent(const TileCache& cache, std::map<int, TileKey>& inSlot)
{
    for (const TileUpload& upload : cache.uploads())
    {
        ASSERT_GE(upload.slot, 0);
        ASSERT_LT(upload.slot, cache.slots());
        inSlot[upload.slot] = upload.tile->key;
    }
    std::map<TileKey, float> weights;
    for (const ActiveTile& tile : cache.active())
    {
        ASSERT_EQ(inSlot[tile.slot], tile.key);
        const auto parent = weights.find(tile.key.parent());
        ASSERT_TRUE(parent == weights.end() || parent->second == 1.0f);
        weights[tile.key] = tile.weight;
    }
    const TileStats stats = cache.stats();
    ASSERT_LE(stats.residentBytes, stats.budgetBytes);
    ASSERT_LE(stats.resident, stats.capacity);
}

}  // namespace orogen::test
