// The panels' view of a session.
#pragma once

#include "app/session/session.h"
#include "app/ui/model.h"

namespace orogen::app {

// Returns a model for the next frame; it points into the session.
UiModel panelModel(const Session& session);

}  // namespace orogen::app
