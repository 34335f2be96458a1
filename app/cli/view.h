// orogen view: the interactive viewer.
#pragma once

#include "app/session/session_options.h"
#include "core/base/status.h"

namespace orogen::app {

// Runs the viewer.  Returns when it is closed, has shown its frames, or is interrupted.
Status runView(SessionOptions options);

}  // namespace orogen::app
