// Smooth curve through cameras on the Earth at given times: KeySpline on the globe.
#pragma once

#include <vector>

#include "core/view/key_spline.h"

namespace orogen {

// Key positions are earth-fixed metres; yaw and pitch as Camera's there.  Interpolates the ellipsoid's normal and the
// viewing direction in space, so that poles and the date line are not special.  The height is interpolated linearly
// near the ground, logarithmically high up.  From key to key the curve takes the shorter way around the Earth, and the
// heading the shorter turn relative to it.  For keys on opposite sides one of the ways is chosen.  Continuously
// differentiable, like KeySpline.
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

    KeySpline place_;  // the ellipsoid's normal, with pitch and field of view
    KeySpline look_;   // the camera's right vector, with the height's measure as pitch
};

}  // namespace orogen
