// Height queries at a position: the drawn ground, and the source's own samples.
#pragma once

#include <optional>
#include <span>

#include <glm/vec3.hpp>

#include "core/base/status.h"
#include "core/gpu_layout.h"
#include "core/terrain/raster/ground_profile.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile_cache.h"

namespace orogen {

// Returns the finest level with an active tile at a place, in metres east and north of the terrain's centre. O(active).
int finestLevelAt(std::span<const ActiveTile> active, const Raster& raster, double east, double north);

// Returns the ground of the active tiles, with the sample spacing of the finest of them at a place. To be used on the
// thread that updates the cache, as long as the cache lives.
FinerGround tiledGround(const TileCache& cache, const Raster& raster, double east, double north);

// Returns the height (metres, unscaled), bilinear in the source's samples of level 0. Reads them, so that a remote
// source takes a network round trip. Outside the raster the height is that of the edge. Empty: a sample has no data.
// Errors: those of the source.
Result<std::optional<double>> sourceHeightAt(const TileSource& source, double east, double north);

// ---- on the Earth, for cameras, navigation and readouts ----

// Drawing parameters that change the ground's height.
struct EarthLook
{
    double heightScale = 1;
    std::optional<double> sea = 0.0;              // sea level, unscaled (metres); empty: no sea
    const gpu::DetailUniforms* detail = nullptr;  // from detailUniformsOnCube(); null: no procedural detail
};

// Returns the scaled height (metres above the ellipsoid) of the drawn ground at an earth-fixed position: the finest
// active tile with procedural detail, at least the sea level. Shaders also fade tiles in and draw coarser tiles far
// away. Next to the camera, where all tiles have faded in, this height and the drawn one agree to a millimetre. To be
// called on the thread that updates the cache; takes about 2 microseconds.
double drawnGroundUnder(const TileCache& cache, const glm::dvec3& position, const EarthLook& look);

}  // namespace orogen
