// Draws a terrain: owns the tree, the terrain and the frame, and runs the passes of a frame in order.
//
// Depends on settings and a camera only, not on panels or windows.  The picture ends up in target(); the caller
// shows it and draws panels over it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "app/gl/context.h"
#include "app/gl/shader_library.h"
#include "app/gl/timers.h"
#include "app/render/drawn_mesh.h"
#include "app/render/earth_world.h"
#include "app/render/frame_checks.h"
#include "app/render/frame_steps.h"
#include "app/render/frame_uniforms.h"
#include "app/render/ground_lines.h"
#include "app/render/lod_controller.h"
#include "app/render/picture_progress.h"
#include "app/render/plane_world.h"
#include "app/render/render_target.h"
#include "app/render/terrain_gpu.h"
#include "app/render/tile_requests.h"
#include "app/render/tree_inspector.h"
#include "app/render/triangulation.h"
#include "core/frames/sample/frame_record.h"
#include "core/planet/sky.h"
#include "core/settings.h"
#include "core/terrain/bounds/terrain_bounds.h"

namespace orogen::app {

class Renderer
{
public:
    // Creates a renderer without a terrain.  `first`: the world that will be shown first.  For a plane, also compiles
    // RenderWorld::programs() and creates the tree; setEarth() does that for the Earth.  `context` must outlive the
    // renderer.  Errors: those of ShaderLibrary::finish(); kLimit: too many samples, no memory, or a driver below
    // the shaders' limits.
    static Result<std::unique_ptr<Renderer>> create(Context& context, const std::filesystem::path& dataRoot,
                                                    const Settings& settings, World first = World::kPlane);

    // ---- terrain ---------------------------------------------------------------------------------------------------
    // Shows another terrain and resets the tree.  On error the old terrain stays.  With `tiles`, heights and slopes
    // come from them: `raster` describes the whole, `field` is an overview of the same extent for light, border and
    // water, and only the relief of `bounds` is used.  `imagery`: colours of the ground in tiles (ColourTiles); null:
    // none.  `surroundings`: the land around the raster; null: the heights of the raster's border continue outwards.
    // Programs for tiles are compiled on first use.
    Status setTerrain(const Raster& raster, const HeightField& field, TerrainBounds bounds,
                      std::shared_ptr<TileCache> tiles = nullptr, std::shared_ptr<TileCache> imagery = nullptr,
                      std::shared_ptr<const Surroundings> surroundings = nullptr);
    // Shows the Earth, whose ground is in tiles on the cube (TileGrid::onCube()).  From then on, cameras are
    // earth-fixed (core/planet/ellipsoid.h) and the triangulation is a pool of bisectors.  setTerrain() returns to
    // planar terrain.  Programs are compiled on first use.  Depth and capacity come from the current settings; call
    // apply() to change them.  On error the old terrain stays.
    Status setEarth(std::shared_ptr<TileCache> tiles, std::shared_ptr<TileCache> imagery = nullptr);
    // Replaces the heights of the current planar terrain by those of an image of the same extent.  Resets the tree,
    // unless lod.frozen is set.  On error the old heights stay.
    Status changeHeights(const Raster& raster, const HeightField& field, TerrainBounds bounds);
    // Replaces the imagery of the current terrain, which must exist; null removes it.  On error the
    // imagery stays.
    Status setImagery(std::shared_ptr<TileCache> imagery);
    const TerrainGpu& terrain() const { return *terrain_; }
    // Returns the current terrain, for changes of its heights.  They are allowed between two frames only, that is while
    // steps().waiting() is false.  The tree stays and adapts in the next frame.
    TerrainGpu& terrain() { return *terrain_; }
    TileRequests& tiles() { return tiles_; }
    GroundLines& lines() { return lines_; }               // lines and points on the ground
    const RenderWorld& world() const { return *world_; }  // planar world until a terrain is shown

    // ---- settings --------------------------------------------------------------------------------------------------
    // Applies settings before a frame.  After a change of depth or capacity, the tree keeps as much as fits.  On error
    // nothing changes, except that a colour ramp is not restored if its file cannot be read again.  Errors: kLimit
    // (names the limit), and those of TerrainPicture::prepare().  The criterion `error` needs measured geometric
    // errors: apply() waits for them.  Without FrameOptions::awaitsErrors it replaces the criterion by `edge` instead;
    // call it again later.
    Status apply(const Settings& asked);
    const Settings& settings() const { return settings_; }
    FrameOptions& options() { return options_; }
    // Resets the tree to its coarsest state, so that what follows depends on camera and settings only.
    void restart();
    // Sets the size of the picture in pixels.  Errors as RenderTarget::create().
    Status resize(int width, int height);

