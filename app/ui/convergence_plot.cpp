#include "app/ui/convergence_plot.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "app/ui/format.h"

namespace orogen::app {

namespace {

constexpr double kLeastValue = 1e-300;  // smallest value plotted: the axis is logarithmic

PlotSeries seriesOf(const NamedCurve& named)
{
    const ConvergenceCurve& curve = *named.curve;
    const std::size_t count = curve.values.size();
    PlotSeries series{.name = named.name};
    for (std::size_t i = 0; i < count; ++i)
    {
        const double step = std::round(double(i) * double(curve.steps - 1) / double(count - 1));
        series.points.push_back({step, std::max(curve.values[i], kLeastValue)});
    }
    return series;
}

// Returns the lower end of the axis: a decade below the goal, or below the smallest positive value without a goal.
double bottomOf(std::span<const NamedCurve> curves)
{
    double bottom = 0;
    for (const NamedCurve& named : curves)
    {
        const ConvergenceCurve& curve = *named.curve;
        double least = curve.goal;
        for (const double value : curve.values)
            if (curve.goal <= 0 && value > 0 && (least <= 0 || value < least)) least = value;
        if (least > 0 && (bottom <= 0 || least < bottom)) bottom = least;
    }
    return std::max(bottom, kLeastValue) / 10;
}

std::string lastText(const ConvergenceCurve& curve)
{
    return fmt::format("{:.2g} after {} iterations", curve.values.back(), grouped(curve.steps - 1));
}

}  // namespace

void drawConvergence(const Panel& panel, const char* item, const ConvergenceCurve& curve)
{
    if (curve.values.size() < 2) return;
    const NamedCurve one{.name = {}, .curve = &curve};
    drawConvergences(panel, item, {&one, 1});
}

void drawConvergences(const Panel& panel, const char* item, std::span<const NamedCurve> curves)
{
    if (curves.empty()) return;
    const ConvergenceCurve& first = *curves.front().curve;
    Plot plot{.item = item,
              .height = curves.size() > 1 ? 148.0f : 108.0f,
              .x = {.name = "iteration", .whole = true},
              .y = {.name = first.name, .logarithmic = true, .low = bottomOf(curves)}};
    for (const NamedCurve& named : curves)
        plot.series.push_back(seriesOf(named));
    if (curves.size() == 1) plot.series.front().colour = panel.theme.accent;
    if (first.goal > 0) plot.references = {{.y = first.goal, .colour = panel.theme.good}};
    plot.readOut = [&curves, &plot](std::size_t series, std::size_t point) {
        const ConvergenceCurve& curve = *curves[series].curve;
        const std::string name = curves[series].name.empty() ? "" : curves[series].name + "\n";
        return fmt::format("{}{} iterations of {}\n{} {:.2g}", name,
                           grouped(std::uint64_t(plot.series[series].points[point].x)), grouped(curve.steps - 1),
                           curve.name, curve.values[point]);
    };
    drawPlot(panel, plot);
    if (curves.size() < 2) return;
    for (std::size_t i = 0; i < curves.size(); ++i)
        legendRow(panel, plotColour(i), curves[i].name, lastText(*curves[i].curve));
}

}  // namespace orogen::app
