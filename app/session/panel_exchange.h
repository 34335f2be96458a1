// Exchange between a session and its panels, once a frame: the model that panels show, and the actions they request.
#pragma once

#include "app/model/ui_model.h"
#include "app/session/session.h"

namespace orogen::app {

// Returns the model that the panels show in the next frame; it points into the session.
UiModel panelModel(const Session& session);

// Performs all actions except motion of the camera by keys and mouse (CameraControl::move()).  A capture that runs
// keeps its settings, view and terrain.
void perform(const UiActions& actions, Session& session);

}  // namespace orogen::app
