// A camera path over one terrain: which camera each frame has.
#pragma once

#include <cstdint>
#include <vector>

#include "core/view/camera.h"
#include "core/view/camera_path.h"
#include "core/view/key_spline.h"
#include "core/view/navigation.h"

namespace orogen {

// Never closer than kEyeHeight above the ground.  So that this bends the flight and does not dent it, the ground along
// the path is sampled beforehand: heights above ground (units terrain) are above its mean over path.smoothSeconds
// before and after; and wherever the camera would come closer to the ground than kEyeHeight, or than half the height a
// key asks for, it is lifted over the whole neighbourhood, by the highest lift needed in it.  What is far enough above
// the ground is not touched: a recording plays as it was flown.
class CameraFlight
{
public:
    // `ground` must outlive the flight and stay as it is: a new terrain or height scale needs a new flight.
    // O(duration), at most 2^16 samples of the ground.
    CameraFlight(const CameraPath& path, const TerrainExtent& terrain, GroundHeight ground);
    // Over whichever world is around: checkPathWorld() must hold.  On the Earth "up" is along the ellipsoid's normal.
    CameraFlight(const CameraPath& path, const ViewSurroundings& around);

    double duration() const { return duration_; }  // seconds; 0 for a single key

    // A function of its arguments alone, the same to the last bit for the same path and terrain.  Time begins again
    // when the path is over: a loop closes smoothly, another path leaps to its beginning.  Yaw is in [0, 360).
    Camera at(std::uint64_t frame, double stepSeconds) const { return atTime(double(frame) * stepSeconds); }
    Camera atTime(double seconds) const;  // not negative

    // For a slider: a place in the path as fraction in [0, 1], and back.
    double fractionAt(double seconds) const;
    double secondsAt(double fraction) const;

private:
    template <class Curve>
    void follow(Curve curve, const CameraPath& path);
    double heightOf(const glm::dvec3& place) const;
    double groundBelow(const glm::dvec3& place) const;
    Camera lifted(Camera camera, double rise) const;  // and kept above the ground
    void findRise(double smoothSeconds);
    double riseAt(double seconds) const;
    double inRound(double seconds) const;
    double clearance(double up) const;

    bool aboveGround_ = false;              // heights of keys are above the ground
    std::function<PathKey(double)> curve_;  // in metres
    double duration_ = 0;
    bool loops_ = false;
    GroundHeight ground_;
    EarthGround earthGround_;   // empty: a plane
    std::vector<double> rise_;  // metres above the spline's heights; sample i is at i * sampleSeconds_
    double sampleSeconds_ = 0;
};

}  // namespace orogen
