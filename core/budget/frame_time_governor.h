// Picture scale and LOD thresholds that make frames take a given time, on a machine of unknown costs.
//
// The governor moves along one path.  From fine to coarse:
//
//     thresholds as far below the set ones as allowed ... the set ones   at the set scale
//     the set scale ... kLeastScale                                      at the set thresholds
//     the set thresholds ... kMostCoarser times them                     at kLeastScale
//
// Each frame along this path is cheaper than the one before, whatever the machine.  A step to coarser follows the
// measured time.  A step to finer assumes the largest possible growth, in proportion to the pixels or to the square of
// the threshold, and must then still lie below the target.  The gap between the two rules prevents oscillation.
//
// The governor knows frames, not time: the frame times are all that it measures.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

namespace orogen {

inline constexpr double kLeastScale = 50;                // percent of each side
inline constexpr double kScaleStep = 5;                  // percent; each scale needs a render target of its own size
inline constexpr double kMostCoarser = 4;                // largest factor on the thresholds, and its inverse the least
inline constexpr double kGovernorTolerance = 0.10;       // largest excess over the target while held, relative to it
inline constexpr std::uint64_t kGovernorSettling = 120;  // frames to reach a target that can be held

enum class GovernorState
{
    kOff,          // no target
    kSettling,     // converging, or nothing known yet
    kHeld,         // the newest frames take the target at most, within kGovernorTolerance
    kUnreachable,  // the coarsest takes longer
    kAtFinest,     // the finest takes less
};

// Place on the governor's path.
struct GovernedDetail
{
    double scale = 100;  // percent of the picture's sides
    double coarser = 1;  // factor on the LOD thresholds
    bool operator==(const GovernedDetail&) const = default;
};

struct GovernorReport
{
    GovernorState state = GovernorState::kOff;
    double targetMs = 0;
    std::optional<double> reachedMs{};  // median of the newest frames
    double wholeScale = 100;            // percent of each side, as set
};

class FrameTimeGovernor
{
public:
    // Sets the milliseconds per frame; 0: no target, detail() is then as set.
    void setTarget(double ms);
    // Sets both ends of the path.  `scale`: render.scale (percent); below kLeastScale it is not lowered.  `finest`,
    // `coarsest`: range of the factor on the thresholds, around 1.
    void setRange(double scale, double finest, double coarsest);
    // Discards all measured times: costs changed for a known reason (picture size, shading, terrain).
    void forget();

    // Returns the detail of frame `frame`, which is about to be drawn.  Frame numbers rise.
    GovernedDetail begin(std::uint64_t frame);
    // Adds the time of a frame.  Frames may be missing and late.  Ignores times that are not positive and finite, and
    // frames that were drawn before the last step took effect.
    void measured(std::uint64_t frame, double ms);

    GovernedDetail detail() const { return now_; }  // last begun frame's
    bool lowered() const { return now_.scale < whole_.scale || now_.coarser > 1; }
    double targetMs() const { return target_; }
    GovernorState state() const { return state_; }
    std::optional<double> reachedMs() const;       // empty: no times yet
    std::optional<GovernorReport> report() const;  // empty without a target

private:
    bool stepCoarser(double ms);
    bool stepFiner(double ms);
    void take(const GovernedDetail& goal);

    double target_ = 0;                 // milliseconds
    GovernedDetail whole_;              // as set
    double finest_ = 1, coarsest_ = 1;  // range of GovernedDetail::coarser
    GovernedDetail now_, goal_;         // `now_` approaches `goal_`
    double slew_ = 1;                   // largest factor by which now_.coarser changes per frame
    std::uint64_t from_ = 0;            // first frame whose time counts
    bool moved_ = false;                // a step has not fully taken effect
    std::deque<double> times_;          // newest last, all at the present detail
    GovernorState state_ = GovernorState::kOff;
};

}  // namespace orogen
