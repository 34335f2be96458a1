// The places of a tile's samples, and where they lie among an inset's.
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
    FaceBox box;                  // of all
    std::vector<LatLong> places;  // row by row; longitudes in [-180, 180]

    std::size_t at(int column, int row) const { return std::size_t(row) * std::size_t(width) + std::size_t(column); }
};

// Lattice units between a level's samples; of a grid on the cube.
double latticeStep(const TileGrid& grid, int level);
FaceBox boxOf(const TileGrid& grid, const TileWindow& window);

// About 0.1 microseconds a sample.
void placesOf(const TileGrid& grid, const TileWindow& window, PlaceGrid& places);

// Metres between neighbouring samples at a window's middle, the shorter of both ways.
double spacingAt(const TileGrid& grid, const TileWindow& window);

// Where an inset's map has the places, to `tolerance` samples: computed at every eighth place each way and between four
// of them, interpolated where that agrees, else computed.  NaN: nowhere, or farther than `metres` from the inset.
void samplesOf(const InsetReader& inset, const PlaceGrid& grid, double metres, double tolerance,
               std::vector<glm::dvec2>& out);

}  // namespace orogen
