// Places on the Earth as people write them.
#pragma once

#include <string_view>

#include "core/base/status.h"
#include "core/planet/ellipsoid.h"

namespace orogen {

// Where a camera may be sent (goTo() of core/view/earth_view.h); kUsage for anything else.  Degrees from -90 to 90 and
// from -180 to 180, metres from kLowestGround to kMostEarthHeight.
Status checkPlace(const Geodetic& place);
// "LAT,LON,HEIGHT" as --goto has it.  Error kUsage: one line with what was found and what was expected.
Result<Geodetic> placeIn(std::string_view text);

}  // namespace orogen
