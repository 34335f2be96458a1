// Chooses the picture's scale and the LOD thresholds (screen-space errors in pixels) so that each frame takes a given
// time.  The speed of the machine need not be known.
//
// The governor moves along one path of decreasing detail. "As set" means as in the settings; `finest` and `coarsest`
// are the arguments of setRange().  From fine to coarse:
//
//     thresholds times `finest` ... thresholds as set         at the scale as set
//     scale as set ... kMiddleScale                           at the thresholds as set
//     thresholds as set ... times kMiddleCoarser              at kMiddleScale
//     kMiddleScale ... kLeastScale                            at the thresholds times kMiddleCoarser
//     thresholds times kMiddleCoarser ... times `coarsest`    at kLeastScale
//
// Pixels are shaded from the elevation model, not from the triangles, so that a threshold of 2 pixels changes little
// but silhouettes; a picture at half its size looks blurred.  So thresholds rise before the scale leaves kMiddleScale.
//
// Each place on this path is cheaper than the ones before it, on any machine.  A step to coarser detail follows from
// the measured time.  Where a smaller scale alone cannot suffice, because the time shrinks with the number of pixels at
// best, the step raises the thresholds, too.  A step to finer detail assumes the worst case: the time grows with the
// number of pixels, or with the inverse square of the threshold.  The governor takes the step only if this time still
// meets the target.  The gap between these two rules prevents oscillation.
//
// The governor reads no clock: it knows frame numbers and the frame times that it is given.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>

namespace orogen {

inline constexpr double kMiddleScale = 70, kLeastScale = 50;  // percent of each side
inline constexpr double kMiddleCoarser = 2;                   // factor on the thresholds
inline constexpr double kScaleStep = 5;                  // percent; each scale needs a render target of its own size
inline constexpr double kMostCoarser = 4;                // limits of the factor on the thresholds: this and its inverse
inline constexpr double kGovernorTolerance = 0.10;       // accepted excess over the target, as a share of the target
inline constexpr std::uint64_t kGovernorSettling = 120;  // frames within which a reachable target is reached

enum class GovernorState
{
    kOff,          // no target
    kSettling,     // converging, or nothing known yet
    kHeld,         // at least a third of the newest frames meet the target within kGovernorTolerance
    kUnreachable,  // even the coarsest detail takes longer than the target
    kAtFinest,     // even the finest detail takes less than the target
    kAtRest,       // only in reports of LodController: the camera rests, so the picture is drawn as set
};

// Place on the governor's path.
struct GovernedDetail
{
    double scale = 100;  // percent of each side of the picture
    double coarser = 1;  // factor on the LOD thresholds; > 1: coarser than the settings, < 1: finer
    bool operator==(const GovernedDetail&) const = default;
};

struct GovernorReport
{
    GovernorState state = GovernorState::kOff;
    double targetMs = 0;
    std::optional<double> reachedMs{};  // median of the newest frames; empty with fewer than three
    double wholeScale = 100;            // render.scale of the settings (percent of each side)
};

class FrameTimeGovernor
{
public:
    // Sets the target (ms per frame).  <= 0: no target, and detail() is the scale and thresholds of the settings.
    void setTarget(double ms);
    // Sets both ends of the path.  `scale`: render.scale (percent); a scale below kLeastScale is not lowered further.
    // `finest`, `coarsest`: range of the factor on the thresholds, around 1.
    void setRange(double scale, double finest, double coarsest);
    // Discards all measured times: costs changed for a known reason (picture size, shading, terrain).
    void forget();

    // Returns the detail of frame `frame`, which is about to be drawn.  Frame numbers rise.
    GovernedDetail begin(std::uint64_t frame);
    // Adds the time of a frame.  Times of frames may be missing or arrive late.  Ignores times that are not positive
    // and finite, and frames that were drawn before the last step took effect.
    void measured(std::uint64_t frame, double ms);

    GovernedDetail detail() const { return now_; }  // present detail
    bool lowered() const { return now_.scale < whole_.scale || now_.coarser > 1; }
    double targetMs() const { return target_; }
    GovernorState state() const { return state_; }
    std::optional<double> reachedMs() const;       // median of the newest frames; empty with fewer than three
    std::optional<GovernorReport> report() const;  // empty without a target

private:
    // Ends of the path's inner sections.
    double middleScale() const { return std::min(kMiddleScale, whole_.scale); }
    double leastScale() const { return std::min(kLeastScale, whole_.scale); }
    double middleCoarser() const { return std::min(kMiddleCoarser, coarsest_); }
    bool stepCoarser(double ms);
    bool stepFiner(double ms);
    void take(const GovernedDetail& goal);

    double target_ = 0;                 // milliseconds
    GovernedDetail whole_;              // scale and thresholds of the settings
    double finest_ = 1, coarsest_ = 1;  // range of GovernedDetail::coarser
    GovernedDetail now_, goal_;         // `now_` approaches `goal_`
    double slew_ = 1;                   // largest factor by which now_.coarser changes per frame
    std::uint64_t from_ = 0;            // first frame whose time counts
    bool moved_ = false;                // a step or forget() came after the last begin(); times do not count
    bool stepped_ = false;              // a step came after the last begin()
    std::deque<double> times_;          // milliseconds, newest last, all at the present detail
    GovernorState state_ = GovernorState::kOff;
};

}  // namespace orogen
