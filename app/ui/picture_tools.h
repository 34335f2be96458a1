// Tools over the picture: point information, the measured line with its profile, and the top view of the triangulation.
#pragma once

#include "app/ui/layout.h"
#include "app/ui/widgets.h"

namespace orogen::app {

// Reads the keys I, M, T, C, Escape and Backspace, and clicks on the picture.  Call before drawing the panels.
void readPictureTools(const UiModel& model, UiActions& actions);

// Draws all tools within `rect`, the space between the columns.
void drawPictureTools(const Panel& panel, const PanelRect& rect);

PanelRect drawMeasure(const Panel& panel, const PanelRect& rect);  // returns the area used, at the top of `rect`
float topViewWidth(const Panel& panel);                            // preferred width (pixels)
float topViewLeastHeight();
void drawTopView(const Panel& panel, const PanelRect& rect);

// Returns the lines about the point under the cursor, as shown and copied.
std::vector<std::string> pickLines(const PickState& pick);

}  // namespace orogen::app
