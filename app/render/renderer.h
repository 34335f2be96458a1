// Draws a terrain: owns the tree, the terrain and the frame, and runs the passes of a frame in order.
//
// Depends on settings and a camera only, not on panels or windows.  The picture ends up in target(); the caller
// shows it and draws panels over it.
#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "app/gl/context.h"
#include "app/gl/shader_library.h"
#include "app/gl/timers.h"
#include "app/render/drawn_mesh.h"
#include "app/render/frame_checks.h"
#include "app/render/frame_steps.h"
#include "app/render/frame_uniforms.h"
#include "app/render/ground_judge.h"
#include "app/render/lod_controller.h"
#include "app/render/render_target.h"
#include "app/render/terrain_gpu.h"
#include "app/render/terrain_picture.h"
#include "app/render/tree_inspector.h"
#include "app/render/triangulation.h"
#include "core/frames/sample/frame_stats.h"
#include "core/settings.h"
#include "core/terrain/bounds/terrain_bounds.h"

namespace orogen::app {

class Renderer
{
public:
    // Compiles the shaders under `dataRoot` (kShader) and creates the tree.  Error kLimit also for too many samples, or
    // a driver below the shaders' minimum limits.  `context` must outlive the renderer.
    static Result<std::unique_ptr<Renderer>> create(Context& context, const std::filesystem::path& dataRoot,
                                                    const Settings& settings);

    // Shows another terrain and resets the tree.  On error the old terrain stays.  With `tiles`, heights and slopes
    // come from them: `raster` describes the whole, `field` and `bounds` are an overview of the same extent for light,
    // border, water and drapes.  Programs for tiles are compiled on first use.
    Status setTerrain(const Raster& raster, const HeightField& field, TerrainBounds bounds,
                      std::shared_ptr<TileCache> tiles = nullptr);
    // Shows the Earth, whose ground is in tiles on the cube (TileGrid::onCube()).  From then on, cameras are
    // earth-fixed (core/planet/ellipsoid.h) and the triangulation is a new pool of bisectors.  setTerrain() returns to
    // planar terrain.  Programs are compiled on first use.  Depth and capacity come from the current settings; call
    // apply() to change them.  On error (kLimit, kShader) the old terrain stays.
    Status setEarth(std::shared_ptr<TileCache> tiles);
    bool onEarth() const { return terrain_ && terrain_->onEarth(); }
    // Waits until all tiles that the camera needs are resident, at most `seconds`.  Returns false if some are missing.
    bool settleTiles(const Camera& camera, double seconds);
    const TerrainGpu& terrain() const { return *terrain_; }

    // Applies settings before a frame.  A changed depth keeps the triangulation.  On error (kLimit, with the limit)
    // nothing changes, and settings() returns those in effect.
    Status apply(const Settings& wanted);
    const Settings& settings() const { return settings_; }

    // Resets the tree to its coarsest state, so that what follows depends on camera and settings only.
    void restart();

    // Sets the size of the picture in pixels.
    Status resize(int width, int height);

    // How frames are drawn; may change between frames.
    static constexpr float kTileFade = 0.1f;  // per frame, not per time, for reproducible runs
    static constexpr double kSlowFrameMs = 40;
    struct Options
    {
        float tileFade = kTileFade;         // fade-in progress of a tile per frame, in (0, 1]
        double sliceFromMs = kSlowFrameMs;  // begin() slices slower frames; 0: all, in smallest steps
        bool keepsPicture = false;          // from the next resize() on: see begin()
        FrameObserver* observer = nullptr;  // null: none
    };
    Options& options() { return options_; }

    // Draws one frame, from the tree update to the resolved picture, without waiting for the GPU.  `lightRows`: maximum
    // number of light map rows to update (0: all).
    void frame(const Camera& camera, std::uint64_t frame, int lightRows);

    // Draws a frame in slices, with other work in between.  begin() slices if the previous frame was slow, or if its
    // time does not apply to this one; otherwise the first advance() draws all of it.  Until drawing() returns false,
    // target() shows the previous frame, which requires Options::keepsPicture.  A change of terrain, heights or
    // shaders, or another frame, abandons the current one.
    void begin(const Camera& camera, std::uint64_t frame, int lightRows);
    void advance(double ms);  // about `ms`, or one step if that takes longer
    bool drawing() const { return steps_.waiting(); }
    bool sliced() const { return sliced_; }  // whether the last begun frame is sliced
    const SlicesTime& slicesTime() const { return steps_.time(); }

