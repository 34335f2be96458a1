// Where the columns of panels and what lies between them are: computed from the display, the scale and what the user
// chose alone, so that nothing can overlap.
#pragma once

#include <imgui.h>

namespace orogen::app {

struct PanelRect
{
    ImVec2 min, max;

    float width() const { return max.x - min.x; }
    float height() const { return max.y - min.y; }
    bool contains(ImVec2 point) const
    {
        return point.x >= min.x && point.x < max.x && point.y >= min.y && point.y < max.y;
    }
};

// What a layout is made for.  Lengths in pixels but for the widths of the columns, which are at scale 1.
struct LayoutRequest
{
    ImVec2 display;
    float scale = 1;
    bool left = true, right = true;       // whether a panel stands in that column
    float leftWidth = 0, rightWidth = 0;  // as dragged by the user; 0: what suits the display
    float barHeight = 30;                 // of the bar of tools
};

struct Layout
{
    PanelRect bar;    // what can be opened: above all else, so that it stays where it is whatever is opened
    PanelRect left;   // columns of panels; without any, of no width
    PanelRect right;  // of no width in a narrow display, whose left column has all panels
    bool narrow = false;
    PanelRect centre;   // what the columns leave for the picture; the four below lie in it, one under the other
    PanelRect overlay;  // help, shader log, the file browser
    PanelRect loading;
    PanelRect messages;
    PanelRect status;
};

// The scale that a display of this size has room for: `wanted`, unless the panels would take the picture's place.
float fittingScale(ImVec2 display, float wanted);

Layout layoutFor(const LayoutRequest& request);

// Of the bar, which is needed to know how high it must be.
float barWidth(ImVec2 display, float scale);

// The width, at scale 1, that a column gets which is dragged to be `pixels` wide.
float columnWidth(float pixels, float scale);

}  // namespace orogen::app
