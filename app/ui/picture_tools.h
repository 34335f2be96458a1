// What lies over the picture besides messages: buttons for what can be looked up on it, the words on the point under
// the cursor, the measured line with its profile, and the triangulation from above.
#pragma once

#include "app/ui/layout.h"
#include "app/ui/widgets.h"

namespace orogen::app {

// Keys and mouse: I, M, T, C, Escape and Backspace, and clicks on the picture.  Before the panels are drawn.
void readPictureTools(const UiModel& model, UiActions& actions);

// All of it, within `rect`, the room that the columns leave.
void drawPictureTools(const Panel& panel, const PanelRect& rect);

// Parts of it.
PanelRect drawMeasure(const Panel& panel, const PanelRect& rect);  // returns what it took, at the top of `rect`
float topViewWidth(const Panel& panel);                            // that it wants, pixels
float topViewLeastHeight();
void drawTopView(const Panel& panel, const PanelRect& rect);

// The lines on the point under the cursor, as they are shown and copied.
std::vector<std::string> pickLines(const PickState& pick);

}  // namespace orogen::app
