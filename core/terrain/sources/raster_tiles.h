// Tile source for a raster in memory.
#pragma once

#include <memory>

#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

// Returns a source that keeps the heights. It has bounds for every tile, computed with voids filled as by
// TileMaker. Slopes of coarse levels are means of the finest level's, as in mipmaps. O(samples * levels) on all
// processors. Memory in addition to the raster: 1.4 bytes per sample; during construction 5.4 more if there are voids.
std::shared_ptr<const TileSource> rasterTiles(Raster raster);

}  // namespace orogen
