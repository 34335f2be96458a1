// Initial view of a session, also used by Home.
#pragma once

#include "core/view/navigation.h"

namespace orogen {

// Returns the terrain's own home view, if it has one.  Otherwise the camera stands in the southern third of the
// terrain, above the ground there and ahead, and looks north and slightly down: near ground, relief and horizon.  On a
// terrain of more than 100 km a side, it views a region of 40 km around the highest place.  The view's centre is moved
// to the middle of the area that no panel covers.  Cost: some hundred ground heights, two thousand on a large terrain.
Camera homeView(const ViewSurroundings& around, double fov = 60.0);

}  // namespace orogen
