// Made relief on the Earth: the octaves of detail.h on the six faces of the cube.  Twin of shaders/detail_cube.glsl.
//
// A node is a point of the cube, and its wave a function of its three coordinates, so that relief is the same from
// whichever face it is asked, and continuous over the cube's edges and corners.  Octaves go on below the samples that
// there are: where these come from a tile of level l, which nothing refines, cells are 2^l times as wide as those of
// level 0.  Close to the sea there is no more of it than the ground is above it, so that land stays land, and below
// none.
#pragma once

#include "core/gpu_layout.h"
#include "core/planet/cube_lattice.h"

namespace orogen {

// Of how second differences of the Earth's heights grow with the distance: roughnessExponent() of none in particular.
inline constexpr double kEarthExponent = 1.0;

// All octaves together for a metre of roughness; `detail`: of detailUniformsOnCube().
float detailReliefOnCube(const gpu::DetailUniforms& detail, const FacePlace& place, int level);

// Metres, unscaled, to be added to data that are `rough` metres rough (TileCache::roughnessAt()) and lie `above` metres
// above the sea; infinity where there is none.
double madeHeightOnCube(const gpu::DetailUniforms& detail, const FacePlace& place, int level, float rough,
                        double above);

}  // namespace orogen
