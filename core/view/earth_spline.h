// A smooth curve through cameras on the Earth at given times: KeySpline's, on the globe.
#pragma once

#include <vector>

#include "core/view/key_spline.h"

namespace orogen {

// Positions of keys are earth-fixed metres, yaw and pitch those of Camera there.  What is interpolated is the direction
// from the Earth, the height above the ellipsoid (near the ground in metres, high up in factors), and what the camera
// looks at as a direction in space: a pole and the date line are places as any other.  From key to key the curve goes
// the shorter way around the Earth, and the heading the shorter way against that; two keys on opposite sides leave the
// way open, and one of them is taken.  Once continuously differentiable, as KeySpline.
class EarthSpline
{
public:
    explicit EarthSpline(const std::vector<PathKey>& keys, double loopSeconds = 0);

    double duration() const { return place_.duration(); }
    bool loops() const { return place_.loops(); }

    PathKey at(double seconds) const;  // yaw within [0, 360).  O(log keys)

private:
    struct Knots
    {
        std::vector<PathKey> place, look;
    };
    static Knots knotsOf(const std::vector<PathKey>& keys, double loopSeconds);
    EarthSpline(const Knots& knots, double loopSeconds);

    KeySpline place_;  // of the normal of the ellipsoid, with pitch and field of view
    KeySpline look_;   // of the direction to the camera's right, with the height's measure as its pitch
};

}  // namespace orogen
