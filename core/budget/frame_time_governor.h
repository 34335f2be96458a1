// How many triangles a frame may draw so that it takes a given time, on a machine whose costs are not known.
//
// A frame is taken to cost  fixed + slope * triangles  milliseconds.  Both numbers differ between machines, views and
// moments, so the line is fitted while it is used: through the medians of the newest frames, which follow a change of
// cost within some frames and leave outliers out, with the slope that differences between frames of unlike size show
// (the median of them, Theil and Sen).  Where all frames are of one size there is no slope to be seen, and the share of
// the time that grows with the triangles is kept as it was last seen.
//
// Where the fewest triangles still take too long, the size of the picture follows (scale_governor.h), and the triangles
// stay at their fewest until it is whole again.
//
// What is measured belongs to a frame, not to the moment in which it becomes known: answers may come any number of
// frames late.  Nothing here is summed up over time, so nothing winds up while an answer is awaited or while the
// triangles cannot follow.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>

#include "core/budget/scale_governor.h"

namespace orogen {

inline constexpr double kGovernorTolerance = 0.10;       // of the target: within it a time counts as held
inline constexpr double kGovernorNearStep = 0.01;        // of the triangles, a frame, at most, once the time is near
inline constexpr double kGovernorFarStep = 0.25;         // the same before
inline constexpr double kGovernorLeast = 1'000;          // triangles that are asked for at least
inline constexpr std::uint64_t kGovernorSettling = 120;  // frames within which a target that can be held is held

enum class GovernorState
{
    kOff,          // no target
    kSettling,     // on the way, or nothing is known yet
    kHeld,         // the newest frames take the target, to kGovernorTolerance
    kUnreachable,  // the fewest triangles there are take longer: the target lies below the fixed cost
    kAtFinest,     // the most triangles there are take less: nothing is left to spend time on
};

struct GovernorReport
{
    GovernorState state = GovernorState::kOff;
    double targetMs = 0;
    std::optional<double> reachedMs{}, smallestMs{};  // as below
    double scale = 0, wholeScale = 0;                 // percent of each side: drawn, and as it is set; 0: not governed
};

class FrameTimeGovernor
{
public:
    // Milliseconds a frame may take; 0: no target.  Another target begins anew, but keeps what the machine has shown.
    void setTarget(double ms);
    // render.scale as it is set, percent: the scale follows the target, too, once the triangles are at their fewest,
    // and the triangles only once it is whole again.  0, or never called: the scale stays as it is set.
    void setScale(double percent) { scale_.setWhole(percent); }
    double scale() const { return scale_.scale(); }         // percent, that the next frame should be drawn at
    bool scaleLowered() const { return scale_.lowered(); }  // it is smaller than it is set
    // What a frame costs has changed for a reason that is known (another picture size, shading or terrain).
    void forget();

    // What one frame took and drew; frames may be left out, and come in any order and late.  Values that are no
    // positive finite numbers are left out.  Cost: some 10 µs.
    void measured(std::uint64_t frame, double ms, double triangles);

    // The triangles that the next frame should draw; 0: as many as it likes.
    double triangleTarget() const;
    double targetMs() const { return target_; }
    GovernorState state() const { return state_; }
    // Median time of the newest frames; empty: none yet.
    std::optional<double> reachedMs() const;
    // The least that a frame takes here, whatever is left out of it: where the fitted line ends, or as measured where
    // fewer triangles cannot be had.  Only where the state is kUnreachable.
    std::optional<double> smallestMs() const;
    std::optional<GovernorReport> report() const;  // empty without a target

private:
    struct Sample
    {
        std::uint64_t frame = 0;
        double ms = 0, triangles = 0;
    };
    struct Middle  // of the newest frames
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
    std::deque<Sample> samples_;  // by frame, the newest last
    double target_ = 0, asked_ = 0;
    double share_ = 0;      // of a frame's time that grows with its triangles; 0: not seen yet
    int stuck_ = 0;         // frames in a row in which the triangles did not follow what was asked
    double stuckAt_ = 0;    // triangles when that began
    int dear_ = 0;          // frames in a row in which the line ended above the target
    int away_ = 0;          // frames in a row that were not near the target
    bool settled_ = false;  // the target has been held, and not been left for long
    int beside_ = 0;        // frames in a row in which the line did not pass where the newest frames lie
    double smallest_ = 0;
    GovernorState state_ = GovernorState::kOff;
};

// What a frame took and what it drew become known apart, in either order and some frames late: puts the two together.
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
