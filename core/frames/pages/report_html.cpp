#include "core/frames/pages/report_html.h"

#include <algorithm>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/frames/pages/html_text.h"
#include "core/frames/pages/report_charts.h"
#include "core/frames/pages/svg_chart.h"
#include "core/frames/report/report.h"
#include "core/frames/report/report_json.h"
#include "core/frames/statistics/statistics.h"

namespace orogen {
namespace {

constexpr std::size_t kMostEvents = 200;

std::string ms(double value) { return figureText(value) + " ms"; }
std::string fps(double value) { return figureText(value) + " fps"; }
std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string_view definitionOf(std::string_view name)
{
    const auto definition = std::ranges::find(statisticDefinitions(), name, &Definition::name);
    return definition == statisticDefinitions().end() ? std::string_view() : definition->text;
}

// Table whose rows have a name, a value and, if there is one, a definition.
class DefinitionTable
{
public:
    void add(std::string_view name, const std::string& value, std::string_view definition = {})
    {
        addText(name, value, definitionOf(definition));
    }
    void addText(std::string_view name, const std::string& value, std::string_view text)
    {
        fmt::format_to(std::back_inserter(html_), "<tr><th>{}</th><td class=n>{}</td><td class=def>{}</td></tr>\n",
                       escaped(name), escaped(value), escaped(text));
    }
    std::string html() const
    {
        return "<table class=defs><thead><tr><th>Statistic</th><th class=n>Value</th><th>Definition</th></tr></thead>"
               "<tbody>\n" +
               html_ + "</tbody></table>\n";
    }

private:
    std::string html_;
};

void addPercentile(DefinitionTable& table, const ShownPercentile& percentile, const Distribution& d)
{
    const std::uint64_t needed = percentile.framesNeeded();
    if (d.count >= needed) return table.add(percentile.name, percentile.textOf(d) + " ms");
    table.addText(percentile.name, std::string(kNoFigure), "Not given: " + lowReason(d.count, needed) + ".");
}

void addIntervals(DefinitionTable& table, const Statistics& s)
{
    table.add("Frames", grouped(s.frames), "frames");
    table.add("Time", figureText(s.seconds) + " s", "seconds");
    if (s.fpsAverage) table.add("Average", fps(*s.fpsAverage), "fps_average");
    if (!s.intervalMs) return;
    const Distribution& d = *s.intervalMs;
    table.add("Interval, mean", ms(d.mean), "interval_ms");
    table.add("Shortest, longest", fmt::format("{}, {}", figureText(d.min), ms(d.max)));
    for (const ShownPercentile& percentile : kShownPercentiles)
        addPercentile(table, percentile, d);
}

void addLows(DefinitionTable& table, const std::string& share, const std::optional<Lows>& lows,
             const std::string& reason, const std::string& name, const std::string& percentile)
{
    if (!lows) return table.addText(share + " lows", "–", "Not given: " + reason + ".");
    table.add(share + " low, by percentile", fps(lows->percentile), name + percentile);
    table.add(share + " low, by mean", fps(lows->mean), name + "_mean");
    table.add(share + " low, by time", fps(lows->time), name + "_time");
}

std::string missText(const Misses& misses)
{
    return fmt::format("{} ({}), {} in a row", grouped(misses.count), percent(misses.share),
                       grouped(misses.longestRun));
}

void addSmoothness(DefinitionTable& table, const Statistics& s, GpuTimer gpuTimer)
{
    if (s.jitterMeanMs)
    {
        const bool enough = s.frames > shownPercentile("p99").framesNeeded();
        table.add("Jitter, mean and p99",
                  fmt::format("{}, {}", ms(*s.jitterMeanMs), enough ? ms(*s.jitterP99Ms) : std::string(kNoFigure)),
                  "jitter_ms");
    }
    if (s.stutter)
        table.add("Stutter",
                  fmt::format("{} ({:.1f} a minute, {} of the time)", grouped(s.stutter->count), s.stutter->perMinute,
                              percent(s.stutter->timeShare)),
                  "stutter");
    if (s.variation)
        table.add("Coefficient of variation", fmt::format("{:.3f}", *s.variation), "coefficient_of_variation");
    if (s.animationErrorMeanMs)
    {
        const bool enough = s.frames >= shownPercentile("p99").framesNeeded();
        table.add("Animation error, mean and p99",
                  fmt::format("{}, {}", ms(*s.animationErrorMeanMs),
                              enough ? ms(*s.animationErrorP99Ms) : std::string(kNoFigure)),
                  "animation_error_ms");
    }
    if (s.jankMs) table.add(fmt::format("Jank over {:.2f} ms", s.budgetMs), ms(*s.jankMs), "jank");
    if (s.missed60) table.add("Missed 60 Hz", missText(*s.missed60), "missed_60hz");
    if (s.missed30) table.add("Missed 30 Hz", missText(*s.missed30), "missed_30hz");
    if (s.bound && gpuTimer != GpuTimer::kSoftware)
        table.add("Bound by CPU, GPU, present",
                  fmt::format("{}, {}, {}", percent(s.bound->cpu), percent(s.bound->gpu), percent(s.bound->present)),
                  "bound");
    if (s.autocorrelation)
    {
        table.add("Autocorrelation, lag 1", fmt::format("{:.2f}", *s.autocorrelation), "autocorrelation_lag1");
        table.add("Effective frames", grouped(*s.effectiveFrames, 0), "effective_n");
    }
}

std::string count(const std::optional<std::uint64_t>& value) { return value ? grouped(*value) : "–"; }

std::string textOf(const CounterStatistic& statistic, std::string_view unit)
{
    const std::string text = statistic.mean ? grouped(*statistic.mean, 1) : count(statistic.total);
    return unit.empty() || !(statistic.mean || statistic.total) ? text : fmt::format("{} {}", text, unit);
}

void addWork(DefinitionTable& table, const WorkStatistics& work)
{
    for (std::size_t i = 0; i < kCounters.size();)
    {
        const Counter& counter = kCounters[i];
        std::string text = textOf(work.counters[i], counter.unit);
        for (++i; i < kCounters.size() && kCounters[i].label.empty(); ++i)
            text += ", " + textOf(work.counters[i], kCounters[i].unit);
        table.add(std::string(counter.label), text, &counter == kCounters.data() ? "work" : "");
    }
}

std::string pixelsText(const std::optional<Distribution>& d, double Distribution::*member)
{
    return d ? fmt::format("{} px of {}", figureText((*d).*member), counted(d->count, "frame")) : "not measured";
}

std::string passRow(const std::string& name, const std::optional<Distribution>& d, std::string_view definition)
{
    std::string cells;
    if (d)
        for (const std::string& value :
             {figureText(d->mean), shownPercentile("p50").textOf(*d), shownPercentile("p95").textOf(*d),
              shownPercentile("p99").textOf(*d), figureText(d->max)})
            cells += fmt::format("<td class=n>{}</td>", value);
    else
        cells = "<td class=\"n soft\" colspan=5>not measured</td>";
    return fmt::format("<tr><th>{}</th><td class=n>{}</td>{}<td class=def>{}</td></tr>\n", escaped(name),
                       d ? grouped(d->count) : "–", cells, escaped(definition));
}

std::string runMarks(const ReportRun& run)
{
    std::string marks;
    const auto add = [&marks](bool is, const char* text) {
        if (is) marks += (marks.empty() ? "" : ", ") + std::string(text);
    };
    add(run.interrupted, "interrupted");
    add(run.unsettled, "unsettled");
    add(run.statistics.throttled && run.statistics.throttled->count > 0, "throttled");
    add(run.conforming == true, "conforming");
    add(run.conforming == false, "not conforming");
    return marks;
}

std::string runRow(const ReportRun& run)
{
    const Statistics& s = run.statistics;
    const auto cell = [](const std::string& text) { return fmt::format("<td class=n>{}</td>", text); };
    const std::optional<Distribution>& d = s.intervalMs;
    const auto percentile = [&](std::string_view name) {
        return cell(d ? shownPercentile(name).textOf(*d) : std::string(kNoFigure));
    };
    std::string row =
        fmt::format("<tr><th><code>{}</code></th><td class=n>{}</td>", escaped(run.file), grouped(s.frames));
    row += fmt::format("<td class=n>{}</td>", grouped(run.warmupFrames));
    row += cell(s.fpsAverage ? figureText(*s.fpsAverage) : std::string(kNoFigure));
    row += percentile("p50") + percentile("p95") + percentile("p99");
    row += cell(d ? figureText(d->max) : std::string(kNoFigure));
    row += fmt::format("<td class=n>{}</td>", s.stutter ? grouped(s.stutter->count) : "–");
    row += fmt::format("<td class=n>{}</td>", count(run.glErrors));
    return row + fmt::format("<td><code>{}</code></td><td>{}</td></tr>\n", escaped(run.workHash.value_or("–")),
                             escaped(runMarks(run)));
}

std::string commandLineText(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words)
    {
        const bool plain = !word.empty() && word.find_first_of(" \t\"'$") == std::string::npos;
        text += (text.empty() ? "" : " ") + (plain ? word : '"' + word + '"');
    }
    return text;
}

std::optional<std::string> yesNo(const std::optional<bool>& value, const char* yes, const char* no)
{
    if (!value) return std::nullopt;
    return value.value() ? yes : no;
}

std::string programFacts(const ReportMetadata& m)
{
    std::string commit = m.commit.value_or("unknown commit");
    if (m.dirty == true) commit += ", with changes that are not committed";
    return htmlFact("Taken", m.created) + htmlFact("Program", fmt::format("orogen {} ({})", m.version, commit)) +
           htmlFact("Build", m.buildType) + htmlFact("Compiler", m.compiler) +
           htmlFact("Command line", commandLineText(m.commandLine));
}

std::string pictureFacts(const ReportMetadata& m, bool panels)
{
    const std::optional<std::string> vsync = yesNo(m.vsync, "on", "off");
    return htmlFact("Picture", fmt::format("{} × {} pixels{}, {}", m.width, m.height,
                                           m.scale ? fmt::format(", scale {:g}", *m.scale) : "",
                                           m.headless ? "headless" : "in a window")) +
           htmlFact("Panels", panels ? "drawn in every frame" : "not drawn") +
           htmlFact("Vertical sync", vsync ? vsync : std::optional<std::string>("nothing was presented")) +
           htmlFact("Terrain", m.heightmap) + htmlFact("Terrain, SHA-256", m.heightmapSha256) +
           htmlFact("Camera path", m.pathName) + htmlFact("Camera path, hash", m.pathHash) +
           htmlFact("Shaders, hash", m.shadersHash);
}

std::string deviceFacts(const ReportMetadata& m)
{
    std::string html = htmlFact("OpenGL vendor", m.glVendor) + htmlFact("Renderer", m.glRenderer) +
                       htmlFact("OpenGL version", m.glVersion) + htmlFact("GLSL header", m.glslHeader) +
                       htmlFact("Context", m.contextPath);
    html += htmlFact("GPU timer", fmt::format("{}. {}", textOf(m.gpuTimer), meaningOf(m.gpuTimer)));
    html +=
        htmlFact("CUDA", m.cudaDevice ? fmt::format("{}, driver {}, runtime {}", *m.cudaDevice,
                                                    m.cudaDriver.value_or("unknown"), m.cudaRuntime.value_or("unknown"))
                                      : "none");
    html += htmlFact("CPU", m.cpu) + htmlFact("Governor", m.governor) + htmlFact("Kernel", m.kernel);
    html += htmlFact("Processors", m.processors ? std::optional(grouped(*m.processors)) : std::nullopt);
    return html + htmlFact("Load at the start", m.load ? std::optional(fmt::format("{:.2f}", *m.load)) : std::nullopt);
}

}  // namespace

