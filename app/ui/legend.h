// Legends: the meaning of a shading's colours, and the contour interval.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <imgui.h>

#include "app/model/ui_model.h"
#include "app/ui/layout.h"
#include "app/ui/widgets.h"

namespace orogen::app {

struct LegendStop
{
    std::string text;  // empty: no label at this colour
    ImVec4 colour;
    bool last = false;  // ends a ramp; the next stop starts another ramp at the same position
};

struct Legend
{
    std::string title;  // quantity and unit
    std::vector<LegendStop> stops;
    bool steps = false;  // a swatch for each colour; else a continuous ramp
};

// Returns which labels to draw so that none covers another; the last label is always drawn.  `places`: x coordinates of
// the left (x) and right (y) end of each label, from left to right.  `gap`: minimum distance between labels.
std::vector<bool> labelsThatFit(std::span<const ImVec2> places, float gap);

// Returns the legend of the current shading; empty for lit ground and relief, or if a value that it needs is unknown.
std::optional<Legend> shadingLegend(const UiModel& model);
// Returns "contours every 20 m, numbered every 100 m"; empty if no contours are shown.
std::string contourLegend(const UiModel& model);

// Returns the colour of a leaf of this depth as shaders/shading/lod_colour.glsl computes it, without relief shading.
ImVec4 depthColour(int depth, World world);

// Draws the legend of the shading, and below it that of the contour lines, at the top of `rect`.  Returns the height
// used with a gap below (pixels); 0 if neither legend is drawn.
float drawLegend(const Panel& panel, const PanelRect& rect);

// Draws the heights of contour lines along the lines, except on the left side of a split picture.
void drawContourLabels(const Panel& panel);

}  // namespace orogen::app
