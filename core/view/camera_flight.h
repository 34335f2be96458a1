// A camera path over one terrain: the camera of each frame, and its playback.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/view/camera.h"
#include "core/view/camera_path.h"
#include "core/view/key_spline.h"
#include "core/view/navigation.h"

namespace orogen {

// A path over one terrain, changed smoothly so that the camera stays at least kEyeHeight above the ground.  The ground
// along the path is sampled beforehand.  With PathUnits::kTerrain, heights are above the ground, smoothed over
// path.smoothSeconds before and after (at most half the duration).  The clearance required is kEyeHeight, and with
// kTerrain also half the path's height above the smoothed ground.  Where the clearance is too small, the path nearby is
// lifted smoothly, by at least the lift needed.  Elsewhere the path is unchanged: a recording plays as it was flown.
class CameraFlight
{
public:
    // Follows the path in the world of `around`; checkPathWorld() must hold.  On the Earth "up" is the ellipsoid's
    // normal.  The ground must outlive the flight and stay unchanged: a new terrain or height scale needs a new flight.
    // O(duration), at most 2^16 + 1 samples of the ground.
    CameraFlight(const CameraPath& path, const ViewSurroundings& around);
    CameraFlight(const CameraPath& path, const TerrainExtent& terrain, GroundHeight ground)
        : CameraFlight(path, ViewSurroundings{.ground = std::move(ground), .terrain = terrain})
    {
    }

    double duration() const { return duration_; }  // seconds; 0 for a single key

    // Return the camera of a frame, or of a time.  The camera depends on the arguments alone, bit for bit, for a given
    // path and terrain.  After the end, time starts over: a loop closes smoothly, any other path jumps to its
    // beginning. Yaw is in [0, 360).
    Camera at(std::uint64_t frame, double stepSeconds) const { return atTime(double(frame) * stepSeconds); }
    Camera atTime(double seconds) const;  // seconds >= 0

    // Convert between time and the fraction of the path in [0, 1], for a slider.
    double fractionAt(double seconds) const;
    double secondsAt(double fraction) const;

private:
    template <class Curve>
    void follow(Curve curve, const CameraPath& path);
    Camera lifted(Camera camera, double rise) const;  // by `rise` metres, or more if it is too close to the ground
    void findRise(double smoothSeconds);
    double riseAt(double seconds) const;
    double inRound(double seconds) const;
    double clearance(double up) const;

    bool aboveGround_ = false;              // key heights are relative to the ground
    std::function<PathKey(double)> curve_;  // camera at a time in seconds; positions in metres
    double duration_ = 0;
    bool loops_ = false;
    ViewSurroundings around_;
    std::vector<double> rise_;  // metres added to the spline's heights; sample i is at i * sampleSeconds_
    double sampleSeconds_ = 0;
};

// Player of a camera path, which can also pause and jump to any place of the path (scrub).
class PathPlayer
{
public:
    bool playing() const { return playing_; }
    double fraction() const { return flight_ ? flight_->fractionAt(seconds()) : 0.0; }

    // Loads a path, or the same path for another terrain; continues at the same fraction or, with `fromBeginning`,
    // pauses at the beginning.
    void load(CameraFlight flight, bool fromBeginning);
    void play();  // no effect without a path
    void pause() { playing_ = false; }
    void scrub(double fraction);  // also pauses

    // Returns the camera of this frame, and advances by `seconds` while playing.  Returns nothing while paused, except
    // once after scrub().  If `seconds` is constant from the beginning, frame n equals CameraFlight::at(n, seconds).
    std::optional<Camera> advanced(double seconds);

private:
    double seconds() const { return origin_ + double(steps_) * step_; }
    void moveTo(double seconds);

    std::optional<CameraFlight> flight_;
    // Seconds.  Time is counted in steps from the origin, since a running sum would accumulate rounding errors.
    double origin_ = 0, step_ = 0;
    std::uint64_t steps_ = 0;
    bool playing_ = false, scrubbed_ = false;
};

}  // namespace orogen
