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
    // Around the terrain of `field`, of which the size alone matters.  Error kLimit.
    static Result<TerrainBorder> create(const HeightField& field);

    // Takes the heights along the border from the triangles that are drawn.  `program`: rim.comp; the tree and the
    // terrain must be bound as for checks, after the frame's rounds and before the draws.
    void follow(GLuint program) const;

    // Binds what border.vert reads beside the terrain's own, and draws with the program in use.
    void drawLand() const;
    void drawWalls(float foot) const;  // down to this height: metres, scaled

    std::uint64_t bytes() const { return std::uint64_t(heights_.shape().width) * 8 + rim_.bytes(); }

private:
    // From one row of columns around the terrain to the next one outwards.
    struct Ring
    {
        int columns = 0;             // a side
        int columnsNext = 0;         // a side, of the ring that follows: as many or fewer, by a power of two
        float inner = 0, outer = 0;  // metres from the border
        int border = 0;              // 1: it begins at the border; 2: it is the fin there
    };
    void bind() const;
    void draw(const Ring& ring, float foot) const;

    Texture heights_;
    Buffer rim_;  // RimColumn, those of the ring at the border
    Sampler around_;
    VertexArray noAttributes_;
    std::vector<Ring> rings_;
    float spacing_ = 1;  // metres from texel to texel, of the mean side
};

}  // namespace orogen::app
