// The Earth as a figure: the ellipsoid WGS 84, and places on and above it.
//
// Earth-fixed coordinates are metres from the Earth's centre: x towards 0 degrees east on the equator, y towards 90
// degrees east, z towards the north pole.
#pragma once

#include <glm/vec3.hpp>

namespace orogen {

inline constexpr double kEarthEquatorRadius = 6378137.0;    // metres
inline constexpr double kEarthPoleRadius = 6356752.314245;  // metres
inline constexpr double kMostEarthHeight = 2.0e7;           // metres above the ellipsoid that a camera may reach
// No ground lies higher, or lower: bounds for what nothing is known of yet.  Metres.
inline constexpr double kHighestGround = 9000.0, kLowestGround = -11500.0;

// Degrees, north and east positive; metres above the ellipsoid along its normal.
struct Geodetic
{
    double latitude = 0, longitude = 0, height = 0;
    bool operator==(const Geodetic&) const = default;
};

glm::dvec3 earthFixed(const Geodetic& place);

// Exact to a micrometre up to kMostEarthHeight and from 6,000 km below the surface on; longitude in [-180, 180).  On
// the axis the longitude is 0.
Geodetic geodeticOf(const glm::dvec3& position);

// The outward normal of the ellipsoid through a place; unit.
glm::dvec3 normalThrough(const Geodetic& place);

// Unit vectors at a position; right-handed: east x north = up.  `up` is the ellipsoid's normal through it.  On the
// axis, where no direction is east, they are those of longitude 0.
struct LocalAxes
{
    glm::dvec3 east{1, 0, 0}, north{0, 1, 0}, up{0, 0, 1};

    glm::dvec3 toLocal(const glm::dvec3& earthFixedOffset) const;
    glm::dvec3 toEarthFixed(const glm::dvec3& localOffset) const;
};
LocalAxes axesAt(const glm::dvec3& position);

// Degrees, in [-180, 180).
double wrappedLongitude(double degrees);

// Metres along the great ellipse between two places, heights left out; to about 0.3 %.
double groundDistance(const Geodetic& a, const Geodetic& b);

}  // namespace orogen
