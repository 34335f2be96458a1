// Geographic places of a tile's samples, and their positions among an inset's samples.
#pragma once

#include <span>
#include <vector>

#include <glm/vec2.hpp>

#include "core/terrain/earth/earth_inset.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

struct PlaceGrid
{
    int width = 0, height = 0;
    FaceBox box;                  // box around all places
    std::vector<LatLong> places;  // row by row; longitudes in [-180, 180]

    std::size_t at(int column, int row) const { return std::size_t(row) * std::size_t(width) + std::size_t(column); }
};

// Returns the lattice units between a level's samples, in a grid on the cube.
double latticeStep(const TileGrid& grid, int level);
FaceBox boxOf(const TileGrid& grid, const TileWindow& window);

// Computes the places of a window's samples; takes about 0.1 microseconds a sample.
void placesOf(const TileGrid& grid, const TileWindow& window, PlaceGrid& places);

// Returns the distance between neighbouring samples at a window's centre (metres), the shorter of both directions.
double spacingAt(const TileGrid& grid, const TileWindow& window);

// Computes positions in an inset's map, to `tolerance` samples. Projects every eighth place each way and one in each
// middle, interpolates where these agree, and otherwise projects all. NaN: farther than `metres` away, or off the map.
void samplesOf(const InsetReader& inset, const PlaceGrid& grid, double metres, double tolerance,
               std::vector<glm::dvec2>& out);

}  // namespace orogen
