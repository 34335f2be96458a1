// The plot of all panels: series over one x axis, on linear or logarithmic axes with names and units, and the point
// that is next to the mouse in words.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <imgui.h>

#include "app/ui/widgets.h"

namespace orogen::app {

struct PlotAxis
{
    std::string name{}, unit{};               // "time", "ms"; an empty name: the axis has neither name nor labels
    bool logarithmic = false, whole = false;  // whole: labels at whole numbers only
    std::optional<double> low{}, high{};      // empty: from the data; on a logarithmic axis whole powers of ten
    bool tight = false;                       // logarithmic, and hardly wider than the data all the same
};

struct PlotPoint
{
    double x = 0;
    double y = 0;  // not drawn: NaN, and 0 or less on a logarithmic axis; the line goes on to the next that is
    // Its spread, as an upright line; within what the other values leave of the axis.  Empty: none.
    std::optional<double> low{}, high{};
};

struct PlotSeries
{
    std::string name{};
    std::vector<PlotPoint> points{};  // by ascending x
    std::optional<ImVec4> colour{};   // empty: plotColour() of its place
    bool line = true, dots = false;
    bool filled = false;  // the area between line and x axis
};

// A value to compare with.
struct PlotReference
{
    double y = 0;
    std::string label{};
    ImVec4 colour{};
    bool dashed = false;
};

struct Plot
{
    std::string item{};  // its name for scripts
    float height = 92;   // pixels at scale 1, with the names of the axes
    PlotAxis x{}, y{};
    std::vector<PlotSeries> series{};
    std::vector<PlotReference> references{};
    std::vector<double> shaded{};  // tinted from half a unit before each x to half a unit behind it
    // What is said of a point while the mouse is next to it; empty: series, x and y.
    std::function<std::string(std::size_t series, std::size_t point)> readOut{};
};

// As wide as the panel.  Nothing is drawn where no series has two points, or a dot.
void drawPlot(const Panel& panel, const Plot& plot);

// A line of a legend: a square in the colour of the series, its name, and behind it, or below, what is said of it.
void legendRow(const Panel& panel, const ImVec4& colour, const std::string& name, const std::string& text);

// Colours that colour-blind people tell apart, for series that have none of their own; they repeat after kPlotColours.
inline constexpr std::size_t kPlotColours = 8;
ImVec4 plotColour(std::size_t series);

// The names of series in their colours, one after another in as many lines as they take: what stands above a plot.
void legendLines(const Panel& panel, const std::vector<PlotSeries>& series);

// Where values lie on an axis, from 0 to 1; the part of the plot that needs no screen.
struct PlotScale
{
    double low = 0, high = 1;  // low < high; both above 0 if logarithmic
    bool logarithmic = false, whole = false;
    bool tight = false;  // logarithmic, with ends that are no powers of ten

    double place(double value) const;  // beyond [0, 1] for what lies beyond the axis; NaN for what is not drawn
    // At most `most` (2 or more) round values from low to high, ascending: multiples of 1, 2 or 5 times a power of ten;
    // whole powers of ten if logarithmic; where it is tight 1, 2 and 5, or 1 and 3, times them if they do not get too
    // many.
    std::vector<double> ticks(int most) const;
};

// Of the values that can be drawn; the axis's own ends where it has them.  Empty if there is nothing to draw.
std::optional<PlotScale> scaleOf(const PlotAxis& axis, std::span<const double> values);

}  // namespace orogen::app
