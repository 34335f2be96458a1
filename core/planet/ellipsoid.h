// The Earth's figure: the ellipsoid WGS 84, and places on and above it.
//
// Earth-fixed coordinates are metres from the Earth's centre: x towards 0 degrees east on the equator, y towards 90
// degrees east, z towards the north pole.
#pragma once

#include <glm/vec3.hpp>

namespace orogen {

inline constexpr double kEarthEquatorRadius = 6378137.0;    // metres
inline constexpr double kEarthPoleRadius = 6356752.314245;  // metres
inline constexpr double kMostEarthHeight = 2.0e7;           // largest camera height, metres above the ellipsoid
// Bounds of the ground where no data is known yet (metres).
inline constexpr double kHighestGround = 9000.0, kLowestGround = -11500.0;

// Latitude and longitude in degrees, north and east positive; height along the ellipsoid's normal (metres).
struct Geodetic
{
    double latitude = 0, longitude = 0, height = 0;
    bool operator==(const Geodetic&) const = default;
};

glm::dvec3 earthFixed(const Geodetic& place);

// Converts to geodetic coordinates.  Exact to a micrometre from 6,000 km below the surface up to kMostEarthHeight;
// longitude in [-180, 180), 0 on the axis.
Geodetic geodeticOf(const glm::dvec3& position);

// Returns the outward unit normal of the ellipsoid through a place.
glm::dvec3 normalThrough(const Geodetic& place);

// Unit vectors at a position, right-handed: east x north = up.  `up` is the ellipsoid's normal.  On the axis they are
// those of longitude 0.
struct LocalAxes
{
    glm::dvec3 east{1, 0, 0}, north{0, 1, 0}, up{0, 0, 1};

    glm::dvec3 toLocal(const glm::dvec3& earthFixedOffset) const;
    glm::dvec3 toEarthFixed(const glm::dvec3& localOffset) const;
};
LocalAxes axesAt(const glm::dvec3& position);

// Returns the longitude in [-180, 180) degrees.
double wrappedLongitude(double degrees);

// Returns the metres along the great ellipse between two places, ignoring heights; accurate to about 0.3 %.
double groundDistance(const Geodetic& a, const Geodetic& b);

}  // namespace orogen
