// Slopes of a tile of the Earth: the gradient of the heights along the ellipsoid, in metres a metre.
//
// Its components are those along e1, the unit tangent of a face's x at the sample, and e2 = N x e1 with N the vertical
// there.  The face's y is not at a right angle to its x, and neither are metres: both follow from the true metric of
// the mapping (core/planet/cube_lattice.h) at each sample.
#pragma once

#include <span>

#include "core/terrain/tiles/tile_grid.h"

namespace orogen {

// By differences of the samples before and after; `window`: kTileReadSide^2 heights around the tile, `out`: pairs,
// kTileSide^2.
void cubeSlopes(const TileGrid& grid, const TileKey& key, std::span<const float> window, std::span<float> out);

}  // namespace orogen
