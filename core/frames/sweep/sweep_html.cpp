// sweep.html: accuracy against cost, in one page.
#include <algorithm>

#include <fmt/format.h>

#include "core/frames/pages/html_text.h"
#include "core/frames/pages/line_plot.h"
#include "core/frames/sweep/sweep.h"

namespace orogen {
namespace {

using Cost = std::optional<double> SweepPoint::*;

std::string cell(const std::optional<double>& value, int decimals)
{
    return value ? grouped(*value, decimals) : std::string("–");
}

// Adapts an SVG for embedding: without a name space, limited to the page's width.
std::string inlined(std::string svg)
{
    constexpr std::string_view kNameSpace = " xmlns=\"http://www.w3.org/2000/svg\"";
    if (const std::size_t at = svg.find(kNameSpace); at != svg.npos)
        svg.replace(at, kNameSpace.size(), " style=\"max-width:100%;height:auto\"");
    return "<figure>" + svg + "</figure>\n";
}

// Returns the Pareto front of this chart, from left to right.
PlotLine frontOf(const std::vector<SweepPoint>& points, Cost cost)
{
    std::vector<std::pair<double, double>> costs;
    for (const SweepPoint& point : points)
        if (point.*cost && point.errorPxP99) costs.emplace_back(*(point.*cost), *point.errorPxP99);
    const std::vector<bool> kept = paretoFront(costs);
    PlotLine line{.name = "Pareto front", .points = {}, .dashed = true, .ring = true};
    for (std::size_t i = 0; i < costs.size(); ++i)
        if (kept[i]) line.points.push_back(costs[i]);
    std::ranges::sort(line.points);
    return line;
}

std::string chart(const SweepPlan& plan, const std::vector<SweepPoint>& points, Cost cost, const char* title,
                  const char* xTitle)
{
    LinePlot plot{.title = title,
                  .xTitle = xTitle,
                  .yTitle = "error, 99th percentile [px]",
                  .logarithmicX = true,
                  .logarithmicY = true,
                  .lines = {}};
    for (const int depth : plan.depths)
    {
        PlotLine& line = plot.lines.emplace_back(PlotLine{.name = fmt::format("depth {}", depth), .points = {}});
        for (const SweepPoint& point : points)
            if (point.depth == depth && point.*cost && *(point.*cost) > 0 && point.errorPxP99)
                line.points.emplace_back(*(point.*cost), *point.errorPxP99);
    }
    plot.lines.push_back(frontOf(points, cost));
    plot.notes = {
        fmt::format("A mark is one flight of {} frames; along a line lod.{} changes. Lower and further left is "
                    "better.",
                    plan.frames, keyOf(plan.threshold))};
    return inlined(linePlotSvg(plot));
}

std::string row(const SweepPlan& plan, const SweepPoint& point)
{
    const std::string mark = !point.pareto ? "–" : *point.pareto ? "<b class=good>Pareto</b>" : "";
    return fmt::format("<tr><td class=n>{}</td><td class=n>{}</td><td class=n>{}</td><td class=n>{}</td>"
                       "<td class=n>{}</td><td class=n>{}</td><td>{}{}</td><td><code>{}</code></td></tr>\n",
                       point.depth, point.pixels, cell(point.frameMsP50, 2), cell(point.trianglesMean, 0),
                       cell(point.errorPxP99, 3), cell(point.errorPxMax, 3), mark, point.unsettled ? " unsettled" : "",
                       escaped(commandOf(plan, point)));
}

std::string table(const SweepPlan& plan, const std::vector<SweepPoint>& points)
{
    std::string rows;
    for (const SweepPoint& point : points)
        rows += row(plan, point);
    return htmlSection(
        "Points", fmt::format("<div class=scroll><table><thead><tr><th class=n>Depth</th><th class=n>{}</th>"
                              "<th class=n>Frame, p50 ms</th><th class=n>Triangles</th><th class=n>Error, p99 px</th>"
                              "<th class=n>Error, most px</th><th></th><th>Settings</th></tr></thead><tbody>\n{}"
                              "</tbody></table></div>\n",
                              plan.threshold == SweptThreshold::kSplitPixels ? "Split px" : "Error px", rows));
}

std::string facts(const SweepPlan& plan)
{
    const ReportMetadata& m = plan.metadata;
    std::string rows = htmlFact("Terrain", m.heightmap) + htmlFact("Path", m.pathName);
    rows += htmlFact("Picture", fmt::format("{} × {}", m.width, m.height));
    rows += htmlFact("Frames a point", fmt::format("{}, after at least {} of warm-up", plan.frames, plan.warmup));
    rows += htmlFact("Renderer", m.glRenderer) + htmlFact("CPU", m.cpu);
    rows += htmlFact("Program", m.version + (m.commit ? ", " + *m.commit : "")) + htmlFact("Finished", m.created);
    std::string changed;
    for (const std::string& setting : plan.changedSettings)
        changed += (changed.empty() ? "" : ", ") + setting;
    rows += htmlFact("Settings that are not defaults", changed.empty() ? "none" : changed);
    return htmlSection("How it was taken", "<table class=facts><tbody>\n" + rows + "</tbody></table>\n");
}

std::string definitions()
{
    std::string rows;
    for (const auto& [key, text] : sweepDefinitions())
        rows += htmlFact(key, std::string(text));
    return htmlSection("Definitions", "<table class=facts><tbody>\n" + rows + "</tbody></table>\n");
}

}  // namespace

std::string sweepToHtml(const SweepPlan& plan, const std::vector<SweepPoint>& points)
{
    const ReportMetadata& m = plan.metadata;
    std::string body =
        fmt::format("<header><h1>What accuracy costs</h1><p class=soft>{}</p></header>\n",
                    escaped(fmt::format("{} · {} · {} × {} · {} points", m.heightmap,
                                        m.pathName.value_or("unknown path"), m.width, m.height, points.size())));
    const bool measured = std::ranges::any_of(points, [](const SweepPoint& p) { return p.errorPxP99.has_value(); });
    if (measured)
        body += htmlSection("Error against time", chart(plan, points, &SweepPoint::frameMsP50,
                                                        "Error against frame time", "frame, median [ms]")) +
                htmlSection("Error against triangles",
                            chart(plan, points, &SweepPoint::trianglesMean, "Error against triangles",
                                  "drawn triangles, mean of the frames"));
    else
        body +=
            "<p class=note>The error was not measured in these captures: there is nothing to set time and triangles "
            "against.</p>\n";
    body += table(plan, points) + definitions() + facts(plan);
    return htmlPage("Sweep: " + m.heightmap, body);
}

}  // namespace orogen
