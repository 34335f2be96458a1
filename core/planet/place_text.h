// Places on the Earth as people write them.
#pragma once

#include <string>
#include <string_view>

#include "core/base/status.h"
#include "core/planet/ellipsoid.h"

namespace orogen {

// Where a camera may be sent (goTo() of core/view/earth_view.h); kUsage for anything else.  Degrees from -90 to 90 and
// from -180 to 180, metres from kLowestGround to kMostEarthHeight.
Status checkPlace(const Geodetic& place);
// "LAT,LON,HEIGHT" as --goto has it.  Error kUsage: one line with what was found and what was expected.
Result<Geodetic> placeIn(std::string_view text);

// "34.052200 N", "118.243700 W"; a longitude beyond 180 degrees is that of the other side.
std::string latitudeText(double degrees, int digits = 6);
std::string longitudeText(double degrees, int digits = 6);
// "34.0522° N, 118.2437° W", as panels show it (`digits`: at least 0).
std::string placeText(double latitude, double longitude, int digits);
// "34.000000 N to 35.000000 N, 119.000000 W to 118.000000 W".
std::string degreesText(double west, double south, double east, double north, int digits = 6);

}  // namespace orogen
