// Height of the drawn ground of the Earth, for cameras, navigation and readouts.
#pragma once

#include <optional>

#include <glm/vec3.hpp>

#include "core/gpu_layout.h"
#include "core/terrain/tiles/tile_cache.h"

namespace orogen {

// Drawing parameters that change the ground's height.
struct EarthLook
{
    double heightScale = 1;
    std::optional<double> sea = 0.0;              // sea level, unscaled (metres); empty: no sea
    const gpu::DetailUniforms* detail = nullptr;  // from detailUniformsOnCube(); null: no procedural detail
};

// Returns the scaled height (metres above the ellipsoid) of the drawn ground at an earth-fixed position: the finest
// active tile with procedural detail, at least the sea level. Shaders also blend in tiles and draw coarser ones far
// away; next to the camera both agree to a millimetre. For the frame's thread; about 2 microseconds.
double drawnGroundUnder(const TileCache& cache, const glm::dvec3& position, const EarthLook& look);

}  // namespace orogen
