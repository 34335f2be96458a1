// Sections of a camera path on the page of a report: a table, and percentile curves of the first kMostCurves.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/frames/pages/html_text.h"
#include "core/frames/pages/report_charts.h"
#include "core/frames/pages/report_html.h"
#include "core/frames/pages/svg_chart.h"
#include "core/frames/statistics/statistics.h"

namespace orogen {
namespace {

constexpr std::size_t kMostCurves = 12;

std::string shownName(const std::string& section) { return section.empty() ? "before the first mark" : section; }

std::string rowOf(const SectionStatistics& section)
{
    const Statistics& s = section.statistics;
    const auto cell = [](const std::string& text) { return fmt::format("<td class=n>{}</td>", text); };
    const auto percentile = [&](std::string_view name) {
        return cell(s.intervalMs ? shownPercentile(name).textOf(*s.intervalMs) : std::string(kNoFigure));
    };
    const auto figure = [&](const std::optional<double>& value) {
        return cell(value ? figureText(*value) : std::string(kNoFigure));
    };
    const CounterStatistic& leaves = s.work[&FrameSample::leaves];
    return fmt::format("<tr><th>{}</th>", escaped(shownName(section.name))) + cell(grouped(s.frames)) +
           figure(s.fpsAverage) + percentile("p50") + percentile("p95") + percentile("p99") +
           figure(s.intervalMs ? std::optional(s.intervalMs->max) : std::nullopt) +
           cell(s.variation ? fmt::format("{:.3f}", *s.variation) : std::string(kNoFigure)) +
           cell(s.stutter ? grouped(s.stutter->count) : std::string(kNoFigure)) +
           cell(leaves.mean ? grouped(*leaves.mean, 0) : std::string(kNoFigure)) + "</tr>\n";
}

// Returns the intervals of a section's frames, ascending.
std::vector<double> intervalsIn(const std::string& section, std::span<const std::vector<FrameSample>> rows)
{
    std::vector<double> intervals;
    for (const std::vector<FrameSample>& run : rows)
        for (const FrameSample& row : run)
            if (row.measured() && row.intervalMs && row.section == section) intervals.push_back(*row.intervalMs);
    std::ranges::sort(intervals);
    return intervals;
}

std::string curves(const FrameReport& report, std::span<const std::vector<FrameSample>> rows)
{
    const IntervalSet whole{"all", "run", sortedIntervals(rows)};
    std::string html;
    for (std::size_t i = 0; i < std::min(report.sections.size(), kMostCurves); ++i)
    {
        const std::string& name = report.sections[i].name;
        IntervalSet set{name, "a", intervalsIn(name, rows)};
        if (set.sorted.empty()) continue;
        html += fmt::format("<div><p><b>{}</b></p>{}</div>\n", escaped(shownName(name)),
                            percentileChart(std::array{whole, std::move(set)}));
    }
    if (html.empty()) return html;
    return legendHtml({{"line-a", "frames of the section", true}, {"line-run", "all frames", true}}) +
           "<div class=two>" + html + "</div>\n";
}

}  // namespace

std::string sectionsSection(const FrameReport& report, std::span<const std::vector<FrameSample>> rows)
{
    if (report.sections.empty()) return {};
    std::string body = "<div class=scroll><table><thead><tr><th>Section</th><th class=n>Frames</th><th class=n>fps</th>"
                       "<th class=n>p50 ms</th><th class=n>p95 ms</th><th class=n>p99 ms</th><th class=n>Longest</th>"
                       "<th class=n>Variation</th><th class=n>Stutters</th><th class=n>Leaves</th></tr></thead>"
                       "<tbody>\n";
    for (const SectionStatistics& section : report.sections)
        body += rowOf(section);
    return htmlSection("Sections of the path", body + "</tbody></table></div>\n" + curves(report, rows));
}

}  // namespace orogen
