// The tool bar at the top: opening files, and a button for every panel.  It spans the whole width and does not move
// with the columns.
#pragma once

#include "app/ui/widgets.h"

namespace orogen::app {

// Returns the height of a bar `width` pixels wide, with as many rows as its buttons need.
float toolBarHeight(const Panel& panel, float width);

void drawToolBar(const Panel& panel, const PanelRect& rect);

}  // namespace orogen::app
