// Textual forms of places on the Earth.
#pragma once

#include <string>
#include <string_view>

#include "core/base/status.h"
#include "core/planet/ellipsoid.h"

namespace orogen {

// Checks the range of a place for a camera (goTo() of core/view/earth_view.h); kUsage if outside.  Latitude -90 to 90
// and longitude -180 to 180 degrees, height kLowestGround to kMostEarthHeight metres.
Status checkPlace(const Geodetic& place);
// Parses "LAT,LON,HEIGHT" of --goto.  Error kUsage: one line with what was found and what was expected.
Result<Geodetic> placeIn(std::string_view text);

// Return "34.052200 N", "118.243700 W"; longitudes beyond 180 degrees are wrapped.
std::string latitudeText(double degrees, int digits = 6);
std::string longitudeText(double degrees, int digits = 6);
// Returns "34.0522° N, 118.2437° W" for panels (digits >= 0).
std::string placeText(double latitude, double longitude, int digits);
// Returns "34.000000 N to 35.000000 N, 119.000000 W to 118.000000 W".
std::string degreesText(double west, double south, double east, double north, int digits = 6);

}  // namespace orogen
