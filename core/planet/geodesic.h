// Shortest lines on the ellipsoid WGS 84, by PROJ's geodesics (Karney, "Algorithms for geodesics", 2013).  Exact to
// 15 nanometres for any two places, antipodal ones too.  Heights of the places are ignored.
#pragma once

#include <memory>

#include "core/planet/ellipsoid.h"

struct geod_geodesicline;

namespace orogen {

class Geodesic
{
public:
    Geodesic(const Geodetic& from, const Geodetic& to);

    double length() const { return length_; }  // metres
    // Directions of the line at its ends, clockwise from north (degrees, [0, 360)).  From and towards a pole they count
    // from the meridian of the longitude that the place was given with.
    double azimuth() const { return azimuth_; }
    double finalAzimuth() const { return finalAzimuth_; }
    // Returns the place `metres` from the beginning, at height 0.
    Geodetic at(double metres) const;

private:
    double length_ = 0, azimuth_ = 0, finalAzimuth_ = 0;
    std::shared_ptr<const geod_geodesicline> line_;
};

}  // namespace orogen
