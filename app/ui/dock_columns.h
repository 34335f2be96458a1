// The two columns of panels.  A panel is a section with a title, by which the user drags, folds and closes it.
// If a column has room for a minimum height of every open panel, the panels share the column's height and each scrolls
// by itself.  Otherwise each panel is as high as its content, and the column scrolls.
#pragma once

#include <string_view>
#include <vector>

#include "app/ui/widgets.h"

namespace orogen::app {

// A panel that can stand in a column.
struct DockedPanel
{
    std::string_view name;     // title of the panel, and first part of the names of the items in it
    std::string_view tooltip;  // tooltip of the panel's button; text in the menu Compute, without a full stop
    float (*draw)(const Panel& panel, const PanelRect& rect);
    Side side = Side::kLeft;    // default column
    bool open = true;           // whether the panel is open by default
    bool underCompute = false;  // the panel's button is in the tool bar's menu Compute
};
const std::vector<DockedPanel>& dockedPanels();
const std::vector<DockPlace>& dockedPlaces();  // default places

// Opens and unfolds a panel, and scrolls its column to it.  Does nothing if there is no such panel.
void showPanel(UiState& state, std::string_view panel);
// Opens a closed panel; closes an open one.
void togglePanel(UiState& state, std::string_view panel);

// Returns the input of layoutFor().
LayoutRequest layoutRequest(const UiState& state, ImVec2 display, float scale, float barHeight);

// Draws both columns, their splitters and the drop marker of a dragged title.  Ignores the name of `base`.
void drawColumns(const Panel& base, const Layout& layout);

// Begins a panel in a column; called by beginPanel().  Returns the height of `rect`.
float beginDockedPanel(const Panel& panel, const PanelRect& rect, ImGuiWindowFlags flags);
void endDockedPanel();  // called by endPanel()

// Returns the section heights of a column (pixels, rounded down).  If all `needed` heights fit into `room` with `gap`
// between them, returns the needed heights.  Otherwise returns shares of `room` in proportion to the needed heights,
// but at least the minimum height: `least`, or the needed height if that is less.  Returns an empty vector if even the
// minimum heights do not fit: the column must scroll.
std::vector<float> sharedHeights(const std::vector<float>& needed, float room, float gap, float least);

// Resets all panels to their default places, and all sections to their default fold states.
void resetLayout(UiState& state);

}  // namespace orogen::app
