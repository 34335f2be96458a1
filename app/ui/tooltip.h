// Tooltips: beside the column of what they are about, so that they cover neither it nor what stands below it.
#pragma once

#include <string_view>

#include "app/ui/widgets.h"

namespace orogen::app {

// Whether the mouse holds something: no tooltip then.
bool draggingAnything();

// The tooltip of the item that ImGui submitted last.
void showTooltip(const Panel& panel, std::string_view text);

// Where one of `size` goes: beside the column that `item` lies in, below the whole bar for its buttons, below the item
// elsewhere (above it where there is no room), and within the display.
ImVec2 tooltipPlace(const Layout& layout, ImVec2 display, const PanelRect& item, ImVec2 size, float gap);

}  // namespace orogen::app
