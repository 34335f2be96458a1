// What the tiles of a terrain say of a place: what is drawn there, and what the source itself has.
#pragma once

#include <optional>
#include <span>

#include "core/base/status.h"
#include "core/terrain/raster/ground_point.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile_cache.h"

namespace orogen {

// The finest level of which a tile is active at a place; metres east and north of the terrain's centre.  O(active).
int finestLevelAt(std::span<const ActiveTile> active, const Raster& raster, double east, double north);

// The ground of the active tiles, with the spacing of the finest of them at a place.  For the frame's thread, and as
// long as the cache lives.
FinerGround tiledGround(const TileCache& cache, const Raster& raster, double east, double north);

// Bilinear in the samples of level 0, whatever is resident: reads them, which of a remote source takes a network's
// time.  Beyond the raster its edge's height; empty: one of the samples has no data.  Errors: of the source.
Result<std::optional<double>> sourceHeightAt(const TileSource& source, double east, double north);

}  // namespace orogen
