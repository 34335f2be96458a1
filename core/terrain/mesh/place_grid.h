// Samples of a mesh on a grid of latitudes and longitudes, from heights at any place.
#pragma once

#include <functional>
#include <span>

#include "core/base/status.h"
#include "core/terrain/mesh/terrain_mesh.h"
#include "core/terrain/raster/projection.h"

namespace orogen {

// Places in degrees: columns from `west` to `east`, which may exceed 180; rows from north to south.
struct PlaceGrid
{
    double west = 0, south = 0, east = 0, north = 0;
    int width = 2, height = 2;  // at least 2
};

// Returns a grid whose samples lie at most `spacing` metres apart in the middle of the box. Error kUsage: not west <
// east <= west + 360, or not -90 <= south < north <= 90; kLimit: more than 65,536 samples per side.
Result<PlaceGrid> placeGrid(double west, double south, double east, double north, double spacing);

// Function that reads the heights of places near each other, in degrees, longitudes in [-180, 180]; NaN: no data.
using GroundAtPlaces = std::function<Status(std::span<const LatLong> places, std::span<float> out)>;

// Reads all places, in blocks. Missing heights are voids, filled from their neighbours. Errors: those of `ground`,
// kLimit (memory), kInterrupted.
Result<MeshSamples> samplePlaces(const PlaceGrid& grid, const GroundAtPlaces& ground, const LoadProgress& progress);

}  // namespace orogen
