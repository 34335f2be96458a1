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
    PanelRect tool;         // an open tool: between the picture and performance, or in the place of left
    bool leftShown = true;  // false: a display too narrow for both, the tool has its place
    PanelRect centre;       // what the columns leave for the picture; the five below lie in it, one under the other
    PanelRect tools;        // what can be opened
    PanelRect overlay;      // help, shader log
    PanelRect loading;
    PanelRect messages;
    PanelRect status;
};

// The scale that a display of this size has room for: `wanted`, unless the panels would take the picture's place.
float fittingScale(ImVec2 display, float wanted);

Layout layoutFor(ImVec2 display, float scale, bool toolOpen);

}  // namespace orogen::app
