// Lines over two axes as one SVG file that stands alone: for figures, where charts of pages (svg_chart.h) need the
// page.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace orogen {

struct PlotLine
{
    std::string name;
    std::vector<std::pair<double, double>> points;  // in the order in which they are joined
    bool dashed = false;
    bool ring = false;  // marks other lines' points: drawn around them, in black
};

struct LinePlot
{
    std::string title, xTitle, yTitle;                // with units
    bool logarithmicX = false, logarithmicY = false;  // then all x are above 0; a y of 0 lies at the foot, marked 0
    std::vector<PlotLine> lines;
    std::vector<std::string> notes{};  // below the axis, each on lines of its own
};

// Lines without a point stand in the legend alone.  Colours that are told apart by colour-blind people (Okabe, Ito),
// and a mark of its own for each line.
std::string linePlotSvg(const LinePlot& plot);

}  // namespace orogen
