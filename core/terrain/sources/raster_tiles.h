// Tile source for a raster in memory.
#pragma once

#include <memory>

#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

// Returns a source that keeps the heights. It has exact bounds for every tile, of the surface with voids filled as by
// TileMaker, and slopes of coarse levels: means of the finest level's, as in mipmaps. O(samples * levels) on all
// processors. Memory: 1.4 bytes per sample more, and 5.4 during construction if there are voids.
std::shared_ptr<const TileSource> rasterTiles(Raster raster);

}  // namespace orogen
