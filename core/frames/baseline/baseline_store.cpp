#include "core/frames/baseline/baseline_store.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <limits>

#include <fmt/format.h>

#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/frames/pages/html_text.h"
#include "core/frames/pages/report_html.h"
#include "core/frames/pages/svg_chart.h"
#include "core/frames/statistics/statistics.h"

namespace orogen {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kKeyDigits = 8;
constexpr std::uint64_t kLargestBaseline = std::uint64_t(512) << 20;  // bytes
constexpr std::string_view kEnding = ".json";

std::string keyOf(std::string_view text) { return sha256(text).substr(0, kKeyDigits); }

// Returns the stem of a file: series, time and commit.  Colons are not allowed in names on some file systems.
std::string stemOf(const BaselineSeries& series, const ReportMetadata& metadata)
{
    std::string created = metadata.created;
    std::ranges::replace(created, ':', '.');
    std::string commit = metadata.commit.value_or("unknown");
    std::erase_if(commit, [](unsigned char c) { return std::isalnum(c) == 0 && c != '-'; });
    return fmt::format("{}-{}-{}-{}-{}", series.name, series.machine, series.scene, created, commit.substr(0, 24));
}

// Returns the series in a file's name, NAME-MACHINE-SCENE-...; nothing for another name.
std::optional<BaselineSeries> seriesIn(const std::string& file)
{
    if (!file.ends_with(kEnding)) return std::nullopt;
    // Searches for two keys (machine, scene) followed by a time, which begins with the year and a dash.
    for (std::size_t at = file.find('-'); at != file.npos; at = file.find('-', at + 1))
    {
        const std::size_t scene = at + 1 + kKeyDigits, time = scene + 1 + kKeyDigits;
        if (time + 20 >= file.size() || file[scene] != '-' || file[time] != '-') continue;
        const auto isKey = [](std::string_view key) { return key.find_first_not_of("0123456789abcdef") == key.npos; };
        const std::string machine = file.substr(at + 1, kKeyDigits), key = file.substr(scene + 1, kKeyDigits);
        const bool dated = file[time + 5] == '-' && file[time + 11] == 'T';
        if (dated && isKey(machine) && isKey(key) && isBaselineName(file.substr(0, at)))
            return BaselineSeries{file.substr(0, at), machine, key};
    }
    return std::nullopt;
}

// Returns the first free file of STEM.json, STEM-2.json and so on.  Captures of the same second, such as the sides of
// an interleaved capture, have equal stems.  Errors: kOutput if one of these files has the same capture; those of
// readBaseline().
Result<std::string> freeFile(const std::string& stem, const Capture& capture)
{
    for (int number = 1;; ++number)
    {
        std::string file = stem + (number > 1 ? fmt::format("-{}", number) : "") + std::string(kEnding);
        std::error_code error;
        if (!fs::exists(file, error)) return file;
        const Result<Baseline> there = readBaseline(file);
        if (!there) return there.error();
        if (sameCapture(there->capture, capture))
            return Error{ExitCode::kOutput,
                         fmt::format("{}: holds this capture already, expected one that is not in the store", file)};
    }
}

bool selects(const BaselineFilter& filter, const BaselineSeries& series)
{
    return (filter.name.empty() || filter.name == series.name) &&
           (filter.machine.empty() || filter.machine == series.machine) &&
           (filter.scene.empty() || filter.scene == series.scene);
}

// Returns the key by which files are sorted: the stem, and the number that freeFile() appended to it.
std::pair<std::string, std::uint64_t> sortingKey(const std::string& file)
{
    const std::string stem = file.substr(0, file.size() - kEnding.size());
    const std::size_t dash = stem.rfind('-');
    const auto number = numberIn<std::uint64_t>(std::string_view(stem).substr(dash + 1));
    return number ? std::pair(stem.substr(0, dash), *number) : std::pair(stem, std::uint64_t(1));
}

// Returns the files of a store that the filter selects, in the order of their names: by series, then by time.
std::vector<std::string> filesOf(const std::string& store, const BaselineFilter& filter)
{
    std::vector<std::string> files;
    std::error_code error;
    for (fs::directory_iterator entry(store, error), end; !error && entry != end; entry.increment(error))
    {
        const std::optional<BaselineSeries> series = seriesIn(entry->path().filename().string());
        if (series && selects(filter, *series)) files.push_back(entry->path().string());
    }
    std::ranges::sort(files, {}, sortingKey);
    return files;
}

std::string csvOf(std::span<const FrameSample> rows, RunColumns columns)
{
    std::string text = std::string(frameColumns(columns)) + '\n';
    for (const FrameSample& row : rows)
        appendRow(text, row, columns);
    return text;
}

}  // namespace

bool isBaselineName(std::string_view name)
{
    const auto plain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-'; };
    return !name.empty() && name.size() <= kLongestBaselineName && std::ranges::all_of(name, plain) &&
           std::isalnum(static_cast<unsigned char>(name.front())) != 0;
}

BaselineSeries seriesOf(const std::string& name, const FrameReport& report)
{
    const ReportMetadata& m = report.metadata;
    return {name, keyOf(m.cpu.value_or("") + '\n' + m.glRenderer.value_or("")),
            keyOf(fmt::format("{}\n{}\n{}x{}\n{}\n{}", m.heightmapSha256.value_or(m.heightmap), m.pathHash.value_or(""),
                              m.width, m.height, report.framesPlanned, report.panels))};
}

