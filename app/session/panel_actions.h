// Does in a session what its panels, keys and mouse ask for, once a frame.
#pragma once

#include "app/session/session.h"
#include "app/ui/model.h"

namespace orogen::app {

// All but moving the camera.  While a capture runs, its settings, view and terrain stay as they are.
void perform(const UiActions& actions, Session& session);

}  // namespace orogen::app
