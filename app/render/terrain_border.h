// The land or the walls around a terrain on a plane.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <glm/vec2.hpp>

#include "app/gl/objects.h"
#include "core/base/status.h"
#include "core/gpu_layout.h"
#include "core/terrain/imagery/land_around.h"
#include "core/terrain/imagery/surroundings.h"
#include "core/terrain/raster/height_field.h"

namespace orogen::app {

// Programs of rim.comp (the first three), and that of land.comp.
struct RimPrograms
{
    GLuint ground = 0, drawn = 0, texels = 0, land = 0;
};

// Surroundings of a terrain, land to the horizon or walls, as rings of triangles around its border (border.vert).
class TerrainBorder
{
public:
    // Creates the border of the terrain of `field`; only the size of `field` is used.  `surroundings`: heights and
    // colours of the land; null: the land extends the border's heights.  Error kLimit: out of memory.
    static Result<TerrainBorder> create(const HeightField& field, const Surroundings* surroundings);

    // Writes heights into buffers for border.vert.  Along the border these are the heights of the drawn triangles where
    // `view` may show them, and the heights of the finest surface elsewhere.  `land`: also writes the land's heights,
    // for drawLand().  Call after the frame has updated the tree and before it draws, with the terrain bound and the
    // tree bound by Triangulation::bindForChecks().
    void follow(const RimPrograms& programs, const gpu::FrameUniforms& view, const gpu::TerrainUniforms& terrain,
                bool land) const;

    // Draws the pieces of land that `view` may show, with the current program.  Requires a bound terrain.
    void drawLand(const gpu::FrameUniforms& view, const gpu::TerrainUniforms& terrain) const;
    // Draws the walls, down to the height `foot` (metres, times the height scale), with the current program.
    void drawWalls(float foot) const;
    // Binds the heights of the border and the surroundings, which programs of the land read.
    void bindTextures() const;

    std::uint64_t bytes() const
    {
        const std::uint64_t surroundings = std::uint64_t(ground_.shape().width) * std::uint64_t(ground_.shape().height);
        return std::uint64_t(heights_.shape().width) * 8 + surroundings * 16 + rim_.bytes() + land_.bytes();
    }

private:
    struct Ring : LandRing
    {
        int points = 0, pointsNext = 0;  // indices in land_ of the first points of the inner and of the outer row
        int border = 0;  // 0: begins away from the border; 1: begins at it; 2: skirt down behind the drawn ground
    };
    // Columns of a ring that the view may show.  Vertices stand at every `stride`-th column, a power of two.
    struct Run
    {
        int first = 0, count = 0, stride = 1;
        bool begins = true, ends = true;  // the columns before and after the run are not shown
    };
    // Calls `use` for each run of the ring's columns that the view may show.  `sparse`: runs of the rings at the border
    // have strides above 1 where columns are closer together than a few pixels.
    void forShown(const Ring& ring, const gpu::FrameUniforms& view, const gpu::TerrainUniforms& terrain, bool sparse,
                  const std::function<void(const Run& run)>& use) const;
    glm::dvec2 landHeights(const gpu::TerrainUniforms& terrain) const;
    Status makeSurroundings(const Surroundings* known);
    void bind() const;
    void use(const Ring& ring, float foot, int stride = 1) const;

    Texture heights_;
    Texture ground_, colours_;        // Surroundings; a single texel without data if there are none
    float lowest_ = 0, highest_ = 0;  // heights of the surroundings (metres, unscaled)
    Buffer rim_;                      // RimColumn (border_point.glsl) of each column at the border
    Buffer land_;                     // LandPoint (border_point.glsl) of each vertex of the land outside the border
    Sampler around_;
    VertexArray noAttributes_;
    std::vector<Ring> rings_;
    float spacing_ = 1;  // mean distance between texels of heights_ (metres)
};

}  // namespace orogen::app
