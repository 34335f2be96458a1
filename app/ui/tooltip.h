// Tooltips, placed beside the column of their item so that they cover neither it nor the rows below.
#pragma once

#include <string_view>

#include "app/ui/widgets.h"

namespace orogen::app {

// Returns whether a mouse button is held, in which case no tooltip is shown.
bool draggingAnything();

// Shows a tooltip for the item that ImGui submitted last.
void showTooltip(const Panel& panel, std::string_view text);

// Returns the position of a tooltip of `size`: beside the item's column, below the whole tool bar, or else below the
// item (above it if there is no room), and within the display.
ImVec2 tooltipPlace(const Layout& layout, ImVec2 display, const PanelRect& item, ImVec2 size, float gap);

}  // namespace orogen::app
