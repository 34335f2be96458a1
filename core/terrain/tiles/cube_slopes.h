// Slopes of a tile of the Earth: the gradient of the heights along the ellipsoid (metres per metre).
//
// The components are along e1, the unit tangent of a face's x at the sample, and e2 = N x e1; N is the local vertical.
// A face's x and y are neither orthogonal nor uniform in metres. Both effects follow from the metric of the mapping
// (core/planet/cube_lattice.h) at each sample.
#pragma once

#include <span>

#include "core/terrain/tiles/tile_grid.h"

namespace orogen {

// Computes central differences. `window` has kTileReadSide^2 heights around the tile; `out` receives kTileSide^2 pairs.
void cubeSlopes(const TileGrid& grid, const TileKey& key, std::span<const float> window, std::span<float> out);

}  // namespace orogen
