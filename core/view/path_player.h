// Plays, holds and scrubs a camera path: by the clock in a window, by the frame without one.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "core/view/camera_flight.h"

namespace orogen {

class PathPlayer
{
public:
    bool playing() const { return playing_; }
    double fraction() const { return flight_ ? flight_->fractionAt(seconds()) : 0.0; }

    // The same path on another terrain, or another path: goes on from where it was, or from the beginning.
    void load(CameraFlight flight, bool fromBeginning);
    void play();  // no effect without a path
    void pause() { playing_ = false; }
    void scrub(double fraction);  // and pauses

    // The camera of this frame; the next one is `seconds` later.  Empty unless it plays or has just been scrubbed.
    // With equal `seconds` from the beginning on, frame n is CameraFlight::at(n, seconds) bit for bit.
    std::optional<Camera> advanced(double seconds);

private:
    double seconds() const { return origin_ + double(steps_) * step_; }
    void moveTo(double seconds);

    std::optional<CameraFlight> flight_;
    double origin_ = 0, step_ = 0;  // seconds; counted in steps, so that equal ones do not add up their rounding
    std::uint64_t steps_ = 0;
    bool playing_ = false, scrubbed_ = false;
};

}  // namespace orogen
