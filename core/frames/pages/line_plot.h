// Line plots as standalone SVG files, for figures; the charts in svg_chart.h need an HTML page.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace orogen {

struct PlotLine
{
    std::string name;
    std::vector<std::pair<double, double>> points;  // in the order of joining
    bool dashed = false;
    bool ring = false;  // marks points of other lines with black rings
};

struct LinePlot
{
    std::string title, xTitle, yTitle;                // with units
    bool logarithmicX = false, logarithmicY = false;  // requires x > 0; y = 0 is placed at the bottom and labelled 0
    std::vector<PlotLine> lines;
    std::vector<std::string> notes{};  // below the axis, each on a new line
};

// Renders the plot.  Lines without points appear only in the legend.  Colours are safe for colour-blind readers (Okabe,
// Ito), and each line has its own mark.
std::string linePlotSvg(const LinePlot& plot);

}  // namespace orogen
