// The titles of docked panels: what is folded, dragged, closed and asked for a menu.
#pragma once

#include "app/ui/widgets.h"

namespace orogen::app {

float titleHeight(const Theme& theme);

// The title of the section that has this rectangle.
void drawTitle(const Panel& panel, const PanelRect& section);

// Moves the panel whose title is held where the mouse lets it go, and shows where that will be.
void dragTitle(const Panel& base, const Layout& layout);

// Puts every panel back to where it is by default, and every section to whether it is open by default.
void resetLayout(UiState& state);

}  // namespace orogen::app
