// The bar at the top: opening files, and a button for every panel.  It has the whole width and stands still, whatever
// the columns do.
#pragma once

#include "app/ui/widgets.h"

namespace orogen::app {

// Of a bar that is `width` pixels wide, with as many rows as its buttons need.
float toolBarHeight(const Panel& panel, float width);

void drawToolBar(const Panel& panel, const PanelRect& rect);

}  // namespace orogen::app
