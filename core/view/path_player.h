// Plays, holds and scrubs a camera path in a window, where time is what the clock says.
#pragma once

#include <optional>
#include <utility>

#include "core/view/camera_flight.h"

namespace orogen {

class PathPlayer
{
public:
    bool playing() const { return playing_; }
    double fraction() const { return flight_ ? flight_->fractionAt(seconds_) : 0.0; }

    // The same path on another terrain, or another path: goes on from where it was, or from the beginning.
    void load(CameraFlight flight, bool fromBeginning);
    void play();  // no effect without a path
    void pause() { playing_ = false; }
    void scrub(double fraction);  // and pauses

    // Where the camera is after `seconds` more: empty unless it plays or has just been scrubbed.
    std::optional<Camera> advanced(double seconds);

private:
    std::optional<CameraFlight> flight_;
    double seconds_ = 0;
    bool playing_ = false, scrubbed_ = false;
};

}  // namespace orogen
