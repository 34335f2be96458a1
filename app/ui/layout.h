// Where the panels are: computed from the display and the scale alone, so that nothing can overlap.
#pragma once

#include <imgui.h>

namespace orogen::app {

struct PanelRect
{
    ImVec2 min, max;

    float width() const { return max.x - min.x; }
    float height() const { return max.y - min.y; }
};

struct Layout
{
    PanelRect left;         // Terrain, and below it View
    PanelRect performance;  // the right column
    PanelRect centre;       // what the columns leave for the picture; the four below lie in it, one under the other
    PanelRect overlay;      // help, shader log
    PanelRect loading;
    PanelRect messages;
    PanelRect status;
};

// The scale that a display of this size has room for: `wanted`, unless the panels would take the picture's place.
float fittingScale(ImVec2 display, float wanted);

Layout layoutFor(ImVec2 display, float scale);

}  // namespace orogen::app
