// Draws a terrain: keeps the tree, the terrain and the frame together, and runs the passes of a frame in order.
//
// Knows settings and a camera, no panel and no window.  The picture ends up in framebuffer(); whoever shows it draws
// the panels over it.
#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "app/gl/context.h"
#include "app/gl/shader_library.h"
#include "app/gl/timers.h"
#include "app/render/earth_frame.h"
#include "app/render/frame_checks.h"
#include "app/render/frame_observer.h"
#include "app/render/frame_steps.h"
#include "app/render/ground_judge.h"
#include "app/render/patch_mesh.h"
#include "app/render/render_target.h"
#include "app/render/terrain_gpu.h"
#include "app/render/terrain_picture.h"
#include "app/render/tree_looks.h"
#include "app/render/triangulation.h"
#include "core/budget/frame_time_governor.h"
#include "core/frames/sample/frame_stats.h"
#include "core/frames/sample/pending.h"
#include "core/settings.h"
#include "core/terrain/bounds/terrain_bounds.h"

namespace orogen::app {

class Renderer
{
public:
    // Compiles the shaders under `dataRoot` (kShader) and makes the tree (kLimit, also for too many samples, and for a
    // driver that promises less than the shaders need). `context` must outlive it.
    static Result<std::unique_ptr<Renderer>> create(Context& context, const std::filesystem::path& dataRoot,
                                                    const Settings& settings);

    // Shows another terrain; the tree starts anew.  On error the terrain is as it was.  With `tiles`, heights and
    // slopes come from there: `raster` describes all of it, `field` and `bounds` are an overview of the same extent,
    // which the light, the border, water and what lies over the ground go by.  Programs for tiles are compiled when
    // they are first needed.
    Status setTerrain(const Raster& raster, const HeightField& field, TerrainBounds bounds,
                      std::shared_ptr<TileCache> tiles = nullptr);
    // Shows the Earth, whose ground is in tiles on the cube (TileGrid::onCube()).  Cameras are earth-fixed from then on
    // (core/planet/ellipsoid.h), and the triangulation is a pool of bisectors, which starts anew; another terrain
    // brings the plane back.  Its programs are compiled when they are first needed.  Depth and capacity of the settings
    // are taken as far as the triangulation goes: apply() follows with those that are meant.  On error (kLimit,
    // kShader) the terrain is as it was.
    Status setEarth(std::shared_ptr<TileCache> tiles);
    bool onEarth() const { return terrain_ && terrain_->onEarth(); }
    // Of a terrain in tiles: waits until nothing that the camera wants is missing, at most so long.  False: something
    // still is.
    bool settleTiles(const Camera& camera, double seconds);
    // The share of a tile's fading in that passes in each frame from now on, above 0 and at most 1.
    void fadeTilesBy(float share) { tileFade_ = share; }
    static constexpr float kTileFade = 0.1f;  // where frames are counted and no time: the same path gives the same work
    bool hasTerrain() const { return terrain_.has_value(); }
    const TerrainGpu& terrain() const { return *terrain_; }

    // Takes over what settings ask for, once, before a frame.  The depth changes without losing the triangulation.  On
    // error (kLimit, with the limit) nothing has changed and settings() says what holds.
    Status apply(const Settings& wanted);
    const Settings& settings() const { return settings_; }

    // The tree starts anew from its two halves, whatever was drawn before: what follows depends on camera and settings
    // alone.
    void restart();

    // Size of the picture in pixels.
    Status resize(int width, int height);

    // The passes of one frame, from the tree's update to the resolved picture.  Nothing in it waits for the GPU.
    // `lightRows`: at most so many rows of the light map are brought up to date (0: all).
    void frame(const Camera& camera, std::uint64_t frame, int lightRows);

    // The same in slices, so that others have their turn in between.  begin() decides by what the frame before took, or
    // because that says nothing of this one, whether it is worth it; otherwise the first advance() draws all of it.
    // Until drawing() is over, framebuffer() has the frame before: keepPicture() must have been called.  A terrain,
    // heights, shaders or a frame that come in between end it as it is.
    void begin(const Camera& camera, std::uint64_t frame, int lightRows);
    static constexpr double kSlowFrameMs = 40;
    void sliceFrom(double ms) { sliceFrom_ = ms; }  // what a frame has to take before it is worth it; 0: smallest steps
    void advance(double ms);                        // so long, or one step where that takes longer
    bool drawing() const { return steps_.waiting(); }
    bool sliced() const { return sliced_; }  // the frame that was begun last
    const SlicesTime& slicesTime() const { return steps_.time(); }
    void keepPicture(bool on) { keepsPicture_ = on; }  // from the next resize() on

