// Log of a session's messages.
#pragma once

#include <string>

#include "app/ui/model.h"
#include "app/ui/theme.h"

namespace orogen::app {

ImVec4 messageColour(const Theme& theme, MessageKind kind);

// Returns "14:03:52  warning  no room (×3)", in local time.  `startedAt` is the origin of the messages' clock (seconds
// since 1970).
std::string logLine(const UiMessage& message, double startedAt);

}  // namespace orogen::app
