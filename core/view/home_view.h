// Where a session starts and Home returns to.
#pragma once

#include "core/view/navigation.h"

namespace orogen {

// From within the southern third of the terrain, above the ground there and ahead, looking north and slightly down:
// near ground, relief, and the horizon.  What would be in the middle of the picture is in the middle of the part of it
// that no panel covers.  Looks at the ground in some hundred places.
Camera homeView(const ViewSurroundings& around, double fov = 60.0);

}  // namespace orogen