std::string statisticsSection(const FrameReport& report)
{
    const Statistics& s = report.statistics;
    DefinitionTable table;
    addIntervals(table, s);
    addLows(table, "1 %", s.low1, lowReason(s.frames, kFramesForLow1), "low1", "_p99");
    addLows(table, "0.1 %", s.low01, lowReason(s.frames, kFramesForLow01), "low01", "_p999");
    addSmoothness(table, s, report.metadata.gpuTimer);
    addWork(table, s.work);
    table.add("Error, largest", pixelsText(s.errorMaxPx, &Distribution::max), "error_max_px");
    table.add("Error, p99, mean of the frames", pixelsText(s.errorP99Px, &Distribution::mean), "error_p99_px");
    return htmlSection("Statistics over all measured frames", table.html());
}

std::string passesSection(const FrameReport& report)
{
    const Statistics& s = report.statistics;
    std::string rows = passRow("CPU", s.cpuMs, definitionOf("cpu_ms")) +
                       passRow("Waiting for the GPU", s.waitMs, definitionOf("wait_ms")) +
                       passRow("Present", s.swapMs, definitionOf("swap_ms"));
    const bool software = report.metadata.gpuTimer == GpuTimer::kSoftware;
    if (!software) rows += passRow("GPU, whole frame", s.gpuMs, definitionOf("gpu_ms"));
    for (std::size_t pass = 0; !software && pass < s.passMs.size(); ++pass)
        rows +=
            passRow("GPU " + std::string(kGpuPassNames[pass]), s.passMs[pass], pass == 0 ? definitionOf("passes") : "");
    const std::string why =
        software ? "<p class=soft>" + escaped(meaningOf(GpuTimer::kSoftware)) + "</p>\n" : std::string();
    return htmlSection(
        "Where the time goes, in ms",
        why +
            "<div class=scroll><table><thead><tr><th>Span</th><th class=n>Frames</th><th class=n>Mean</th>"
            "<th class=n>p50</th><th class=n>p95</th><th class=n>p99</th><th class=n>Longest</th>"
            "<th>Definition</th></tr></thead><tbody>\n" +
            rows + "</tbody></table></div>\n");
}