    // Tells whether the camera rests, from the next frame on: see LodController::rest().
    void rest(bool atRest) { lod_.rest(atRest); }

    // The next frame shows another scene: stats() has no figures until its counters arrive.
    void leaveScene();

    // Returns whether target() shows what a frame of that camera and size would show, with no work in flight.
    bool rests(const Camera& camera, int width, int height) const;
    // Returns the work that would still change target() or stats() in further frames of that camera and size.
    Pending pending(const Camera& camera, int width, int height) const;

    // Replaces the heights of the current terrain.  Its extent and a frozen tree are kept.
    Status changeHeights(const Raster& raster, const HeightField& field, TerrainBounds bounds);

    // Drapes an image over the current terrain until that is replaced; null removes the image.  On error (kLimit,
    // kShader) nothing changes.
    Status setImage(const DrapedPicture* draped);
    bool hasImage() const { return terrain_ && terrain_->image(); }
    void showContoursEvery(double metres);  // contour interval, unscaled

    void blank();  // clears to a dark picture, while there is no terrain

    // Collects counters and pass times that have arrived.  Waits at most `nanoseconds`.
    void collect(std::uint64_t nanoseconds = 0);
    // Records the CPU time of frame `frame` without sleep (milliseconds).  Used by the governor when GPU timestamps
    // come from a software rasteriser.
    void recordCpuTime(std::uint64_t frame, double ms);
    int framesInFlight() const
    {
        return std::max(
            {tree_->recordsInFlight(), checks_.verdictsInFlight(), checks_.errorsInFlight(), checks_.jumpsInFlight()});
    }

    // Turns validation of every frame's mesh on or off.  Verdicts go to stats() and the observer.  Errors: kShader,
    // kLimit.
    Status validateEachFrame(bool on);
    const FrameChecks& checks() const { return checks_; }
    // Validates the mesh of the last frame and waits for the verdict.  Error kLimit also if the driver does not answer.
    Result<MeshVerdict> validateNow();

    // Measures the error against the elevation model in every frame whose number is a multiple of `frames` (0: never).
    // Figures go to stats().  Errors as validateNow().
    Status measureErrorsEvery(int frames);
    Status prepareMeasuring() { return checks_.prepareErrors(); }  // avoids a delay at the first measurement
    Result<PixelFigures> measureErrorNow();                        // last drawn frame; waits
    // Measures the error by brute force on the CPU: a ray per pixel against every drawn triangle (ground_judge.h).
    // `field`: heights of a terrain in one image.  Waits, some seconds for a large picture.  Errors as validateNow().
    Result<PixelFigures> judgeErrorNow(const HeightField& field);

    // Measures in every frame how far the drawn ground lies above or below that of the previous frame (pixels).
    Status measureJumps(bool on);
    // Returns the largest jump since the last call or the start of measuring, and waits; empty if none was measured.
    std::optional<double> takeLargestJump();

    // Inspection of the last drawn tree and camera.  Call between frames, with a terrain.  See tree_inspector.h.
    Status askLeaf(glm::dvec2 place, std::uint64_t question);
    Status askLeafOnEarth(const glm::dvec3& position, std::uint64_t question);  // earth-fixed
    Status drawTopView(glm::dvec2 corner, double step, int side);
    TreeInspector& inspector() { return inspector_; }
    const TreeInspector& inspector() const { return inspector_; }

    void countRoundsAnew();  // resets lod().roundsToSettle() from the next frame on
    const LodController& lod() const { return lod_; }

    const FrameStats& stats() const { return stats_; }  // without interval and CPU time
    GpuTimers& timers() { return timers_; }
    const GpuTimers& timers() const { return timers_; }
    const RenderTarget& target() const { return target_; }  // resolved() is the last picture

    bool busy() const { return !lightDone_; }

    // Reloads and compiles all shaders.  If the text of a tree or terrain program changed, the tree converges again,
    // leaves are culled again, and gradients and light map are recomputed.
    ReloadReport reloadShaders();
    std::uint64_t sourceHash() const;  // text of all programs that a frame runs
    bool shadersReady() const { return library_.ready(); }
    Triangulation& tree() { return *tree_; }
    std::vector<BufferUse> memory() const;
    std::uint64_t memoryBytes() const;  // sum of memory()

private:
    struct CullInput
    {
        Camera camera;
        int width = 0, height = 0, patchLevel = 0;
        float heightScale = 1;
        std::uint64_t shaders = 0;
        std::uint64_t residency = 0, shownTiles = 0;
        std::optional<float> waterLevel;  // Earth only, where the sea is part of the ground
        bool operator==(const CullInput&) const = default;
    };

