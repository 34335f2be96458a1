// Layout of the panel columns and of the overlays between them.
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

// Inputs of a layout.  Lengths are in pixels, column widths in pixels at scale 1.
struct LayoutRequest
{
    ImVec2 display;
    float scale = 1;
    bool left = true, right = true;       // whether the column has an open panel
    float leftWidth = 0, rightWidth = 0;  // as dragged by the user; 0: automatic
    float barHeight = 30;                 // height of the tool bar
};

struct Layout
{
    PanelRect bar;    // tool bar at the top; its place does not depend on open panels
    PanelRect left;   // left column; zero width if it has no panel
    PanelRect right;  // right column; zero width in a narrow display, whose left column has all panels
    bool narrow = false;
    PanelRect centre;   // space between the columns; the rectangles below divide it from top to bottom
    PanelRect overlay;  // help, shader log, message log, choice of a camera path, legend
    PanelRect loading;
    PanelRect messages;
    PanelRect status;
};

// Returns the part of the display that shows the picture.  `fillsLeft` and `fillsRight`: that column hides the picture
// behind it.  The tool bar hides its strip of the picture if either column does.
PanelRect pictureSpace(const Layout& layout, bool fillsLeft, bool fillsRight, ImVec2 display);

// Returns the largest scale up to `wanted` at which the panels leave room for the picture, but at least 0.5.
float fittingScale(ImVec2 display, float wanted);

Layout layoutFor(const LayoutRequest& request);

// Returns the width of the tool bar, from which its height follows.
float barWidth(ImVec2 display, float scale);

// Returns the width (pixels at scale 1) of a column that is dragged to `pixels`, clamped to 220 ... 720.
float columnWidth(float pixels, float scale);

}  // namespace orogen::app
