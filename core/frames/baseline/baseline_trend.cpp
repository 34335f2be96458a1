// Page section that shows the trend of each series of a store, capture by capture.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/frames/baseline/baseline_store.h"
#include "core/frames/pages/html_text.h"
#include "core/frames/pages/report_html.h"
#include "core/frames/pages/svg_chart.h"
#include "core/frames/statistics/statistics.h"

namespace orogen {
namespace {

constexpr std::size_t kMostTicks = 8;

// Returns the start of the commit, with + for a changed working tree; the date where the commit is unknown.
std::string labelOf(const Baseline& baseline)
{
    const ReportMetadata& m = baseline.capture.report.metadata;
    return m.commit ? m.commit->substr(0, 8) + (m.dirty == true ? "+" : "") : m.created.substr(0, 10);
}

// Draws the medians as a line, and for each capture a bar that reaches from the fastest to the slowest run.
std::string chartOf(const std::vector<TrendPoint>& points)
{
    double low = std::numeric_limits<double>::max(), high = 0;
    for (const TrendPoint& point : points)
    {
        low = std::min(low, point.medians.front());
        high = std::max(high, point.medians.back());
    }
    const double margin = std::max(0.08 * (high - low), 0.02 * high), last = double(points.size()) - 1;
    Chart chart;
    chart.x = {-0.5, last + 0.5, "captures, oldest first, by commit", {}};
    chart.y = linearAxis(std::max(0.0, low - margin), high + margin, "median frame, ms", 4);
    const std::size_t step = (points.size() + kMostTicks - 1) / kMostTicks;
    SvgPath line, bars;
    for (std::size_t i = 0; i < points.size(); ++i)
    {
        const int x = chart.column(double(i)), y = chart.row(points[i].median);
        if (i % step == 0) chart.x.ticks.push_back({chart.x.position(double(i)), labelOf(*points[i].baseline)});
        if (i == 0) line.move(x, y);
        line.line(x, y);
        bars.move(x, chart.row(points[i].medians.front()));
        bars.line(x, std::min(chart.row(points[i].medians.back()), chart.row(points[i].medians.front()) - 1));
    }
    chart.marks = pathElement("line-a", line) + pathElement("bars", bars);
    chart.description = "Median frame time of each capture";
    return chartHtml(chart);
}

const char* colourOf(const TrendPoint& point)
{
    if (!point.comparison || !point.comparison->first()) return "";
    const Verdict verdict = point.comparison->first()->verdict;
    return verdict == Verdict::kSlower ? "bad" : verdict == Verdict::kFaster ? "good" : "";
}

// Returns "slower +8.1 % (+4.0 % to +12.3 %)".
std::string verdictOf(const MetricComparison& metric)
{
    const std::optional<ShownInterval> interval = shownInterval(metric);
    return fmt::format("{} {}{}", textOf(metric.verdict), changeText(metric),
                       interval ? " (" + textOf(*interval) + ')' : std::string());
}

std::string rowOf(const TrendPoint& point)
{
    const ReportMetadata& m = point.baseline->capture.report.metadata;
    const MetricComparison* metric = point.comparison ? point.comparison->first() : nullptr;
    std::string taken = m.created.substr(0, 16);
    std::ranges::replace(taken, 'T', ' ');
    const std::string against = metric ? verdictOf(*metric) : point.obstacle.empty() ? "the first one" : point.obstacle;
    return fmt::format(
        "<tr><th>{}</th><td class=n>{}</td><td class=n>{}</td><td class=n>{}</td><td class=n>{} to {}</td>"
        "<td class=\"{}\">{}</td></tr>\n",
        escaped(labelOf(*point.baseline)), escaped(taken), point.medians.size(), figureText(point.median),
        figureText(point.medians.front()), figureText(point.medians.back()), colourOf(point), escaped(against));
}

std::string seriesHtml(std::span<const Baseline> series)
{
    const std::vector<TrendPoint> points = trendOf(series);
    if (points.empty()) return {};
    const FrameReport& newest = series.back().capture.report;
    const ReportMetadata& m = newest.metadata;
    std::string html =
        fmt::format("<h3>{}</h3>\n<p class=soft>{}</p>\n", escaped(series.front().series.name),
                    escaped(fmt::format("{} · {} · path {} · {} × {} · {} frames a run", machineText(m), terrainText(m),
                                        m.pathName.value_or("unknown"), m.width, m.height, newest.framesPlanned)));
    if (points.size() > 1)
        html += legendHtml({{"line-a", "median of the runs", true}, {"bars", "fastest to slowest run", true}}) +
                chartOf(points);
    html += "<div class=scroll><table><thead><tr><th>Commit</th><th class=n>Taken, UTC</th><th class=n>Runs</th><th "
            "class=n>Median ms"
            "</th><th class=n>Of the runs</th><th>Against the one before</th></tr></thead><tbody>\n";
    for (auto point = points.rbegin(); point != points.rend(); ++point)
        html += rowOf(*point);
    return html + "</tbody></table></div>\n";
}

}  // namespace

std::vector<TrendPoint> trendOf(std::span<const Baseline> series, double marginPercent)
{
    ComparisonOptions options;
    options.marginPercent = marginPercent;
    options.metrics = {"interval_ms.mean", "interval_ms.p50"};
    std::vector<TrendPoint> points;
    for (const Baseline& baseline : series)
    {
        TrendPoint point{&baseline, {}, 0, {}, {}};
        double logs = 0;
        for (const ReportRun& run : baseline.capture.report.runs)
            if (run.statistics.intervalMs && run.statistics.intervalMs->p50 > 0)
            {
                point.medians.push_back(run.statistics.intervalMs->p50);
                logs += std::log(run.statistics.intervalMs->p50);
            }
        if (point.medians.empty()) continue;
        std::ranges::sort(point.medians);
        point.median = std::exp(logs / double(point.medians.size()));
        if (!points.empty())
        {
            Result<Comparison> compared = compareCaptures(std::span(&points.back().baseline->capture, 1),
                                                          std::span(&baseline.capture, 1), options);
            if (compared)
                point.comparison = std::move(*compared);
            else
                point.obstacle = compared.error().message;
        }
        points.push_back(std::move(point));
    }
    return points;
}

std::string trendSection(std::span<const Baseline> baselines)
{
    std::string html;
    for (std::size_t begin = 0, end = 0; begin < baselines.size(); begin = end)
    {
        while (end < baselines.size() && baselines[end].series == baselines[begin].series)
            ++end;
        html += seriesHtml(baselines.subspan(begin, end - begin));
    }
    return html.empty() ? html : htmlSection("Trend", html);
}

std::string trendPage(std::span<const Baseline> baselines)
{
    const std::string trend = trendSection(baselines);
    return htmlPage("Baselines of frame times",
                    "<header><h1>Baselines of frame times</h1></header>\n" +
                        (trend.empty() ? "<p class=note>The store has no baseline.</p>\n" : trend));
}

}  // namespace orogen