    // All inputs of a picture.  While they are unchanged, so is the picture.
    struct PictureInput
    {
        Camera camera;
        Settings settings;
        int width = 0, height = 0;
        float scale = 100;
        double coarser = 1;         // GovernedDetail::coarser
        std::uint64_t version = 0;  // counter of terrain and shader changes
        std::uint64_t tiles = 0;    // TiledHeights::shown()
        bool validating = false;
        int errorPeriod = 0;
        bool measuringJumps = false;
        bool operator==(const PictureInput&) const = default;
        bool sameButCamera(PictureInput other) const
        {
            other.camera = camera;
            other.settings.view = settings.view;
            other.coarser = coarser;
            return *this == other;
        }
        // Ignores camera, thresholds in effect and resident tiles.
        bool sameScene(PictureInput other) const
        {
            other.tiles = tiles;
            return sameButCamera(other);
        }
    };

    Renderer(Context& context, const std::filesystem::path& dataRoot);
    Status upload(const Raster& raster, const HeightField& field, TerrainBounds bounds,
                  std::shared_ptr<TileCache> tiles, bool keepsImage);
    Status choosePrograms(bool earth, bool tiled, bool detail);
    Status chooseForChecks(const std::vector<ShaderDefine>& choice);
    Status prepareEarth();
    Status takeTree(bool earth);
    TerrainPicture& picture() { return onEarth() ? *earthDrawing_ : drawing_; }
    const TerrainPicture& picture() const { return onEarth() ? *earthDrawing_ : drawing_; }
    ShaderLibrary& programs() { return onEarth() ? *earthLibrary_ : library_; }
    Status applyDetail(const Settings& wanted);
    Status applyRest(const Settings& wanted);
    TileView tileView(const Camera& camera) const;
    FrameView viewOf(const Camera& camera) const;
    void uploadFrame(const Camera& camera);
    PictureInput inputOf(const Camera& camera) const;
    void plan(const Camera& camera, std::uint64_t frame, int lightRows, bool sliced);
    void planLight(int rows);
    void planTree(const Camera& camera);
    void planPicture(const Camera& camera);
    void planRanges();
    void planSurroundings();
    void bindAll() const;
    void drop();
    void drawGround();
    bool stable() const;     // neither light, tiles, tree nor governor will change the picture
    bool errorRead() const;  // an error was measured, if enabled, since the picture became stable
    void forgetFigures();
    void bindForChecks() const;

    Context& context_;
    std::filesystem::path root_;
    ShaderLibrary library_;
    ProgramHandle sharpen_;  // for scaled pictures
    MakeTriangulation makeTree_;
    TerrainPrograms terrainPrograms_;
    TerrainPicture drawing_;
    std::unique_ptr<Triangulation> tree_;
    std::optional<TerrainGpu> terrain_;
    PatchMesh patch_;
    RenderTarget target_;
    Buffer frameUniforms_;
    // Earth only; empty until it was shown.
    std::optional<ShaderLibrary> earthLibrary_;
    MakeTriangulation makePool_;
    std::optional<TerrainPicture> earthDrawing_;
    std::optional<EarthBlocks> earthBlocks_;
    GpuTimers timers_;
    Settings settings_;
    Options options_;
    FrameStats stats_;
    LodController lod_;
    FrameChecks checks_;
    TreeInspector inspector_;

    FrameSteps steps_;
    bool sliced_ = false;
    double frameMs_ = 0, rangesMs_ = 0, skyMs_ = 0;  // time of the last frame; of ground and sky in the last sliced one
    std::uint64_t uploadedBefore_ = 0;
    std::optional<PictureInput> picture_;    // last begun frame
    int sameFrames_ = 0;                     // number of identical frames before it
    std::uint64_t sameFrom_ = 0;             // number of the first of these frames
    std::uint64_t figuresFrom_ = 0;          // first frame of the current scene
    std::optional<std::uint64_t> calmFrom_;  // first frame begun with nothing left to change
    std::uint64_t version_ = 0;
    double contourInterval_ = 0;

    std::optional<CullInput> cullInput_;
    std::uint64_t frame_ = 0;  // current
    std::optional<Camera> frozen_;
    Camera drawn_;                       // last drawn frame
    std::optional<glm::dvec3> before_;   // camera position at the last tile request
    std::optional<double> largestJump_;  // since takeLargestJump()
    bool lightDone_ = false;
    std::uint64_t shaderHash_ = 0;  // text of the current programs except picture()'s
};

}  // namespace orogen::app
