// Surroundings of a terrain, land to the horizon or walls, as rings of triangles around its border (border.vert).
#pragma once

#include <vector>

#include "app/gl/objects.h"
#include "core/base/status.h"
#include "core/terrain/raster/height_field.h"

namespace orogen::app {

class TerrainBorder
{
public:
    // Creates the border of the terrain of `field`, whose size alone is used.  Error kLimit.
    static Result<TerrainBorder> create(const HeightField& field);

    // Copies the heights along the border from the drawn triangles.  `program`: rim.comp.  The tree and the terrain
    // must be bound as for checks, after the frame's rounds and before the draws.
    void follow(GLuint program) const;

    // Bind border.vert's own inputs and draw with the current program.  The terrain must be bound.
    void drawLand() const;
    void drawWalls(float foot) const;  // down to the height `foot` (metres, scaled)

    std::uint64_t bytes() const { return std::uint64_t(heights_.shape().width) * 8 + rim_.bytes(); }

private:
    // Strip between one row of columns around the terrain and the next one outwards.
    struct Ring
    {
        int columns = 0;             // per side
        int columnsNext = 0;         // per side, of the next ring: `columns` or fewer, by a power of two
        float inner = 0, outer = 0;  // metres from the border
        int border = 0;              // 1: begins at the border; 2: the fin at the border
    };
    void bind() const;
    void draw(const Ring& ring, float foot) const;

    Texture heights_;
    Buffer rim_;  // RimColumn, for the ring at the border
    Sampler around_;
    VertexArray noAttributes_;
    std::vector<Ring> rings_;
    float spacing_ = 1;  // mean distance between texels (metres)
};

}  // namespace orogen::app
