// Plays, holds and scrubs a camera path: in real time in a window, by frame without one.
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

    // Loads a path, or the same path for another terrain; continues at the same fraction, or from the beginning.
    void load(CameraFlight flight, bool fromBeginning);
    void play();  // no effect without a path
    void pause() { playing_ = false; }
    void scrub(double fraction);  // also pauses

    // Returns the camera of this frame and advances by `seconds`.  Nothing unless playing or just scrubbed.  With
    // constant `seconds` from the beginning, frame n equals CameraFlight::at(n, seconds) bit for bit.
    std::optional<Camera> advanced(double seconds);

private:
    double seconds() const { return origin_ + double(steps_) * step_; }
    void moveTo(double seconds);

    std::optional<CameraFlight> flight_;
    double origin_ = 0, step_ = 0;  // seconds; time is counted in steps to avoid accumulating rounding errors
    std::uint64_t steps_ = 0;
    bool playing_ = false, scrubbed_ = false;
};

}  // namespace orogen
