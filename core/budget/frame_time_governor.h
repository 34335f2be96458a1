// Triangle budget and picture scale that make frames take a given time, on a machine of unknown costs.
//
// Model: a frame costs  fixed + slope * triangles  milliseconds.  Both numbers differ between machines, views and
// moments, so the line is refitted continuously.  It passes through the medians of the newest frames, which follow a
// change of cost within some frames and ignore outliers.  Its slope is the median slope over pairs of frames with
// unlike triangle counts (Theil-Sen).  While all counts are alike, the last known share of time that grows with the
// triangles is kept.
//
// If the fewest triangles still take too long, the picture is scaled down (ScaleGovernor); the triangles stay at
// their fewest until it has its full size again.
//
// A measurement belongs to a frame, not to the time of its arrival: results may come any number of frames late.
// Nothing is integrated over time, so there is no wind-up while results are awaited or the triangles cannot follow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>

namespace orogen {

// ---- scale of the picture, once the level of detail cannot be reduced further ----

inline constexpr double kLeastScale = 25;  // percent of each side
inline constexpr double kScaleStep = 5;    // percent

// Chooses the picture scale that makes frames take a given time.
//
// A frame's time grows at most in proportion to its pixels.  So a scale larger by a factor f is chosen only if f² times
// the present time lies below the target, which avoids oscillation.  Scales are multiples of a step, because each needs
// a render target of its own size.
class ScaleGovernor
{
public:
    // Sets render.scale (percent, kLeastScale ... 100), the upper limit.  0: the scale is not governed.
    void setWhole(double percent);
    double whole() const { return whole_; }

    double scale() const { return scale_; }  // percent, in effect
    bool lowered() const { return scale_ < whole_; }

    // Takes a step down; frames take `ms` at the present scale.  Returns false if the scale is not governed, its upper
    // limit is kLeastScale, or `ms` does not exceed the target.
    bool lower(double ms, double targetMs);
    // Adds the time of one frame while the scale is lowered.  Ignores the first frames after a change, which were in
    // flight.
    void measured(double ms, double targetMs);
    void forget();   // discards times: costs have changed
    void restore();  // returns to the whole scale at once

    std::optional<double> reachedMs() const;  // median of the newest frames at this scale
    bool atLeast() const { return scale_ <= kLeastScale; }

private:
    void take(double scale);

    double whole_ = 0, scale_ = 0;
    std::deque<double> times_;  // newest last, all at this scale
    int late_ = 0;              // frames still to ignore
};

// ---- triangle budget ----

inline constexpr double kGovernorTolerance = 0.10;       // largest deviation from the target while held, relative to it
inline constexpr double kGovernorNearStep = 0.01;        // largest relative change per frame near the target
inline constexpr double kGovernorFarStep = 0.25;         // largest relative change per frame elsewhere
inline constexpr double kGovernorLeast = 1'000;          // fewest triangles requested
inline constexpr std::uint64_t kGovernorSettling = 120;  // frames to reach a target that can be held

enum class GovernorState
{
    kOff,          // no target
    kSettling,     // converging, or nothing known yet
    kHeld,         // the newest frames take the target, within kGovernorTolerance
    kUnreachable,  // even the fewest triangles take longer: the target lies below the fixed cost
    kAtFinest,     // even the most triangles take less time
};

struct GovernorReport
{
    GovernorState state = GovernorState::kOff;
    double targetMs = 0;
    std::optional<double> reachedMs{}, smallestMs{};  // as FrameTimeGovernor's functions
    double scale = 0, wholeScale = 0;                 // percent of each side: drawn, and as set; 0: not governed
};

class FrameTimeGovernor
{
public:
    // Sets the milliseconds per frame; 0: no target.  Restarts the control loop but keeps the fitted cost.
    void setTarget(double ms);
    // Sets render.scale (percent).  The scale is lowered once the triangles are at their fewest; the triangles rise
    // only once it is whole again.  0, or never called: the scale is not governed.
    void setScale(double percent) { scale_.setWhole(percent); }
    double scale() const { return scale_.scale(); }         // percent, for the next frame
    bool scaleLowered() const { return scale_.lowered(); }  // below the value set
    // Discards the fit: costs changed for a known reason (picture size, shading, terrain).
    void forget();

    // Adds time and triangles of one frame.  Frames may be missing, late and in any order.  Ignores values that are not
    // positive and finite.  Cost: some 10 µs.
    void measured(std::uint64_t frame, double ms, double triangles);

    // Returns the triangles that the next frame should draw; 0: unlimited.
    double triangleTarget() const;
    double targetMs() const { return target_; }
    GovernorState state() const { return state_; }
    // Returns the median time of the newest frames; nothing if there are none.
    std::optional<double> reachedMs() const;
    // Returns the least time that a frame can take: predicted by the fitted line, or measured if fewer triangles cannot
    // be had.  Only if the state is kUnreachable.
    std::optional<double> smallestMs() const;
    std::optional<GovernorReport> report() const;  // empty without a target

private:
    struct Sample
    {
        std::uint64_t frame = 0;
        double ms = 0, triangles = 0;
    };
    struct Middle  // medians of the newest frames
    {
        double ms = 0, triangles = 0;
    };

    Middle newest() const;
    void dropStale(const Middle& middle);
    void learnShare(const Middle& middle);
    void ask(const Middle& middle);
    void judge(const Middle& middle);
    double lineAtLeast(const Middle& middle) const;
    void lowerScale(const Middle& middle);
    void measuredScaled(double ms);

    ScaleGovernor scale_;
    std::deque<Sample> samples_;     // by frame, newest last
    double target_ = 0, asked_ = 0;  // milliseconds; triangles requested, 0: none yet
    double share_ = 0;               // share of a frame's time that grows with its triangles; 0: unknown
    int stuck_ = 0;                  // consecutive frames whose triangles did not follow the request
    double stuckAt_ = 0;             // triangles at the first of them
    int dear_ = 0;                   // consecutive frames whose prediction for the fewest triangles exceeds the target
    int away_ = 0;                   // consecutive frames not near the target
    bool settled_ = false;           // the target has been held, and not left for long
    int beside_ = 0;                 // consecutive frames in which earlier samples lay off the line
    double smallest_ = 0;            // milliseconds, for smallestMs()
    GovernorState state_ = GovernorState::kOff;
};

// Joins time and triangles of a frame, which arrive separately, in either order and some frames late.
class FramePairs
{
public:
    void time(std::uint64_t frame, double ms, FrameTimeGovernor& governor);
    void triangles(std::uint64_t frame, double triangles, FrameTimeGovernor& governor);

private:
    struct Half
    {
        std::optional<double> ms, triangles;
    };
    void give(std::uint64_t frame, FrameTimeGovernor& governor);

    std::map<std::uint64_t, Half> halves_;  // the newest few
};

}  // namespace orogen
