// Keyboard and mouse input outside the panels: shortcuts and camera movement.
#pragma once

#include "app/ui/layout.h"
#include "app/ui/model.h"
#include "app/ui/widgets.h"

namespace orogen::app {

// Applies shortcuts from ImGui's device state (real or injected), except for keys that a text field receives.
void applyShortcuts(UiState& state, const UiModel& model, UiActions& actions);

// Returns the camera input of held keys and of drags that began over the picture.
CameraInput cameraInput();

// Returns the mouse position in [-1, 1]², y up; (0, 0) if the mouse is outside the window.
glm::dvec2 cursorPosition();

}  // namespace orogen::app