std::string tilesSection(const FrameReport& report)
{
    if (!report.tiles) return {};
    const TileUse& tiles = *report.tiles;
    const auto megabytes = [](const std::optional<std::uint64_t>& bytes) {
        return bytes ? fmt::format("{:.1f} MiB", double(*bytes) / (1 << 20)) : "–";
    };
    DefinitionTable table;
    table.addText("Frames that lacked tiles",
                  fmt::format("{} of {}", grouped(tiles.framesMissing), grouped(tiles.frames)),
                  "Measured frames in which a wanted tile was not resident: the next coarser one was drawn there.");
    table.addText("Most missing", grouped(tiles.mostMissing), "Tiles at once, in any measured frame.");
    table.addText("Loaded", grouped(tiles.loaded), "Tiles that were loaded during measured frames.");
    table.addText("Resident, room", fmt::format("{}, {}", count(tiles.resident), count(tiles.capacity)),
                  "Tiles on the GPU, at most, and those that the budget holds.");
    table.addText("Memory, budget", fmt::format("{}, {}", megabytes(tiles.residentBytes), megabytes(tiles.budgetBytes)),
                  "Memory of tiles on the GPU, at most, and terrain.tile_budget.");
    table.addText("Read", megabytes(tiles.bytesRead), "From files or the network, warm-up included.");
    table.addText("Found resident", tiles.hitRate() ? percent(*tiles.hitRate()) : "–",
                  "Share of the tiles that became wanted, warm-up included.");
    if (tiles.coarser.value_or(1) > 1.005)
        table.addText("Coarser by", fmt::format("{:.2f}", *tiles.coarser),
                      "Sample spacing over the requested one: the budget held no more.");
    return htmlSection("Tiles", table.html());
}

