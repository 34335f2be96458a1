// The messages of a session, to be read again.
#pragma once

#include <string>

#include "app/ui/model.h"
#include "app/ui/theme.h"

namespace orogen::app {

ImVec4 messageColour(const Theme& theme, MessageKind kind);

// "14:03:52  warning  no room (×3)": `startedAt` is when the messages' clock began, in seconds since 1970; the time is
// that of the machine's place.
std::string logLine(const UiMessage& message, double startedAt);

}  // namespace orogen::app
