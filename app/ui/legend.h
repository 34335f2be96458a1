// Legends: what the colours of a shading mean, and how far apart contour lines are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <imgui.h>

#include "app/ui/layout.h"
#include "app/ui/model.h"
#include "app/ui/widgets.h"

namespace orogen::app {

struct LegendStop
{
    std::string text;  // empty: no number at this colour
    ImVec4 colour;
    bool last = false;  // the next colour begins where this one is
};

struct Legend
{
    std::string title;  // what is shown, with its unit
    std::vector<LegendStop> stops;
    bool steps = false;  // a swatch for each colour; else they run into each other
};

// Of the shading that the model's settings name; empty for the sunlit ground, and where a number that it needs is not
// known.
std::optional<Legend> shadingLegend(const UiModel& model);
// "contours every 20 m, numbered every 100 m"; empty where none are shown.
std::string contourLegend(const UiModel& model);

// The colour of a leaf of that depth, as shaders/lod_colour.glsl has it, without the shade of the relief.
ImVec4 depthColour(int depth, World world);

// Both, one under the other, at the top of `rect`; nothing where there is neither.  Returns the height that they took,
// with a gap below them.
float drawLegend(const Panel& panel, const PanelRect& rect);

// Heights on contour lines, over the whole picture.
void drawContourLabels(const Panel& panel);

}  // namespace orogen::app