std::string stateSection(const FrameReport& report)
{
    const Statistics& s = report.statistics;
    std::string rows;
    for (std::size_t i = 0; i < s.machine.size(); ++i)
        if (const std::optional<Distribution>& d = s.machine[i])
            rows += fmt::format("<tr><th>{}, {}</th><td class=n>{}</td><td class=n>{}</td><td class=n>{}</td></tr>\n",
                                kMachineColumns[i].label, kMachineColumns[i].unit, figureText(d->min),
                                figureText(d->mean), figureText(d->max));
    if (rows.empty() && !s.throttled) return {};
    std::string body = "<table><thead><tr><th>Reading</th><th class=n>Lowest</th><th class=n>Mean</th>"
                       "<th class=n>Highest</th></tr></thead><tbody>\n" +
                       rows + "</tbody></table>\n";
    if (rows.empty()) body.clear();
    body += fmt::format("<p class=soft>{}</p>\n", escaped(definitionOf("machine")));
    if (s.throttled)
        body += fmt::format("<p class=soft>A clock was lowered in {} of {}.</p>\n", grouped(s.throttled->count),
                            counted(s.throttled->frames, "frame"));
    return htmlSection("State of the machine", body);
}

std::string runsSection(const FrameReport& report)
{
    if (report.runs.empty()) return {};
    std::string rows;
    for (const ReportRun& run : report.runs)
        rows += runRow(run);
    return htmlSection(
        "Runs", "<div class=scroll><table><thead><tr><th>File</th><th class=n>Frames</th><th class=n>Warm-up</th>"
                "<th class=n>fps</th><th class=n>p50 ms</th><th class=n>p95 ms</th><th class=n>p99 ms</th>"
                "<th class=n>Longest</th><th class=n>Stutters</th><th class=n>GL errors</th><th>Work hash</th>"
                "<th></th></tr></thead><tbody>\n" +
                    rows + "</tbody></table></div>\n");
}

