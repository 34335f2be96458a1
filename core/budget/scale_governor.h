// Picture scale that makes frames take a given time, once the level of detail cannot be reduced further.
//
// A frame's time grows at most in proportion to its pixels.  So a scale larger by a factor f is chosen only if f² times
// the present time lies below the target, which avoids oscillation.  Scales are multiples of a step, because each needs
// a render target of its own size.
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
    // Sets render.scale (percent, kLeastScale ... 100), the upper limit.  0: the scale is not governed.
    void setWhole(double percent);
    double whole() const { return whole_; }

    double scale() const { return scale_; }  // percent, in effect
    bool lowered() const { return scale_ < whole_; }

    // Takes the first step down; frames take `ms` at the whole scale.  Returns false if the scale is not governed or at
    // its least.
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

}  // namespace orogen
