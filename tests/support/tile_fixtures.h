// Terrains in tiles, views of them, and sources that go wrong, for tests.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "core/terrain/raster/raster_making.h"
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

// Looking north and a little down, 90 degrees wide and high.
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

}  // namespace orogen::test
