// Height queries at a position: the drawn ground, and the source's own samples.
#pragma once

#include <optional>
#include <span>

#include "core/base/status.h"
#include "core/terrain/raster/ground_point.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile_cache.h"

namespace orogen {

// Returns the finest level with an active tile at a place, in metres east and north of the terrain's centre. O(active).
int finestLevelAt(std::span<const ActiveTile> active, const Raster& raster, double east, double north);

// Returns the ground of the active tiles, with the sample spacing of the finest of them at a place. For the frame's
// thread; valid as long as the cache lives.
FinerGround tiledGround(const TileCache& cache, const Raster& raster, double east, double north);

// Interpolates the height bilinearly in the samples of level 0, resident or not; a remote source takes a network round
// trip. Outside the raster it is that of the edge. Empty: a sample has no data. Errors: those of the source.
Result<std::optional<double>> sourceHeightAt(const TileSource& source, double east, double north);

}  // namespace orogen
