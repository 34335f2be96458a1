// A raster in memory as a source of tiles.
#pragma once

#include <memory>

#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

// Keeps the heights, and knows of every tile the exact bounds of the surface as TileMaker fills its voids, and slopes
// of coarse levels: means of the finest level's, as an image's mipmaps have them.  O(samples * levels) on all
// processors; memory: 1.4 bytes a sample more, while it is made 5.4 where there are voids.
std::shared_ptr<const TileSource> rasterTiles(Raster raster);

}  // namespace orogen
