// Where a session starts and Home returns to.
#pragma once

#include "core/view/navigation.h"

namespace orogen {

// The view that the terrain names, if it names one.  Otherwise from within the southern third of the terrain, above the
// ground there and ahead, looking north and slightly down: near ground, relief, and the horizon.  A terrain of more
// than 100 km a side is seen as a region of 40 km around its highest place.  The point that would be in the middle of
// the picture is in the middle of the part of it that no panel covers.  Asks for the ground in some hundred places, and
// in two thousand of a large terrain.
Camera homeView(const ViewSurroundings& around, double fov = 60.0);

}  // namespace orogen
