// orogen view: the viewer.
#pragma once

#include "app/session/session_options.h"
#include "core/base/status.h"

namespace orogen::app {

// Returns when the viewer was closed, has shown its frames, or was interrupted.
Status runView(SessionOptions options);

}  // namespace orogen::app
