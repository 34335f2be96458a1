#include "core/frames/pages/report_html.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/base/base64.h"
#include "core/frames/pages/html_text.h"
#include "core/frames/pages/report_charts.h"
#include "core/frames/pages/report_facts.h"
#include "core/frames/pages/svg_chart.h"
#include "core/frames/report/noise.h"
#include "core/frames/statistics/figure_text.h"

namespace orogen {
namespace {

constexpr int kColumns = 420, kFewestColumns = 120, kMostTimelines = 12;

std::string pictureText(const ReportMetadata& m) { return fmt::format("{} × {}", m.width, m.height); }

// Embeds the last frame as a data URI, so that the page is one file.
std::string picture(const FrameReport& report)
{
    if (report.picture.empty()) return {};
    constexpr std::size_t kLine = 160;
    return "<figure class=shot><img alt=\"The last frame\" src=\"data:image/png;base64,\n" +
           base64(report.picture, kLine) +
           "\"><figcaption>The last frame; in full size: last.png</figcaption></figure>\n";
}

std::string header(const FrameReport& report)
{
    const ReportMetadata& m = report.metadata;
    std::string line = terrainText(m);
    if (m.pathName && !m.pathName->empty()) line += " · path " + *m.pathName;
    line += " · " + pictureText(m) + " · " + machineText(m) + " · " + (m.created.empty() ? "unknown date" : m.created);
    return fmt::format("<header><h1>Frame-time report</h1><p class=soft>{}</p></header>\n", escaped(line));
}

// Lists caveats about the numbers.
std::string notices(const FrameReport& report)
{
    std::vector<std::string> lines;
    if (report.interrupted) lines.push_back("Interrupted: the capture ended before its last frame.");
    if (report.recovered)
        lines.push_back("Recovered: the capture was killed, and finished from the rows that it left.");
    if (report.unsettled)
        lines.push_back("Unsettled: warm-up gave up before the tree had converged, so the first frames may hold "
                        "start-up work.");
    if (const std::string tiles = tilesSentence(report); !tiles.empty()) lines.push_back(sentenceText(tiles));
    if (report.glErrors.value_or(0) > 0)
        lines.push_back(fmt::format("{} OpenGL errors were reported.", *report.glErrors));
    if (report.conforming == false) lines.push_back("A frame's mesh did not conform.");
    if (report.runs.size() > 1 && !report.workHash)
        lines.push_back("The runs did not do the same work: their work hashes differ.");
    if (report.metadata.gpuTimer == GpuTimer::kSoftware)
        lines.push_back("No GPU timer: " + std::string(meaningOf(GpuTimer::kSoftware)));
    if (report.panels) lines.push_back("The panels were drawn in every frame, and are part of its times (--panels).");
    for (const std::string& warning : noiseWarnings(report))
        lines.push_back("Noisy: " + warning);
    for (const std::string& note : report.notes)
        lines.push_back(sentenceText(note));
    std::string html;
    for (const std::string& line : lines)
        html += "<p class=note>" + escaped(line) + (line.ends_with('.') ? "" : ".") + "</p>\n";
    return html;
}

std::string decimals(double value, int places) { return fmt::format("{:.{}f}", value, places); }

std::string percentileTile(std::string_view name, const ShownPercentile& percentile, const Distribution& d)
{
    const std::uint64_t needed = percentile.framesNeeded();
    if (d.count < needed) return htmlTile(name, kNoFigure, "", lowReason(d.count, needed));
    return htmlTile(name, percentile.textOf(d), "ms", fmt::format("{} of the interval", percentile.name));
}

std::string tiles(const Statistics& s)
{
    if (!s.intervalMs || !s.fpsAverage) return "<p class=note>No frame was measured.</p>\n";
    std::string html = "<div class=tiles>";
    html += htmlTile("Average", figureText(*s.fpsAverage), "fps",
                     fmt::format("{} frames, {} s", grouped(s.frames), figureText(s.seconds)));
    html += percentileTile("Median frame", shownPercentile("p50"), *s.intervalMs);
    html += percentileTile("Slow frame", shownPercentile("p99"), *s.intervalMs);
    html += s.low1 ? htmlTile("1 % low", figureText(s.low1->mean), "fps", "mean of the slowest")
                   : htmlTile("1 % low", "–", "", lowReason(s.frames, kFramesForLow1));
    html += htmlTile("Stutter", grouped(s.stutter->count), s.stutter->count == 1 ? "frame" : "frames",
                     fmt::format("{:.1f} a minute", s.stutter->perMinute));
    html += htmlTile("Missed 60 Hz", decimals(100 * s.missed60->share, 1), "%",
                     fmt::format("{} at most in a row", grouped(s.missed60->longestRun)));
    return html + "</div>\n";
}

std::string runName(const FrameReport& report, std::size_t run)
{
    return report.runs.size() > 1 ? fmt::format("Run {}", run + 1) : std::string();
}

std::string timelines(const FrameReport& report, std::span<const std::vector<FrameSample>> rows)
{
    const std::size_t shown = std::min<std::size_t>(rows.size(), kMostTimelines);
    if (shown == 0) return {};
    const int columns = std::max(kColumns / int(shown), kFewestColumns);
    const TimelinePasses passes =
        report.metadata.gpuTimer == GpuTimer::kSoftware ? TimelinePasses::kNone : TimelinePasses::kStacked;
    std::string charts;
    for (std::size_t run = 0; run < shown; ++run)
        charts += timelineChart(rows[run], runName(report, run), columns, passes);
    if (charts.empty()) return {};
    if (shown < rows.size()) charts += fmt::format("<p class=soft>The first {} of {} runs.</p>\n", shown, rows.size());
    return htmlSection("Time line", timelineLegend(rows, passes) + charts);
}

std::string distributions(const FrameReport& report, std::span<const std::vector<FrameSample>> rows)
{
    IntervalSet all{"all runs", "a", sortedIntervals(rows)};
    if (all.sorted.empty()) return {};
    std::vector<IntervalSet> curves;
    for (std::size_t run = 0; rows.size() > 1 && run < rows.size() && run < kMostTimelines; ++run)
        if (std::vector<double> sorted = sortedIntervals(rows.subspan(run, 1)); !sorted.empty())
            curves.push_back({runName(report, run), "run", std::move(sorted)});
    const std::string legend =
        curves.empty() ? "" : legendHtml({{"key-a", "all runs"}, {"line-run", "each run", true}});
    curves.push_back(all);
    return htmlSection("Distribution of the intervals", legend + "<div class=two>" +
                                                            histogramChart(std::span(&all, 1)) +
                                                            percentileChart(curves) + "</div>\n");
}

}  // namespace

std::string reportToHtml(const FrameReport& report, std::span<const std::vector<FrameSample>> rows)
{
    std::string body = header(report) + notices(report) + tiles(report.statistics);
    body += picture(report);
    body += timelines(report, rows);
    body += distributions(report, rows);
    body += statisticsSection(report);
    body += passesSection(report);
    body += runsSection(report);
    body += tilesSection(report);
    body += eventsSection(rows);
    body += metadataSection(report);
    body += settingsSection(report);
    return htmlPage("Frame-time report: " + report.metadata.heightmap, body);
}

}  // namespace orogen
