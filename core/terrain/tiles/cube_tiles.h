// Positions of the Earth's tiles and their visibility to a camera, for the traversal in wanted_tiles.cpp.
//
// The counterpart for a plane is PlaneTiles in that file. Both classes have
//     Where where(key)                                  a tile's position
//     Camera                                            values computed once for a view
//     double distance(where, camera)                    metres, as defined in tile_cache.h
//     bool sees(key, where, bounds, camera, distance)   whether a point of the tile in these bounds may be visible
//
// After scaling the ellipsoid to the unit sphere, the sides of a face's tiles are great circles. A tile is a convex
// polygon of four arcs. Dot products with the normals of their planes give the chord from the point below the camera to
// the tile. That chord times the shorter half-axis is the straight distance through the ellipsoid in metres. It is at
// most 0.4 % too short.
#pragma once

#include <array>

#include <glm/vec3.hpp>

#include "core/planet/cube_lattice.h"
#include "core/terrain/tiles/wanted_tiles.h"

namespace orogen {

// Returns log2 of the lattice units between the samples of a level.
int cubeSampleBits(const TileGrid& grid, int level);
// Returns the nominal distance between the samples of a level (metres), by metresOfCubeUnit() of cube_lattice.h.
double cubeSampleMetres(const TileGrid& grid, int level);

class CubeTiles
{
public:
    // A tile on its face, in the face's axes; z points outwards.
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
        double above;                             // metres above the highest ground
        std::array<glm::dvec3, kCubeFaces> foot;  // point below the camera on the unit sphere, in each face's axes
        double low;                               // assumed scaled height of the ground that hides tiles (metres)
        double horizon;                           // angle from the foot to the horizon (radians)
        // Squared distances from the foot on the unit sphere. The horizon hides nothing up to the first, and everything
        // beyond the second.
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
