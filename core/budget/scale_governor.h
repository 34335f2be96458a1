// How large a part of a picture's sides is drawn, so that a frame takes a given time, once there is no detail left to
// be taken away.
//
// What a frame takes grows with its pixels at most in proportion.  So a scale that is larger by a factor f is taken
// only where f² times the present time lies below the target: what was taken back is not asked for again at once.
// Scales are multiples of a step, because each needs a target of its own size.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>

namespace orogen {

inline constexpr double kLeastScale = 25;  // percent of each side
inline constexpr double kScaleStep = 5;    // percent

class ScaleGovernor
{
public:
    // `percent`: render.scale as it is set, kLeastScale ... 100; more is never drawn.  0: the scale is not governed.
    void setWhole(double percent);
    double whole() const { return whole_; }

    double scale() const { return scale_; }  // percent, in effect
    bool lowered() const { return scale_ < whole_; }

    // The first step down: frames take `ms` at the whole scale.  False: it is not governed, or as small as it gets.
    bool lower(double ms, double targetMs);
    // What one frame took while the scale is lowered; frames that were on their way when it changed come first and are
    // left out.
    void measured(double ms, double targetMs);
    void forget();   // what a frame costs has changed
    void restore();  // back to the whole scale, at once

    std::optional<double> reachedMs() const;  // median of the newest frames at this scale
    bool atLeast() const { return scale_ <= kLeastScale; }

private:
    void take(double scale);

    double whole_ = 0, scale_ = 0;
    std::deque<double> times_;  // at this scale, the newest last
    int late_ = 0;              // frames to come that were drawn at the scale before
};

}  // namespace orogen