    // ---- frames ----------------------------------------------------------------------------------------------------
    // Draws one frame, from the tree update to the resolved picture, without waiting for the GPU.  `lightRows`: maximum
    // number of light map rows to update (0: all).
    void frame(const Camera& camera, std::uint64_t frame, int lightRows);

    // Draws a frame in slices, with other work in between.  With kIfSlow, the frame is sliced if the previous frame was
    // slow, or if the time of the previous frame says nothing about this one.  Otherwise the first advance() draws the
    // whole frame.  Until steps().waiting() returns false, target() shows the previous frame if
    // FrameOptions::keepsPicture is set.  A change of terrain, heights or shaders, or another frame, abandons the
    // current one.
    enum class Slicing
    {
        kNever,
        kIfSlow,
    };
    void begin(const Camera& camera, std::uint64_t frame, int lightRows, Slicing slicing = Slicing::kIfSlow);
    void advance(double ms) { steps_.advance(ms); }  // about `ms`, or one step if that takes longer
    const FrameSteps& steps() const { return steps_; }

    // Collects counters, figures and pass times that have arrived.  Waits at most `nanoseconds`.
    void collect(std::uint64_t nanoseconds = 0);
    // Records the CPU time of frame `frame`, without time spent asleep (milliseconds).  The governor uses this time for
    // frames in slices, and where the driver has no time stamps of a GPU.
    void recordCpuTime(std::uint64_t frame, double ms);
    // Declares that the next frame shows another scene: stats() has no figures until the counters of that frame arrive.
    void leaveScene();

    // Returns where the sun stands in the last planned frame, in the camera's axes (on a plane: as seen from the
    // terrain's centre).  Empty before the first frame.
    std::optional<SkyAngles> sun() const;

    const FrameRecord& stats() const { return stats_; }  // its interval and CPU time are not filled in
    const PictureProgress& progress() const { return progress_; }
    const RenderTarget& target() const { return target_; }  // resolved() is the last picture
    // Returns a small empty picture that was drawn at a smaller size, then sharpened and scaled up.  A software
    // rasteriser compiles what that needs now, in a quarter of a second.  Error kLimit.
    Result<RenderTarget> scaledSample() const;
    GpuTimers& timers() { return timers_; }
    LodController& lod() { return lod_; }
    FrameChecks& checks() { return checks_; }
    TreeInspector& inspector() { return inspector_; }
    Triangulation& tree() { return *tree_; }

    // ---- programs and memory ---------------------------------------------------------------------------------------
    // Reloads and compiles all shaders.  If the text of a tree or terrain program changed, the tree converges again,
    // leaves are culled again, and gradients and light map are recomputed.
    ReloadReport reloadShaders();
    // Returns a hash of the text of all programs that draw with the current settings.
    std::uint64_t sourceHash() const;
    std::vector<BufferUse> memory() const;

private:
    Renderer(Context& context, const std::filesystem::path& dataRoot);
    Status show(RenderWorld& world, Result<TerrainGpu> made, const HeightField* border);
    Status choosePrograms(RenderWorld& world, const HeightStore& heights, bool detail);
    FrameView viewOf(const Camera& camera) const;
    DrawnFrame lastFrame();
    void planPicture(const Camera& camera);
    void planRanges();
    void bindAll() const;
    void drawGround();
    void drawRange(const DrawRanges& ranges, std::uint32_t range);
    void drop();

    Context& context_;
    std::filesystem::path root_;
    PlaneWorld plane_;
    std::unique_ptr<EarthWorld> earth_;    // null until the Earth is shown
    RenderWorld* world_ = &plane_;         // current
    std::unique_ptr<Triangulation> tree_;  // null before the first terrain if create() got the Earth
    std::optional<TerrainGpu> terrain_;
    std::shared_ptr<const Surroundings> surroundings_;  // around the terrain on a plane; may be null
    PatchMesh patch_;
    RenderTarget target_;
    GroundLines lines_;
    gpu::FrameUniforms uniforms_{};  // contents of frameUniforms_
    Buffer frameUniforms_;
    GpuTimers timers_;
    Settings settings_;
    FrameOptions options_;
    FrameRecord stats_;
    LodController lod_;
    FrameChecks checks_;
    TreeInspector inspector_;
    FrameSteps steps_;
    TileRequests tiles_;
    PictureProgress progress_;

    std::uint64_t frame_ = 0;  // number of the current frame
    std::optional<Camera> frozen_;
    Camera drawn_;                  // camera of the last drawn frame
    std::uint64_t shaderHash_ = 0;  // hash of the current programs, except those of the world's picture
};

// Returns the sum of Renderer::memory().
std::uint64_t totalBytes(const std::vector<BufferUse>& uses);

}  // namespace orogen::app
