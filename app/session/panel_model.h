// What the panels see of a session.
#pragma once

#include "app/session/session.h"
#include "app/ui/model.h"

namespace orogen::app {

// Points into the session; for the frame that is next.
UiModel panelModel(const Session& session);

}  // namespace orogen::app
