// Performs what panels, keys and mouse request; once a frame.
#pragma once

#include "app/session/session.h"
#include "app/ui/model.h"

namespace orogen::app {

// Performs all actions except camera movement.  During a capture, its settings, view and terrain do not change.
void perform(const UiActions& actions, Session& session);

}  // namespace orogen::app
