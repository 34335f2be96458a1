// The columns of panels: each panel a section with a title, by which it is dragged to another place, folded and closed.
//
// Where every open panel of a column can have a fair share of its height, the panels share it and each scrolls by
// itself; where they are too many, each is as high as its content and the column scrolls.
#pragma once

#include <string_view>
#include <vector>

#include "app/ui/widgets.h"

namespace orogen::app {

// A panel that can stand in a column.
struct DockedPanel
{
    std::string_view name;     // its title, and the first part of its items' names
    std::string_view tooltip;  // of its button in the bar
    float (*draw)(const Panel& panel, const PanelRect& rect);
    Side side = Side::kLeft;  // by default
    bool open = true;
    bool underCompute = false;  // its button stands in the bar's menu Compute
};
const std::vector<DockedPanel>& dockedPanels();
const std::vector<DockPlace>& dockedPlaces();  // where they stand by default

// Opens a panel, unfolds it and has its column scroll to it.  Nothing, if there is no such panel.
void showPanel(UiState& state, std::string_view panel);
// Opens a panel, or closes it.
void togglePanel(UiState& state, std::string_view panel);

// What a layout needs to know of the columns.
LayoutRequest layoutRequest(const UiState& state, ImVec2 display, float scale, float barHeight);

// Both columns with their panels, the splitters at their edges, and what is being dragged.  `base`: of any name.
void drawColumns(const Panel& base, const Layout& layout);

// Of a panel that stands in a column: what beginPanel() and endPanel() do for it.
float beginDockedPanel(const Panel& panel, const PanelRect& rect, ImGuiWindowFlags flags);
void endDockedPanel();

// The heights of a column's sections: what each needs where that fits into `room`, with `gap` between them, and else a
// fair share of it.  Empty: the share would be less than `least`, so that the column must scroll.
std::vector<float> sharedHeights(const std::vector<float>& needed, float room, float gap, float least);

}  // namespace orogen::app
