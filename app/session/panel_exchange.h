// Exchange between a session and its panels, once a frame: the model that panels show, and the actions they request.
#pragma once

#include "app/model/ui_model.h"
#include "app/session/session.h"

namespace orogen::app {

// Returns a model for the next frame; it points into the session.
UiModel panelModel(const Session& session);

// Performs all actions except camera movement.  During a capture, its settings, view and terrain do not change.
void perform(const UiActions& actions, Session& session);

}  // namespace orogen::app