    // The next frame shows another scene: until it was drawn and counted, stats() has no figures.
    void leaveScene();

    // Whether framebuffer() has what a frame of that camera and size would show, and nothing is on its way in it.
    bool rests(const Camera& camera, int width, int height) const;
    // Work that will still change framebuffer() or the figures of stats(), if frames of that camera and size follow.
    Pending pending(const Camera& camera, int width, int height) const;

    // Other heights for the terrain that there is, whose extent stays; a frozen tree stays, too.
    Status changeHeights(const Raster& raster, const HeightField& field, TerrainBounds bounds);

    // Drapes an image over the terrain that there is, until another terrain takes its place, or takes it away (null).
    // Errors: kLimit, kShader; nothing has changed then.
    Status setImage(const DrapedPicture* draped);
    bool hasImage() const { return terrain_ && terrain_->image(); }
    void showContoursEvery(double metres);  // where they are shown; not scaled

    void blank();  // a dark picture, while there is no terrain

    // Counters and pass times that have arrived; never waits unless told to.
    void collect(std::uint64_t nanoseconds = 0);
    // What frame `frame` took by the CPU's clock, in milliseconds, without what it slept: what the governor goes by
    // where the GPU's clock is none of hardware.
    void tookTime(std::uint64_t frame, double ms);
    const FrameTimeGovernor& governor() const { return governor_; }  // off unless budget.mode is frame_ms
    void observe(FrameObserver* observer) { observer_ = observer; }  // null: nobody
    double finestLeg() const;  // metres: of the smallest triangles that the tree can draw; there must be a terrain
    int framesInFlight() const
    {
        return std::max(
            {tree_->recordsInFlight(), checks_.verdictsInFlight(), checks_.errorsInFlight(), checks_.jumpsInFlight()});
    }

    // The mesh of every frame is validated, or not: verdicts come with stats() and to the observer.  Errors: kShader,
    // kLimit.
    Status validateEachFrame(bool on);
    bool validating() const { return checks_.validating(); }
    // The mesh of the frame that was drawn last; waits for it.  kLimit also where the driver does not answer.
    Result<MeshVerdict> validateNow();

    // How far what is drawn lies from the elevation model, in every frame whose number divides by `frames` (0: in
    // none); figures come with stats().  Errors as above.
    Status measureErrorsEvery(int frames);
    int errorPeriod() const { return checks_.errorPeriod(); }
    Status prepareMeasuring() { return checks_.prepareErrors(); }  // so that the first measurement takes no longer
    Result<PixelFigures> measureErrorNow();                        // in the frame that was drawn last; waits for it
    // Measured by brute force on the CPU: a ray through each pixel against every triangle that was drawn
    // (ground_judge.h).  `field`: the heights of a terrain in one image.  Waits; some seconds for a large picture.
    // Errors as above.
    Result<PixelFigures> judgeErrorNow(const HeightField& field);

    // How far what is drawn lies from what the frame before drew there, in every frame.
    Status measureJumps(bool on);
    bool measuringJumps() const { return checks_.measuringJumps(); }
    // The largest of them since the last call, or since measuring began; waits.  Empty: none was measured.
    std::optional<double> takeLargestJump();

    // Between frames, of the tree and the camera that were drawn last; there must be a terrain.  See tree_looks.h.
    Status askLeaf(glm::dvec2 place, std::uint64_t question);
    Status askLeafOnEarth(const glm::dvec3& position, std::uint64_t question);  // earth-fixed
    Status drawTopView(glm::dvec2 corner, double step, int side);
    std::optional<LeafAnswer> takeLeaf(std::uint64_t nanoseconds = 0) { return looks_.takeLeaf(nanoseconds); }
    bool leafAsked() const { return looks_.leafAsked(); }
    GLuint topView() const { return looks_.topView(); }

