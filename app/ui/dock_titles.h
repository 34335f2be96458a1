// Title bars of docked panels: folding, dragging, closing, and their menu.
#pragma once

#include "app/ui/widgets.h"

namespace orogen::app {

float titleHeight(const Theme& theme);

// Draws the title bar of the section with this rectangle.
void drawTitle(const Panel& panel, const PanelRect& section);

// Moves the dragged panel to the place where the mouse is released, and marks that place meanwhile.
void dragTitle(const Panel& base, const Layout& layout);

// Resets all panels to their default places, and all sections to their default fold states.
void resetLayout(UiState& state);

}  // namespace orogen::app
