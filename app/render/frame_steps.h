// The work of one frame as a list of steps, and options of drawing it.  Slow frames, mostly those of software drivers,
// run their steps in slices, between which panels react.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "app/gl/timers.h"
#include "core/colour/colour_ramp.h"
#include "core/frames/sample/frame_record.h"
#include "core/view/camera.h"

namespace orogen::app {

enum class StepKind
{
    kLight,
    kTree,
    kGround,
    kSky,
    kOther,
    kCount,
};

// Time that a frame drawn in slices has taken so far (milliseconds).
struct SlicesTime
{
    double submitMs = 0;   // submission by the CPU
    double waitMs = 0;     // waiting for the GPU
    double longestMs = 0;  // longest slice
    int slices = 0;
    std::array<double, std::size_t(StepKind::kCount)> ms{};  // submission and waiting, by kind

    double wholeMs() const { return submitMs + waitMs; }
};

// Rows of a picture, from the bottom up.
struct Rows
{
    int first = 0, end = 0;
};

// Steps that run at once, or in slices of limited time with other work in between.  Both modes do the same work in the
// same order, so the picture is identical.
class FrameSteps
{
public:
    static constexpr double kStepMs = 12;  // wanted maximum of a step's time in a sliced frame (milliseconds)

    // Starts an empty list of steps.  advance() runs it in slices if `sliced`, otherwise at once.  `enter` runs before
    // the first step of every slice and restores the OpenGL bindings, which other code may have changed in between.
    // `leave` runs after the last step of every slice.
    void begin(bool sliced, std::function<void()> enter, std::function<void()> leave);
    void add(StepKind kind, std::function<void()> work);
    void add(StepKind kind, GpuTimers& timers, GpuPass pass, std::function<void()> work);  // under the timer of a pass
    // Adds work on the `height` rows of the picture.  If the frame is sliced, each band of rows is a step, from the
    // bottom up.  The last sliced frame's time determines the number of bands.
    void addBanded(GpuTimers& timers, GpuPass pass, int height, const std::function<void(Rows)>& work);
    void drop();  // discards the remaining steps

    bool waiting() const { return next_ < steps_.size(); }
    void runAll();            // without waiting for the GPU
    void advance(double ms);  // runs a slice of about `ms`, or one step if that takes longer; not sliced: all steps

    // ---- times -----------------------------------------------------------------------------------------------------
    bool sliced() const { return sliced_; }                 // whether the last begun frame is sliced
    const SlicesTime& time() const { return time_; }        // last begun frame; 0 if it is not sliced
    const SlicesTime& wholeTime() const { return whole_; }  // last sliced frame that is complete
    double frameMs() const { return frameMs_; }             // last frame (milliseconds)
    void recordFrame(double ms) { frameMs_ = ms; }          // time of a frame that was drawn at once

private:
    struct Step
    {
        StepKind kind;
        std::function<void()> work;
    };
    double runStep();  // milliseconds
    // Runs at least one step.  Stops before a step with which the slice would exceed `ms` if that step took as long as
    // the last one.  Waits for the GPU after each step: a software rasteriser draws only then, and the step's time
    // becomes known.
    void runSlice(double ms);

    std::function<void()> enter_, leave_;
    std::vector<Step> steps_;
    std::size_t next_ = 0;
    bool sliced_ = false;
    SlicesTime time_, whole_;
    double frameMs_ = 0;
};

// How frames are drawn; may change between frames.
struct FrameOptions
{
    static constexpr float kTileFade = 0.1f;  // progress per frame instead of per second, for reproducible runs
    // Milliseconds.  Slower frames are sliced, so that panels answer a click within 100 ms.
    static constexpr double kSlowFrameMs = 80;

    float tileFade = kTileFade;              // fade-in progress of a tile per frame, in (0, 1]
    double sliceFromMs = kSlowFrameMs;       // Renderer::begin() slices slower frames; 0: all frames, in smallest steps
    bool keepsPicture = false;               // keeps the old picture while the next is drawn; resize() applies a change
    bool followsFrozen = false;              // lod.frozen keeps the tree, but not the camera by which it is measured
    bool awaitsErrors = true;                // apply() waits for geometric errors, if the criterion `error` needs them
    double contourInterval = 100;            // contour interval (metres, unscaled)
    std::optional<HeightRange> viewHeights;  // heights in view, for colours that follow them; empty: unknown
    PicturePart seen;                        // the part of the picture that panels leave visible; the rest is undefined
    FrameHistory* history = nullptr;         // receives GPU results that arrive after their frame; null: none
};

}  // namespace orogen::app
