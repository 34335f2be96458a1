// The plot widget of all panels: series over one x axis, on linear or logarithmic axes with names and units.  A tooltip
// reads out the point nearest to the mouse.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <imgui.h>

#include "app/ui/widgets.h"
#include "core/base/background_task.h"

namespace orogen::app {

struct PlotAxis
{
    std::string name{}, unit{};               // "time", "ms"; an empty name of x hides the axis's name and labels
    bool logarithmic = false, whole = false;  // whole: labels at whole numbers only
    std::optional<double> low{}, high{};      // empty: from the data; logarithmic, not tight: rounded to powers of ten
    bool tight = false;                       // logarithmic only: ends close to low and high instead of powers of ten
};

struct PlotPoint
{
    double x = 0;
    double y = 0;  // NaN, or <= 0 on a logarithmic axis: not drawn; the line connects the neighbours
    // Ends of the error bar, which does not extend the axis; empty: none.
    std::optional<double> low{}, high{};
};

struct PlotSeries
{
    std::string name{};
    std::vector<PlotPoint> points{};  // ascending x
    std::optional<ImVec4> colour{};   // empty: plotColour(index)
    bool line = true, dots = false;
    bool filled = false;  // fills the area between line and x axis
};

// Horizontal reference line.
struct PlotReference
{
    double y = 0;
    std::string label{};
    ImVec4 colour{};
    bool dashed = false;
};

struct Plot
{
    std::string item{};  // item name for scripts
    float height = 92;   // pixels at scale 1, including axis titles
    PlotAxis x{}, y{};
    std::vector<PlotSeries> series{};
    std::vector<PlotReference> references{};
    std::vector<double> shaded{};  // x values; each tints the interval [x - 0.5, x + 0.5]
    // Returns the read-out of the point nearest to the mouse; empty: series name, x and y.
    std::function<std::string(std::size_t series, std::size_t point)> readOut{};
};

// Draws the plot over the panel's width.  Draws nothing unless a series has two points, or one point if it shows dots.
void drawPlot(const Panel& panel, const Plot& plot);

// Draws a legend row: a colour square, the name, and `text` beside it, or below if there is no room.
void legendRow(const Panel& panel, const ImVec4& colour, const std::string& name, const std::string& text);

// Returns a colour from a palette for colour-blind viewers; the palette repeats after kPlotColours.
inline constexpr std::size_t kPlotColours = 8;
ImVec4 plotColour(std::size_t series);

// Draws series names in their colours, in as many lines as needed.
void legendLines(const Panel& panel, const std::vector<PlotSeries>& series);

// Mapping from values to axis positions, 0 to 1; independent of the screen.
struct PlotScale
{
    double low = 0, high = 1;  // low < high; both above 0 if logarithmic
    bool logarithmic = false, whole = false;

    double place(double value) const;  // outside [0, 1] if off the axis; NaN if `value` cannot be drawn
    // Returns 2 to `most` (>= 2) round values within [low, high], ascending, as ticksIn() of core/base/ticks.h; fewer
    // if `whole`.
    std::vector<double> ticks(int most) const;
};

// Returns the scale over the drawable values, or the axis's fixed ends; empty if nothing can be drawn.
std::optional<PlotScale> scaleOf(const PlotAxis& axis, std::span<const double> values);

// ---- residuals of iterative runs against the iteration, on a logarithmic axis ----

// Plots one curve; draws nothing for fewer than two values.  `item`: item name for scripts.
void drawConvergence(const Panel& panel, const char* item, const ConvergenceCurve& curve);

struct NamedCurve
{
    std::string name;
    const ConvergenceCurve* curve = nullptr;  // at least two values
};

// Plots all curves over one axis of iterations, with a legend if there is more than one.  Draws the first curve's goal.
void drawConvergences(const Panel& panel, const char* item, std::span<const NamedCurve> curves);

}  // namespace orogen::app
