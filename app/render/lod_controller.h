// Controls the level of detail: how many rounds each frame runs, when leaves are culled again, and the budgets.  A
// round is one update of the triangulation (leaf_rounds.h).  Also decides when cached decisions on leaves (verdicts,
// see lod_verdicts.glsl) are discarded.  All this depends on camera, settings and loaded heights, so that a path over
// fully loaded heights gives equal work each time.  Only a frame time budget depends on time.
#pragma once

#include <cstdint>
#include <optional>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "app/render/frame_steps.h"
#include "app/render/terrain_gpu.h"
#include "app/render/triangulation.h"
#include "app/render/world.h"
#include "core/budget/frame_time_governor.h"
#include "core/settings.h"
#include "core/view/camera.h"

namespace orogen::app {

// Prepares the terrain's geometric errors for the criterion `error`; arguments and errors as
// TerrainGpu::prepareErrors().  Until the terrain has them, replaces the criterion in `settings` by `edge`.
Status prepareErrors(TerrainGpu& terrain, bool wait, Settings& settings);

class LodController
{
public:
    // Passes the budget on to the governor (frame_time_governor.h).  The governor starts over if settings change that
    // determine the cost of a frame.
    void apply(const Settings& before, const Settings& wanted);
    void restart();                          // call after the tree was reset
    void treeReplaced();                     // call after the tree was replaced
    void leaveScene() { settled_ = false; }  // call before a frame of another scene
    void cullAgain() { cull_.reset(); }      // the listed leaves may be outdated

    // Sets whether the camera rests.  While it rests, a frame time budget neither lowers the scale nor raises the
    // thresholds of the settings.
    void rest(bool atRest) { atRest_ = atRest; }
    void beginFrame(std::uint64_t frame);  // advances the governor; call before scale() and plan()

    // The frame that is about to be drawn.
    struct Frame
    {
        std::uint64_t number = 0;
        const Camera& camera;
        int width = 0, height = 0;  // drawn size
        PicturePart seen;           // the part of the picture that will be visible
        std::uint64_t shaders = 0;  // hash of the shaders' text
    };
    // Passes over the leaves are split into steps of about `leaves` each; `known`: number of leaves as last counted.
    struct Slices
    {
        std::uint32_t known = 0, leaves = 0;
    };
    // Adds the passes of this frame over the tree: rounds until it is stable; without a round, culling if the inputs of
    // culling changed.  Makes the tree discard outdated verdicts.  `slices`: empty to submit each round at once.
    void plan(const Frame& frame, const Settings& settings, const RenderWorld& world, const TerrainGpu& terrain,
              Triangulation& tree, const std::optional<Slices>& slices, FrameSteps& steps, GpuTimers& timers);

    // Takes the counters of a finished frame.
    void record(const Triangulation::Record& record);
    // Takes the time of a frame (milliseconds).
    void recordTime(std::uint64_t frame, double ms);

    static float triangleBudget(const Settings& settings);  // 0: no budget
    GovernedDetail detail(const Settings& settings) const;  // in effect
    float scale(const Settings& settings) const { return float(detail(settings).scale); }
    Settings inEffect(const Settings& settings) const;  // with the thresholds in effect
    // Returns whether the last finished round, for the current camera and settings, made no split and no merge, or the
    // tree is frozen.
    bool settled() const { return settled_; }
    // Returns whether tree and governor will leave a picture unchanged whose inputs were equal in the last `sameFrames`
    // frames.
    bool calm(int sameFrames) const;
    std::uint32_t roundChanges() const { return roundChanges_; }     // splits and merges of the last counted round
    const FrameTimeGovernor& governor() const { return governor_; }  // off unless budget.mode is frame_ms
    // Returns the governor's report.  While the camera rests and the picture is drawn as set, the state is kAtRest, and
    // frame times from before the rest are left out.
    std::optional<GovernorReport> report() const;

    // Resets roundsToSettle(), the count of rounds until the tree was stable, from the next frame on.
    void countRoundsAnew();
    std::uint32_t roundsToSettle() const { return roundsToSettle_; }  // as last reported by the GPU

private:
    // Inputs of the level of detail.  While they are unchanged and the tree is stable, no round runs.
    struct Input
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
        std::uint64_t shaders = 0;
        float triangleBudget = 0;  // 0: none
        double coarser = 0;        // GovernedDetail::coarser; 0 without a frame time as budget
        // Yaw, pitch, picture width and visible part with a triangle budget, or if leaves out of view are coarser;
        // otherwise as initialised.
        glm::dvec3 aim{0.0};
        PicturePart seen;
        std::uint64_t residency = 0;      // HeightStore::residency()
        std::uint64_t heights = 0;        // TerrainGpu::heightChanges()
        std::optional<float> waterLevel;  // RenderWorld::seaInGround()
        float detailEdge = 0;
        bool operator==(const Input&) const = default;
    };
    struct CullInput
    {
        Camera camera;
        PicturePart seen;
        int width = 0, height = 0, patchLevel = 0;
        float heightScale = 1;
        std::uint64_t shaders = 0;
        std::uint64_t residency = 0, shownTiles = 0, heights = 0;
        std::optional<float> waterLevel;  // RenderWorld::seaInGround()
        bool operator==(const CullInput&) const = default;
    };
    Input inputOf(const Frame& frame, const Settings& settings, const RenderWorld& world, const TerrainGpu& terrain,
                  int depth) const;
    int rounds(const Frame& frame, const Settings& settings, const RenderWorld& world, const TerrainGpu& terrain,
               Triangulation& tree);

    bool restored() const;     // whether a lowered scale or detail is ignored at rest
    bool asSetAtRest() const;  // whether the camera rests, and no budget changes the picture

    FrameTimeGovernor governor_;
    bool finer_ = true;      // budget.finer
    bool atRest_ = false;    // the camera rests
    bool restored_ = false;  // the last begun frame ignored a lowered scale or detail
    std::optional<Input> input_;
    std::optional<CullInput> cull_;
    std::uint64_t frame_ = 0;       // number of the last planned frame
    std::uint64_t inputFrame_ = 0;  // frame of the last input change
    int settlingRounds_ = 0;        // rounds still to run because the camera jumped or another input changed
    bool settled_ = false;
    std::uint32_t roundChanges_ = 0;
    std::uint32_t roundsToSettle_ = 0;
    std::uint64_t roundsFrom_ = 0;  // first frame that roundsToSettle_ includes
    bool countsAnew_ = false;       // the next frame resets the count of rounds
};

}  // namespace orogen::app