    // Rounds until the tree rested, from the next frame on.
    void countRoundsAnew();
    std::uint32_t rounds() const { return rounds_; }  // as far as the GPU has told

    const FrameStats& stats() const { return stats_; }  // without interval and CPU time
    GpuTimers& timers() { return timers_; }
    bool timersOffered() const { return timers_.offered(); }
    GLuint framebuffer() const { return target_.resolved(); }
    int width() const { return target_.width(); }
    int height() const { return target_.height(); }

    // Settled: the last finished round, for the present camera and settings, made no split and no merge.
    bool settled() const { return stats_.settled; }
    bool busy() const { return !lightDone_; }

    // Reads and compiles all shaders again.  Where a program of the tree or of the terrain has another text than
    // before, the tree settles again, the leaves are culled again, and gradients and light map are made again.
    ReloadReport reloadShaders();
    std::uint64_t sourceHash() const;  // of the text of all programs that a frame runs
    bool shadersReady() const { return library_.ready(); }
    Triangulation& tree() { return *tree_; }
    std::vector<BufferUse> memory() const;
    std::uint64_t memoryBytes() const;  // the sum of it

private:
    // What the level of detail depends on: while it is unchanged and the tree is settled, no round runs.
    struct LodInput
    {
        glm::dvec3 position{0.0};
        double fov = 0;
        glm::dvec2 shift{0.0};
        int height = 0;
        int depth = 0;
        std::uint32_t leafCapacity = 0;
        Settings::Lod lod;
        int patchLevel = 0;
        float heightScale = 1;
        std::uint64_t shaders = 0;  // a hash of their text
        // A triangle budget, and what decides how many triangles are in view; 0 without one.
        float triangleBudget = 0;
        // Yaw, pitch, width of the picture: with a budget, and on the Earth, where less counts out of view.
        glm::dvec3 aim{0.0};
        std::uint64_t residency = 0;      // of tiles
        std::optional<float> waterLevel;  // on the Earth, where the sea is ground
        bool operator==(const LodInput&) const = default;
    };
    struct CullInput
    {
        Camera camera;
        int width = 0, height = 0, patchLevel = 0;
        float heightScale = 1;
        std::uint64_t shaders = 0;
        std::uint64_t residency = 0, shownTiles = 0;
        std::optional<float> waterLevel;  // as above
        bool operator==(const CullInput&) const = default;
    };

    // All that a picture follows from: while it is unchanged, the picture is.
    struct PictureInput
    {
        Camera camera;
        Settings settings;
        int width = 0, height = 0;
        float scale = 100;
        std::uint64_t version = 0;  // of terrain and shaders
        std::uint64_t tiles = 0;    // of those that are shown, with their weights
        bool validating = false;
        int errorPeriod = 0;
        bool measuringJumps = false;
        bool operator==(const PictureInput&) const = default;
        bool sameButCamera(PictureInput other) const
        {
            other.camera = camera;
            other.settings.view = settings.view;
            return *this == other;
        }
        // As above, but tiles may have come and gone.
        bool sameScene(PictureInput other) const
        {
            other.tiles = tiles;
            return sameButCamera(other);
        }
    };

