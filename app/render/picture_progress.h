// Tells whether the displayed picture is up to date, and which work would still change it, by comparing the inputs of
// successive pictures.  target() and stats() are those of Renderer.
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
    // Parts of the renderer.  Only `checks` and `stats` are changed.
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

    // Returns whether no further frame of that camera and size is needed: neither for the picture nor for its error.
    // Figures of drawn frames may still be in flight (framesInFlight()).  True without a terrain.
    bool rests(const Camera& camera, int width, int height) const;
    // Returns the work that would still change target() or stats() in further frames of that camera and size.
    Pending pending(const Camera& camera, int width, int height) const;
    // Returns the number of frames whose counters or check results have not arrived: the larger of the two numbers.
    int framesInFlight() const;
    std::uint64_t frame() const { return frame_; }  // number of the last begun frame

    // ---- for the renderer ------------------------------------------------------------------------------------------
    void begin(const Camera& camera, std::uint64_t frame);  // takes the inputs of the frame that is drawn now
    // Returns whether a frame of that camera would differ from the last one only in camera, view settings, visible
    // part, heights in view, changed heights and detail in effect.  If so, the last frame's time predicts its time.
    bool sameButCamera(const Camera& camera) const;
    void forget() { picture_.reset(); }  // makes the next picture differ from the last one
    void leaveScene();  // for a picture of another scene: stats() has no figures until the picture's counters arrive
    std::uint64_t figuresFrom() const { return figuresFrom_; }  // first frame of the current scene

private:
    // All inputs of a picture.  While they are unchanged, the picture changes only until stable() returns true.
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
        std::uint64_t tiles = 0;    // sum of shown() of heights and imagery
        bool validating = false;
        int errorPeriod = 0;
        bool measuringJumps = false;
        bool operator==(const Input&) const = default;
        bool sameButCamera(Input other) const;
        // Ignores camera, view settings, visible part, heights in view, thresholds in effect, tiles, changed heights
        // and lines.
        bool sameScene(Input other) const;
    };
    Input inputOf(const Camera& camera) const;
    bool stable() const;     // neither light, tiles, tree nor governor will change the picture
    bool errorRead() const;  // whether the stable picture's error has been read; true if errors are not measured
    void forgetFigures(std::uint64_t from);

    Parts parts_;
    std::optional<Input> picture_;  // inputs of the last begun frame
    std::uint64_t frame_ = 0;       // number of the last begun frame
    int sameFrames_ = 0;            // number of frames directly before the last begun frame that had the same inputs
    std::uint64_t sameFrom_ = 0;    // number of the first frame with these inputs
    std::uint64_t figuresFrom_ = 0;
    std::optional<std::uint64_t> calmFrom_;  // first frame begun while the picture was stable()
};

}  // namespace orogen::app
