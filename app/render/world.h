// The two worlds that the renderer draws: a terrain on a plane, and the Earth.  Each has its own programs,
// triangulation and uniforms.  The renderer calls this interface where the worlds differ.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "app/gl/shader_library.h"
#include "app/render/frame_uniforms.h"
#include "app/render/terrain_gpu.h"
#include "app/render/terrain_picture.h"
#include "app/render/triangulation.h"
#include "core/planet/ellipsoid.h"
#include "core/settings.h"

namespace orogen::app {

class LeafPick;
class TopView;
struct DrawnFrame;

class RenderWorld
{
public:
    virtual ~RenderWorld() = default;

    // ---- programs and triangulation --------------------------------------------------------------------------------
    ShaderLibrary& programs() { return library_; }  // programs that read heights, without those of picture()
    const ShaderLibrary& programs() const { return library_; }
    TerrainPicture& picture() { return picture_; }
    const TerrainPicture& picture() const { return picture_; }
    // Returns the defines of all programs that read heights.  `heights`: HeightStore::choice().  `detail`: with
    // procedural detail.
    virtual std::vector<ShaderDefine> choice(const HeightChoice& heights, bool detail) const = 0;
    // Selects the variants of programs() and picture(), and compiles the former.  Errors as ShaderLibrary::finish().
    Status choose(const std::vector<ShaderDefine>& choice);
    ReloadReport reloadShaders();
    // Starts to compile the programs that these settings need for a terrain in one image, and returns.
    void compileAhead(const Settings& settings);

    virtual int depth(const Settings& settings) const = 0;  // largest depth of the triangulation
    // Checks that a triangulation of that depth fits on this driver.  Error kLimit; its message names the size needed
    // and the largest possible depth.
    virtual Status checkDepth(const Limits& limits, int depth) const = 0;
    // Returns the depth whose triangles resolve samples of that spacing (metres); empty if the depth does not depend on
    // the terrain.
    virtual std::optional<int> depthForSamples(const Limits& limits, const TerrainGpu& terrain,
                                               double spacing) const = 0;
    // Creates a triangulation for these settings.  Error kLimit; its message names the limit.
    Result<std::unique_ptr<Triangulation>> makeTree(const Limits& limits, const Settings& settings) const;

    // ---- a frame ---------------------------------------------------------------------------------------------------
    // Returns the axes for a camera at `position`: those of the plane; on the Earth, east, north and up at that
    // position.
    virtual LocalAxes axesAt(const glm::dvec3& position) const = 0;
    // Writes the uniforms that depend on the world, among them camera position, frozen frustum and sun.
    virtual void describe(const FrameView& view, const Settings& settings, const TerrainGpu& terrain,
                          gpu::FrameUniforms& uniforms) const = 0;
    // Return the inputs of the air's tables, and of the drawn sky, for a view (air_table.h).
    virtual AirView airView(const FrameView& view, const Settings& settings, const TerrainGpu& terrain) const = 0;
    virtual SkyView skyOver(const FrameView& view, const Settings& settings, const TerrainGpu& terrain) const = 0;
    // Uploads the world's own uniforms and sets the light of the terrain.  Returns the number of bytes sent.
    virtual std::uint64_t begin(const FrameView& view, const Settings& settings, TerrainGpu& terrain) = 0;
    virtual void bind() const = 0;  // the world's own uniforms
    // Returns the view by which the tiles of a frame are chosen (TileCache::update()).  `before`: camera position of
    // the previous frame, for the velocity; empty: velocity 0.
    TileView tileView(const FrameView& view, const std::optional<glm::dvec3>& before, float heightScale) const;

    // ---- level of detail -------------------------------------------------------------------------------------------
    // Returns the length of the legs of the smallest triangles that these settings can draw (metres).
    virtual float finestLeg(const Settings& settings, const TerrainGpu& terrain) const = 0;
    // Returns whether leaves out of view are coarser: then splits depend on the direction of the camera.
    virtual bool refinesByAim() const = 0;
    // Returns the level of the sea (metres, unscaled) if the sea is part of the ground, else nothing.
    virtual std::optional<float> seaInGround(const Settings& settings) const = 0;
    // Returns the length of a view from `position` (metres).  The drawn size of a frozen frustum is proportional to it.
    virtual double viewLength(const glm::dvec3& position, const TerrainGpu& terrain) const = 0;
    // Returns the smallest motion between two frames that counts as a jump (metres).
    virtual double leastJump(const glm::dvec3& position, const TerrainGpu& terrain) const = 0;

    // ---- ground ----------------------------------------------------------------------------------------------------
    // Returns the size of a terrain on a plane (metres); empty on the Earth.
    virtual std::optional<glm::dvec2> planeSize(const TerrainGpu& terrain) const = 0;

    // ---- inspection of the tree, see tree_inspector.h --------------------------------------------------------------
    virtual void askLeaf(LeafPick& pick, const DrawnFrame& frame, const glm::dvec3& place,
                         std::uint64_t question) const = 0;
    virtual std::unique_ptr<TopView> makeTopView(ShaderLibrary& library) const = 0;

protected:
    using TreeFactory = MakeTriangulation(ShaderLibrary&, const ContextInfo&);
    // Adds the programs of the triangulation and the picture, with the defines `choice`.
    RenderWorld(const std::filesystem::path& dataRoot, ShaderDialect dialect, const ContextInfo& info, World kind,
                TreeFactory& tree, const std::vector<ShaderDefine>& choice);

    ShaderLibrary library_;
    MakeTriangulation makeTree_;
    TerrainPicture picture_;
};

}  // namespace orogen::app