    Renderer(Context& context, const std::filesystem::path& dataRoot);
    Status upload(const Raster& raster, const HeightField& field, TerrainBounds bounds,
                  std::shared_ptr<TileCache> tiles, bool keepsImage);
    Status choosePrograms(bool tiled, bool detail);
    Status chooseForChecks(const std::vector<ShaderDefine>& choice);
    static bool sameNames(const std::vector<ShaderDefine>& a, const std::vector<ShaderDefine>& b);
    ShaderDialect dialect() const;
    Status prepareEarth();
    Status chooseOnEarth(bool detail);
    Status takeTree(bool earth);
    TerrainPicture& picture() { return onEarth() ? *earthDrawing_ : drawing_; }
    const TerrainPicture& picture() const { return onEarth() ? *earthDrawing_ : drawing_; }
    ShaderLibrary& programs() { return onEarth() ? *earthLibrary_ : library_; }
    Status applyDetail(const Settings& wanted);
    Status applyRest(const Settings& wanted);
    TileView tileView(const Camera& camera) const;
    void updateTiles(const Camera& camera);
    std::uint64_t residency() const;
    float triangleBudget() const;  // 0: none
    int roundsNow(const Camera& camera);
    void uploadFrame(const Camera& camera);
    float scaleInEffect() const;  // percent
    PictureInput inputOf(const Camera& camera) const;
    void plan(const Camera& camera, std::uint64_t frame, int lightRows, bool sliced);
    void planLight(int rows);
    void planTree(const Camera& camera);
    void planPicture(const Camera& camera);
    void planRanges();
    void planMeasuring(const Camera& camera);
    void planSurroundings();
    void banded(GpuPass pass, int bands, const std::function<void()>& work);
    void drawn(GpuPass pass, StepKind kind, std::function<void()> work);
    void bindAll() const;
    void finish(std::uint64_t frame);
    void drop();
    void drawGround();
    void drawAround(const Camera& camera);
    FrustumCorners frozenFrustum(const Camera& camera) const;
    void describeCamera(const Camera& camera, gpu::FrameUniforms& u);
    void describeOnEarth(const Camera& camera, gpu::FrameUniforms& u);
    bool jumped(const LodInput& input) const;
    bool calm() const;       // neither the tree nor the governor will change the picture
    bool tilesRest() const;  // nor will tiles
    bool errorRead() const;  // measured, where it is measured, since the picture became calm
    void forgetFigures();
    void bindForChecks() const;
    void govern(const Settings& wanted);
    PictureView drawnPicture() const;
    void collectChecks();
    std::uint32_t leavesInView() const;

    Context& context_;
    std::filesystem::path root_;
    ShaderLibrary library_;
    MakeTriangulation makeTree_;
    TerrainPrograms terrainPrograms_;
    TerrainPicture drawing_;
    std::unique_ptr<Triangulation> tree_;
    std::optional<TerrainGpu> terrain_;
    PatchMesh patch_;
    RenderTarget target_;
    Buffer frameUniforms_;
    // Of the Earth, once it was shown.
    std::optional<ShaderLibrary> earthLibrary_;
    MakeTriangulation makePool_;
    std::optional<TerrainPicture> earthDrawing_;
    std::optional<EarthBlocks> earthBlocks_;
    GpuTimers timers_;
    Settings settings_;
    FrameStats stats_;
    FrameTimeGovernor governor_;
    FramePairs paired_;  // times and triangles of the newest frames, as they come in
    FrameObserver* observer_ = nullptr;
    FrameChecks checks_;
    TreeLooks looks_;

    FrameSteps steps_;
    bool sliced_ = false, keepsPicture_ = false;
    double sliceFrom_ = kSlowFrameMs;
    double frameMs_ = 0, rangesMs_ = 0, skyMs_ = 0;  // of the newest frames: all; the ground and the sky in slices
    std::uint64_t uploadedBefore_ = 0;
    std::optional<PictureInput> picture_;    // of the frame that was begun last
    int sameFrames_ = 0;                     // frames before it that were the same
    std::uint64_t sameFrom_ = 0;             // the first of them
    std::uint64_t figuresFrom_ = 0;          // the first frame of the scene that is shown
    std::optional<std::uint64_t> calmFrom_;  // the first frame that was begun when nothing was left to change
    std::uint32_t roundChanges_ = 0;         // of the newest round that has been counted
    std::uint64_t version_ = 0;
    double contourInterval_ = 0;
    float tileFade_ = kTileFade;

    static constexpr double kNearPlane = 0.2;  // metres; a reversed float depth has precision to spare
    std::optional<LodInput> lodInput_;
    std::optional<CullInput> cullInput_;
    std::uint64_t frame_ = 0, inputFrame_ = 0;  // the present frame, and the one in which the input last changed
    int settlingRounds_ = 0;                    // left of the burst that follows a jump
    std::optional<Camera> frozen_;
    Camera drawn_;                       // the last frame's
    std::optional<glm::dvec3> before_;   // where the camera was when tiles were last asked for
    std::optional<double> largestJump_;  // since it was last asked for
    std::uint32_t rounds_ = 0;
    std::uint64_t roundsFrom_ = 0;  // the first frame that counts for them
    bool lightDone_ = false;
    std::uint64_t shaderHash_ = 0;  // of the text of the programs that run, but for those of picture_
};

}  // namespace orogen::app
