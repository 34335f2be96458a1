// Positions of a plane's tiles and their visibility to a camera, for the traversal in wanted_tiles.cpp.
//
// The counterpart for the Earth is cube_tiles.h. Both have
//     Where where(key)                                  a tile's position
//     Camera                                            values computed once for a view
//     double distance(where, camera)                    metres, as defined in tile_cache.h
//     bool sees(key, where, bounds, camera, distance)   whether a point of it between these heights may be visible
#pragma once

#include <algorithm>
#include <cmath>

#include "core/terrain/tiles/wanted_tiles.h"

namespace orogen {

class PlaneTiles
{
public:
    // Metres from the terrain's centre, east and north.
    struct Where
    {
        double west, east, south, north;
    };

    struct Camera
    {
        Camera(const TileGround& ground, const TileView& seen)
            : view(seen), above(std::max(0.0, view.position.z - double(ground.whole.highest) * view.heightScale))
        {
        }
        TileView view;
        double above;  // metres above the highest ground
    };

    explicit PlaneTiles(const TileGround& ground) : ground_(ground) {}

    Where where(const TileKey& key) const
    {
        const double lastColumn = ground_.grid.width() - 1, lastRow = ground_.grid.height() - 1;
        const double cells = std::ldexp(double(kTileCells), key.level);
        const auto column = [&](int x) {
            return (std::min(x * cells, lastColumn) - lastColumn / 2) * ground_.pixelWidth;
        };
        const auto row = [&](int y) { return (lastRow / 2 - std::min(y * cells, lastRow)) * ground_.pixelHeight; };
        return {column(key.x), column(key.x + 1), row(key.y + 1), row(key.y)};
    }

    double distance(const Where& where, const Camera& camera) const
    {
        const double x = camera.view.position.x, y = camera.view.position.y;
        const double beside = std::hypot(std::max({where.west - x, x - where.east, 0.0}),
                                         std::max({where.south - y, y - where.north, 0.0}));
        return std::hypot(beside, camera.above);
    }

    bool sees(const TileKey& key, const Where& where, const TileBounds& bounds, const Camera& camera,
              double distance) const
    {
        const TileView& view = camera.view;
        const double margin = viewMargin(ground_, key, distance);
        const double low = double(bounds.lowest) * view.heightScale, high = double(bounds.highest) * view.heightScale;
        return std::all_of(view.planes.begin(), view.planes.end(), [&](const glm::vec4& plane) {
            const double x = (plane.x > 0 ? where.east : where.west) - view.position.x;
            const double y = (plane.y > 0 ? where.north : where.south) - view.position.y;
            const double z = (plane.z > 0 ? high : low) - view.position.z;
            return double(plane.x) * x + double(plane.y) * y + double(plane.z) * z + double(plane.w) >= -margin;
        });
    }

private:
    const TileGround& ground_;
};

}  // namespace orogen
