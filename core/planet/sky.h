// Positions of the sun, the moon and the stars in the sky at given times; parsing and formatting of such times.
//
// Sun and moon follow the low-precision series of Meeus, "Astronomical Algorithms" (1998), chapters 12, 13 and 25, and
// of the Astronomical Almanac: the sun to 0.01 degrees, the moon to 0.3, from 1950 to 2050.  Times are UTC,
// whose difference from dynamical time moves the sun by 0.001 degrees.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

#include "core/planet/ellipsoid.h"

namespace orogen {

// ---- times ----

using UtcSeconds = std::int64_t;  // since 1970-01-01T00:00:00Z, without leap seconds
inline constexpr UtcSeconds kFirstTime = -2'208'988'800, kLastTime = 4'102'444'799;  // the years 1900 to 2099

// Returns "2026-06-21T12:00:00Z".
std::string utcText(UtcSeconds time);
// Parses YYYY-MM-DD[THH:MM[:SS][Z]] (ISO 8601, UTC).  Empty if the text is not such a time, or the time lies outside
// kFirstTime ... kLastTime.
std::optional<UtcSeconds> utcIn(std::string_view text);

// ---- directions ----

// Degrees: azimuth from north, clockwise, 0 ... 360; elevation above the horizon.
struct SkyAngles
{
    double azimuth = 0, elevation = 0;
};

// Returns the unit vector from the Earth's centre to the sun, earth-fixed.
glm::dvec3 sunDirection(UtcSeconds time);
// Returns the moon's place in metres from the Earth's centre, earth-fixed.
glm::dvec3 moonPosition(UtcSeconds time);
// Returns the rotation from directions of a star catalogue (equator and equinox J2000) to earth-fixed ones.
glm::dmat3 starsToEarth(UtcSeconds time);

// Returns the time of day of a sundial minus mean solar time (minutes).
double equationOfTime(UtcSeconds time);

// Returns how far air lifts the light of a body above its true place (degrees), by NOAA's formula for 10 degrees
// Celsius at sea level.  `elevation`: true (degrees).
double refraction(double elevation);
// Lifts a direction towards a vertical by refraction.  `air`: density relative to sea level.
glm::dvec3 refracted(const glm::dvec3& direction, const glm::dvec3& up, double air = 1.0);

// Convert an earth-fixed direction to angles at a place, and angles to a local direction.
SkyAngles anglesOf(const glm::dvec3& direction, const LocalAxes& axes);
glm::dvec3 directionOf(const SkyAngles& angles);  // east, north, up

}  // namespace orogen
