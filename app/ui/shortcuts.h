// Keys and mouse outside of the panels: shortcuts, and the camera's movement.
#pragma once

#include "app/ui/layout.h"
#include "app/ui/model.h"
#include "app/ui/widgets.h"

namespace orogen::app {

// Looks at ImGui's devices in this frame (real or injected).  Keys that a text field takes are not looked at.
void applyShortcuts(UiState& state, const UiModel& model, UiActions& actions);

// Held keys and drags that began over the picture.
CameraInput cameraInput();

// The mouse in [-1, 1]², y up; the middle while it is away.
glm::dvec2 cursorPosition();

}  // namespace orogen::app
