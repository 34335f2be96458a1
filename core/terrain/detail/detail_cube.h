// Procedural detail on the Earth: the octaves of detail.h on the six faces of the cube. shaders/detail_cube.glsl
// computes the same.
//
// A node is a point of the cube, and its wave a function of its three coordinates. So detail does not depend on the
// face it is computed from, and is continuous over the cube's edges and corners. Octaves continue below the finest
// existing samples: below a tile of level l that is not refined, cells are 2^l times as wide as those of level 0. Near
// the sea its amplitude is limited to the ground's height above it, so that land stays land; there is none below.
#pragma once

#include "core/gpu_layout.h"
#include "core/planet/cube_lattice.h"

namespace orogen {

// Assumed roughnessExponent() of the Earth: growth of second differences of the heights with distance.
inline constexpr double kEarthExponent = 1.0;

// Returns all octaves for 1 m of roughness. `detail`: from detailUniformsOnCube().
float detailReliefOnCube(const gpu::DetailUniforms& detail, const FacePlace& place, int level);

// Returns the detail (metres, unscaled) to add to data with roughness `rough` (metres, TileCache::roughnessAt()) at
// height `above` over the sea (metres; infinity if there is no sea).
double madeHeightOnCube(const gpu::DetailUniforms& detail, const FacePlace& place, int level, float rough,
                        double above);

}  // namespace orogen
