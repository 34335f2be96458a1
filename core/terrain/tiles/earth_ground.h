// The ground of the Earth that is drawn, for whoever stands on it: cameras, navigation, readouts.
#pragma once

#include <optional>

#include <glm/vec3.hpp>

#include "core/gpu_layout.h"
#include "core/terrain/tiles/tile_cache.h"

namespace orogen {

// What is drawn of it.
struct EarthLook
{
    double heightScale = 1;
    std::optional<double> sea = 0.0;              // metres, unscaled: its level; empty: there is none
    const gpu::DetailUniforms* detail = nullptr;  // of detailUniformsOnCube(); null: no relief is made
};

// Metres above the ellipsoid, scaled, of what is drawn below (or above) an earth-fixed position: the finest active tile
// with made relief, and no lower than the sea.  Shaders blend tiles that have not faded in, and show coarser ones at a
// distance; next to the camera this is the same to a millimetre.  For the frame's thread; some 2 microseconds.
double drawnGroundUnder(const TileCache& cache, const glm::dvec3& position, const EarthLook& look);

}  // namespace orogen