std::string eventsSection(std::span<const std::vector<FrameSample>> rows)
{
    std::string html;
    std::size_t count = 0;
    for (std::size_t run = 0; run < rows.size(); ++run)
        for (const FrameSample& row : rows[run])
            for (const ComputeEvent& event : computeEvents(row.event))
                if (++count <= kMostEvents)
                    html += fmt::format("<tr><td class=n>{}</td><td class=n>{}</td><td>{}</td><td class=n>{:.4f}</td>"
                                        "<td>{}</td><td class=n>{:.3f}</td><td class=n>{:.3f}</td></tr>\n",
                                        run + 1, row.frame, escaped(event.name), event.durationMs, escaped(event.clock),
                                        event.beginMs, event.endMs);
    if (count == 0) return {};
    const std::string more =
        count > kMostEvents ? fmt::format("<p class=soft>The first {} of {}.</p>\n", kMostEvents, count) : "";
    return htmlSection("Compute jobs",
                       "<p class=soft>Durations by the clock that is named; begin and end are time stamps of the CPU, "
                       "which put the jobs on the axis of the frames (t_ms).</p>\n<div class=scroll><table><thead><tr>"
                       "<th class=n>Run</th><th class=n>Frame</th><th>Job</th><th class=n>ms</th><th>Clock</th>"
                       "<th class=n>Begin</th><th class=n>End</th></tr></thead><tbody>\n" +
                           html + "</tbody></table></div>\n" + more);
}

std::string machineText(const ReportMetadata& m)
{
    std::string text = m.cpu.value_or("unknown processor");
    if (m.processors) text += ", " + counted(*m.processors, "processor");
    return text + "; " + m.glRenderer.value_or("unknown renderer");
}

std::string terrainText(const ReportMetadata& m) { return m.heightmap.empty() ? "unknown terrain" : m.heightmap; }

std::string metadataSection(const FrameReport& report)
{
    const ReportMetadata& m = report.metadata;
    return htmlSection("How it was taken", "<div class=two><table class=facts><tbody>\n" + programFacts(m) +
                                               pictureFacts(m, report.panels) +
                                               "</tbody></table>\n<table class=facts><tbody>\n" + deviceFacts(m) +
                                               "</tbody></table></div>\n");
}

std::string settingsSection(const FrameReport& report)
{
    std::string rows;
    const auto settings = Json::parse(report.settings);
    for (const auto& [key, value] : settings.members())
        rows += htmlFact(key, value.isText() ? value.get<std::string>() : value.dump());
    return htmlSection("Settings", "<table class=facts><tbody>\n" + rows +
                                       htmlFact("SHA-256 of these", settingsHash(report)) + "</tbody></table>\n");
}

// ---- page ----

namespace {

constexpr int kColumns = 420, kFewestColumns = 120, kMostTimelines = 12;

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
    line += fmt::format(" · {} × {} · {} · {}", m.width, m.height, machineText(m),
                        m.created.empty() ? "unknown date" : m.created);
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
    if (const std::string until = untilSentence(report); !until.empty()) lines.push_back(sentenceText(until));
    if (report.discardedRuns > 0)
        lines.push_back(fmt::format("{} throttled run{} left out and repeated", report.discardedRuns,
                                    report.discardedRuns == 1 ? " was" : "s were"));
    if (const std::string throttle = throttleSentence(report.statistics); !throttle.empty())
        lines.push_back("Throttled: " + throttle);
    if (const std::string tiles = tilesSentence(report); !tiles.empty()) lines.push_back(sentenceText(tiles));
    if (report.glErrors.value_or(0) > 0)
        lines.push_back(counted(*report.glErrors, "OpenGL error") + (*report.glErrors == 1 ? " was" : " were") +
                        " reported.");
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
                     fmt::format("{}, {} s", counted(s.frames, "frame"), figureText(s.seconds)));
    html += percentileTile("Median frame", shownPercentile("p50"), *s.intervalMs);
    html += percentileTile("Slow frame", shownPercentile("p99"), *s.intervalMs);
    html += s.low1 ? htmlTile("1 % low", figureText(s.low1->mean), "fps", "mean of the slowest")
                   : htmlTile("1 % low", "–", "", lowReason(s.frames, kFramesForLow1));
    html += htmlTile("Stutter", grouped(s.stutter->count), s.stutter->count == 1 ? "frame" : "frames",
                     fmt::format("{:.1f} a minute", s.stutter->perMinute));
    html += htmlTile("Missed 60 Hz", fmt::format("{:.1f}", 100 * s.missed60->share), "%",
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
    body += sectionsSection(report, rows);
    body += statisticsSection(report);
    body += passesSection(report);
    body += runsSection(report);
    body += tilesSection(report);
    body += stateSection(report);
    body += eventsSection(rows);
    body += metadataSection(report);
    body += settingsSection(report);
    return htmlPage("Frame-time report: " + report.metadata.heightmap, body);
}

}  // namespace orogen
