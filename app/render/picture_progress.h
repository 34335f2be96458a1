// Compares the inputs of successive pictures.  From that it tells whether the displayed picture is up to date, and
// which work would still change it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "app/render/frame_checks.h"
#include "app/render/frame_steps.h"
#include "app/render/ground_lines.h"
#include "app/render/lod_controller.h"
#include "app/render/render_target.h"
#include "app/render/terrain_gpu.h"
#include "app/render/triangulation.h"
#include "core/frames/sample/frame_record.h"
#include "core/settings.h"
#include "core/view/camera.h"

namespace orogen::app {

class PictureProgress
{
public:
    // Parts of the renderer that determine the picture.
    struct Parts
    {
        const Settings& settings;
        const FrameOptions& options;
        const GroundLines& lines;
        const std::optional<TerrainGpu>& terrain;
        const std::unique_ptr<Triangulation>& tree;
        const RenderTarget& target;
        const LodController& lod;
        const FrameSteps& steps;
        FrameChecks& checks;
        FrameRecord& stats;
    };
    explicit PictureProgress(const Parts& parts) : parts_(parts) {}

    // Returns whether target() shows what a frame of that camera and size would show, with no work in flight.
    bool rests(const Camera& camera, int width, int height) const;
    // Returns the work that would still change target() or stats() in further frames of that camera and size.
    Pending pending(const Camera& camera, int width, int height) const;
    int framesInFlight() const;                     // frames whose counters or figures have not arrived
    std::uint64_t frame() const { return frame_; }  // number of the last begun frame

    // ---- for the renderer ------------------------------------------------------------------------------------------
    void begin(const Camera& camera, std::uint64_t frame);  // takes the inputs of the frame that is drawn now
    // Returns whether a frame of that camera would differ from the last one only in view, changed heights and detail in
    // effect.  Then the last frame's time applies to it.
    bool sameButCamera(const Camera& camera) const;
    void forget() { picture_.reset(); }  // makes the next picture differ from the last one
    void leaveScene();  // for a picture of another scene: stats() has no figures until the picture's counters arrive
    std::uint64_t figuresFrom() const { return figuresFrom_; }  // first frame of the current scene

private:
    // All inputs of a picture.  While they are unchanged, so is the picture.
    struct Input
    {
        Camera camera;
        Settings settings;
        int width = 0, height = 0;
        float scale = 100;
        double coarser = 1;  // GovernedDetail::coarser
        double contourInterval = 0;
        std::optional<HeightRange> viewHeights;
        PicturePart seen;
        std::uint64_t lines = 0;    // GroundLines::changes()
        std::uint64_t heights = 0;  // TerrainGpu::heightChanges()
        std::uint64_t tiles = 0;    // shown() of heights and imagery
        bool validating = false;
        int errorPeriod = 0;
        bool measuringJumps = false;
        bool operator==(const Input&) const = default;
        bool sameButCamera(Input other) const;
        bool sameScene(Input other) const;  // ignores camera, thresholds in effect, resident tiles, heights and lines
    };
    Input inputOf(const Camera& camera) const;
    bool stable() const;     // neither light, tiles, tree nor governor will change the picture
    bool errorRead() const;  // whether an error was measured since the picture was stable; true if disabled
    void forgetFigures(std::uint64_t from);

    Parts parts_;
    std::optional<Input> picture_;  // inputs of the last begun frame
    std::uint64_t frame_ = 0;       // number of that frame
    int sameFrames_ = 0;            // number of identical frames before it
    std::uint64_t sameFrom_ = 0;    // number of the first of these frames
    std::uint64_t figuresFrom_ = 0;
    std::optional<std::uint64_t> calmFrom_;  // first frame begun with nothing left to change
};

}  // namespace orogen::app
