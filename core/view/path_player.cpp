#include "core/view/path_player.h"

namespace orogen {

void PathPlayer::load(CameraFlight flight, bool fromBeginning)
{
    const double place = fromBeginning ? 0.0 : fraction();
    flight_.emplace(std::move(flight));
    moveTo(flight_->secondsAt(place));
    playing_ = playing_ && !fromBeginning;
    scrubbed_ = false;
}

void PathPlayer::play() { playing_ = flight_.has_value(); }

void PathPlayer::scrub(double fraction)
{
    if (!flight_) return;
    moveTo(flight_->secondsAt(fraction));
    playing_ = false;
    scrubbed_ = true;
}

std::optional<Camera> PathPlayer::advanced(double seconds)
{
    if (!flight_ || !(playing_ || scrubbed_)) return std::nullopt;
    scrubbed_ = false;
    if (playing_ && seconds != step_)
    {
        moveTo(this->seconds());
        step_ = seconds;
    }
    const Camera camera = flight_->atTime(this->seconds());
    steps_ += playing_;
    return camera;
}

void PathPlayer::moveTo(double seconds)
{
    origin_ = seconds;
    step_ = 0;
    steps_ = 0;
}

}  // namespace orogen
