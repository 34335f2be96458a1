// Where the tiles of the Earth lie, and what a camera has of them: the twin of plane_tiles.h, which says what is here.
//
// In the space where the ellipsoid is the unit sphere the sides of a face's tiles are great circles: a tile is a convex
// polygon of four arcs, and how far it is from the point below the camera follows from four dot products.  Metres
// are that distance times the shorter half-axis: no more than to any point of the tile, and at most 0.4 % too few.
#pragma once

#include <array>

#include <glm/vec3.hpp>

#include "core/planet/cube_lattice.h"
#include "core/terrain/tiles/wanted_tiles.h"

namespace orogen {

// Lattice units between the samples of a level, as a power of two.
int cubeSampleBits(const TileGrid& grid, int level);
// Metres between them, in the mean over a face.
double cubeSampleMetres(const TileGrid& grid, int level);

class CubeTiles
{
public:
    // On a face, in its own axes: outwards is z.
    struct Where
    {
        int face;
        std::array<double, 2> x, y;         // warped coordinates of its sides, from low to high
        std::array<glm::dvec3, 4> corners;  // on the unit sphere
    };

    struct Camera
    {
        Camera(const TileGround& ground, const TileView& seen);
        TileView view;
        double above;                             // metres over all ground
        std::array<glm::dvec3, kCubeFaces> foot;  // on the unit sphere, the point below it, in each face's axes
        double low;                               // metres, scaled: ground that hides what is behind it
        double horizon;                           // radians from the foot to where it begins to
        // Squares of distances on the unit sphere: before the first nothing is hidden, behind the second all is.
        double nothingHidden, allHidden;
    };

    explicit CubeTiles(const TileGround& ground);

    Where where(const TileKey& key) const;
    double distance(const Where& where, const Camera& camera) const;
    bool sees(const TileKey& key, const Where& where, const TileBounds& bounds, const Camera& camera,
              double distance) const;

private:
    const TileGround& ground_;
};

}  // namespace orogen