Result<std::string> addBaseline(const std::string& store, const std::string& name, const Capture& capture)
{
    if (!capture.report.statistics.intervalMs)
        return Error{ExitCode::kInput,
                     fmt::format("{}: found no measured frame, expected a capture with runs", capture.folder)};
    const BaselineSeries series = seriesOf(name, capture.report);
    std::error_code error;
    fs::create_directories(store, error);
    if (error) return Error{ExitCode::kOutput, fmt::format("{}: cannot be made: {}", store, error.message())};
    const Result<std::string> free = freeFile(store + '/' + stemOf(series, capture.report.metadata), capture);
    if (!free) return free.error();
    const std::string& file = *free;
    if (Status s = checkOutputFile(file, {}, Existing::kRefuse); !s) return s.error();
    Json runs = Json::array();
    for (const std::vector<FrameSample>& rows : capture.rows)
    {
        const bool tiles =
            std::ranges::any_of(rows, [](const FrameSample& row) { return row.tilesMissing.has_value(); });
        runs.push_back(csvOf(rows, tiles ? RunColumns::kWithTiles : RunColumns::kOfAll));
    }
    const Json json = {{"schema", kBaselineSchema},
                       {"name", series.name},
                       {"machine", series.machine},
                       {"scene", series.scene},
                       {"report", Json::parse(reportToJson(capture.report))},
                       {"runs", runs}};
    if (Status s = writeFileAtomically(file, json.dump(1) + '\n'); !s) return s.error();
    return file;
}

bool sameCapture(const Capture& a, const Capture& b)
{
    return a.rows == b.rows && reportToJson(a.report) == reportToJson(b.report);
}

Result<Baseline> readBaseline(const std::string& file)
{
    const Result<std::string> text = readTextFile(file, kLargestBaseline);
    if (!text) return text.error();
    const Result<Json> json = parseJson(*text, file, "a baseline");
    if (!json) return json.error();
    JsonFailure failure(file);
    const JsonNode root(&*json, "", failure);
    if (const JsonNode schema = root["schema"]; !failure.error() && schema.text() != kBaselineSchema)
        schema.refuse(fmt::format("\"{}\"", kBaselineSchema));
    Baseline baseline{file, {root["name"].text(), root["machine"].text(), root["scene"].text()}, {file, {}, {}}};
    const std::string report = root["report"].object().dump();
    std::vector<std::string> runs;
    for (const JsonNode& run : root["runs"].items())
        runs.push_back(run.text());
    if (failure.error()) return *failure.error();
    Result<FrameReport> read = reportFromJson(report, file);
    if (!read) return read.error();
    baseline.capture.report = std::move(*read);
    if (runs.size() != baseline.capture.report.runs.size())
        return Error{ExitCode::kInput, fmt::format("{}: runs: found {}, expected the {} of the report", file,
                                                   runs.size(), baseline.capture.report.runs.size())};
    for (std::size_t i = 0; i < runs.size(); ++i)
    {
        const std::string place = file + ':' + baseline.capture.report.runs[i].file;
        Result<RunRows> rows = parseRun(runs[i], place);
        if (!rows) return rows.error();
        if (Status s = checkRows(place, baseline.capture.report.runs[i], rows->rows); !s) return s.error();
        baseline.capture.rows.push_back(std::move(rows->rows));
    }
    return baseline;
}

Result<std::vector<Baseline>> readBaselines(const std::string& store, const BaselineFilter& filter,
                                            const StopReading& stop)
{
    std::vector<Baseline> baselines;
    for (const std::string& file : filesOf(store, filter))
    {
        if (stop && stop()) return Error{ExitCode::kInterrupted, "interrupted"};
        Result<Baseline> baseline = readBaseline(file);
        if (!baseline) return baseline.error();
        baselines.push_back(std::move(*baseline));
    }
    return baselines;
}

Result<std::vector<std::string>> pruneBaselines(const std::string& store, const BaselineFilter& filter,
                                                std::uint64_t keep)
{
    std::vector<std::string> removed, files = filesOf(store, filter);
    const auto series = [](const std::string& file) { return *seriesIn(fs::path(file).filename().string()); };
    for (std::size_t begin = 0, end = 0; begin < files.size(); begin = end)
    {
        while (end < files.size() && series(files[end]) == series(files[begin]))
            ++end;
        for (std::size_t i = begin; i + keep < end; ++i)
        {
            std::error_code error;
            if (!fs::remove(files[i], error))
                return Error{ExitCode::kOutput, fmt::format("{}: cannot be removed: {}", files[i], error.message())};
            removed.push_back(files[i]);
        }
    }
    return removed;
}

// Page section that shows the trend of each series of a store, capture by capture.

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
    std::string html = fmt::format("<h3>{}</h3>\n<p class=soft>{}</p>\n", escaped(series.front().series.name),
                                   escaped(fmt::format("{} · {} · path {} · {} × {} · {} a run", machineText(m),
                                                       terrainText(m), m.pathName.value_or("unknown"), m.width,
                                                       m.height, counted(newest.framesPlanned, "frame"))));
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
