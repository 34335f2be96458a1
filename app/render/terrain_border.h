// What lies around a terrain: land to the horizon or walls, as rings of triangles around its border (border.vert).
#pragma once

#include <vector>

#include "app/gl/objects.h"
#include "core/base/status.h"
#include "core/terrain/raster/height_field.h"

namespace orogen::app {

class TerrainBorder
{
public:
    // Keeps the heights along the border of the terrain of `field`: O(samples of the border).  Error kLimit.
    static Result<TerrainBorder> create(const HeightField& field);

    // Binds what border.vert reads beside the terrain's own, and draws with the program in use.
    void drawLand() const;
    void drawWalls(float foot) const;  // down to this height: metres, unscaled

    std::uint64_t bytes() const { return std::uint64_t(heights_.shape().width) * 8; }

private:
    // From one row of columns around the terrain to the next one outwards.
    struct Ring
    {
        int columnsSouth = 0, columnsWest = 0;  // a side
        int columnsNext = 0;                    // a side, of the ring that follows
        float inner = 0, outer = 0;             // metres from the border
        int border = 0;                         // 1: it begins at the border; 2: it is the fin there
    };
    void draw(const Ring& ring, float foot) const;

    Texture heights_;
    Sampler around_;
    VertexArray noAttributes_;
    std::vector<Ring> rings_;
    float spacing_ = 1;  // metres from texel to texel, of the mean side
};

}  // namespace orogen::app
