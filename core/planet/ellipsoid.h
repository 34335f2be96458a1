// The Earth's figure: the ellipsoid WGS 84, places on and above it, and their textual forms.
//
// Earth-fixed coordinates are metres from the Earth's centre: x towards 0 degrees east on the equator, y towards 90
// degrees east, z towards the north pole.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <glm/vec3.hpp>

#include "core/base/status.h"

struct geod_geodesicline;

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

// Inverts earthFixed().  Exact to a micrometre from 6,000 km below the surface up to kMostEarthHeight;
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

// ---- textual forms of places ----

// Checks the range of a place for a camera (goTo() of core/view/earth_view.h); kUsage if outside.  Latitude -90 to 90
// and longitude -180 to 180 degrees, height kLowestGround to kMostEarthHeight metres.
Status checkPlace(const Geodetic& place);
// Parses "LAT,LON,HEIGHT" of --goto.  Error kUsage: one line with what was found and what was expected.
Result<Geodetic> placeIn(std::string_view text);

// Returns whether a text is meant as coordinates and not as the name of a place: it begins like a number.
bool isCoordinates(std::string_view text);

// Return "34.052200 N", "118.243700 W"; longitudes beyond 180 degrees are wrapped.
std::string latitudeText(double degrees, int digits = 6);
std::string longitudeText(double degrees, int digits = 6);
// Returns "34.0522° N, 118.2437° W" for panels (digits >= 0).
std::string placeText(double latitude, double longitude, int digits);
// Returns "34.000000 N to 35.000000 N, 119.000000 W to 118.000000 W".
std::string degreesText(double west, double south, double east, double north, int digits = 6);

// Shortest lines on the ellipsoid WGS 84, by PROJ's geodesics (Karney, "Algorithms for geodesics", 2013).  Exact to
// 15 nanometres for any two places, antipodal ones too.  Heights of the places are ignored.
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
