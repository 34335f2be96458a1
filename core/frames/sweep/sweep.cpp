#include "core/frames/sweep/sweep.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "core/base/atomic_file.h"
#include "core/base/folder_listing.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/base/text_file.h"
#include "core/frames/capture/capture_files.h"
#include "core/frames/pages/html_text.h"
#include "core/frames/pages/svg_chart.h"

namespace orogen {
namespace {

// Returns the setting that --depths sweeps.
std::string_view depthKeyOf(const SweepPlan& plan)
{
    return !plan.viewOptions.empty() && plan.viewOptions.front() == "earth" ? "earth.depth" : "cbt.depth";
}

// Quotes a word for a shell.
std::string quoted(const std::string& word)
{
    const bool plain =
        !word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123"
                                                "456789_-./:=,+@%") == std::string::npos;
    if (plain) return word;
    std::string text = "'";
    for (const char c : word)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + '\'';
}

std::string textOf(const Json& value) { return value.isText() ? value.get<std::string>() : value.dump(); }

// Appends the differences of two values, recursively.
void differ(const Json* found, const Json* expected, const std::string& place, std::vector<std::string>& lines)
{
    if (found && expected && *found == *expected) return;
    if (found && expected && found->isObject() && expected->isObject())
    {
        for (const auto& [key, value] : expected->members())
            differ(found->contains(key) ? &(*found)[key] : nullptr, &value, place.empty() ? key : place + ' ' + key,
                   lines);
        for (const auto& [key, value] : found->members())
            if (!expected->contains(key)) differ(&value, nullptr, place.empty() ? key : place + ' ' + key, lines);
        return;
    }
    lines.push_back(fmt::format("{}: found {}, expected {}", place, found ? textOf(*found) : "nothing",
                                expected ? textOf(*expected) : "nothing"));
}

template <class T>
Json valueOrNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

}  // namespace

std::string_view keyOf(SweptThreshold threshold)
{
    return threshold == SweptThreshold::kSplitPixels ? "split_pixels" : "error_pixels";
}

std::vector<SweepPoint> pointsOf(const SweepPlan& plan)
{
    std::vector<SweepPoint> points;
    for (const int depth : plan.depths)
        for (const double pixels : plan.pixels)
        {
            SweepPoint& point = points.emplace_back();
            point.depth = depth;
            point.pixels = pixels;
        }
    return points;
}

std::string pointName(const SweepPlan& plan, const SweepPoint& point)
{
    return fmt::format("point-d{}-{}{}", point.depth, keyOf(plan.threshold)[0], point.pixels);
}

std::vector<std::string> settingsOf(const SweepPlan& plan, const SweepPoint& point)
{
    std::vector<std::string> settings = {
        fmt::format("{}={}", depthKeyOf(plan), point.depth),
        fmt::format("lod.criterion={}", plan.threshold == SweptThreshold::kSplitPixels ? "edge" : "error"),
        fmt::format("lod.{}={}", keyOf(plan.threshold), point.pixels)};
    settings.insert(settings.end(), plan.changedSettings.begin(), plan.changedSettings.end());
    return settings;
}

std::string commandOf(const SweepPlan& plan, const SweepPoint& point)
{
    std::string command = "orogen view";
    for (const std::string& option : plan.viewOptions)
        command += ' ' + quoted(option);
    for (const std::string& setting : settingsOf(plan, point))
        command += " --set " + quoted(setting);
    return command;
}

void measure(SweepPoint& point, const Capture& capture)
{
    const Statistics& statistics = capture.report.statistics;
    point.frameMsP50 = statistics.intervalMs ? std::optional(statistics.intervalMs->p50) : std::nullopt;
    point.trianglesMean = statistics.work[&FrameSample::triangles].mean;
    point.unsettled = capture.report.unsettled;
    double sum = 0, count = 0;
    for (const std::vector<FrameSample>& run : capture.rows)
        for (const FrameSample& frame : run)
        {
            if (!frame.measured()) continue;
            if (frame.errorMaxPx) point.errorPxMax = std::max(point.errorPxMax.value_or(0.0), *frame.errorMaxPx);
            if (!frame.errorP99Px) continue;
            sum += *frame.errorP99Px;
            ++count;
        }
    if (count > 0) point.errorPxP99 = sum / count;
}

std::vector<bool> paretoFront(const std::vector<std::pair<double, double>>& costs)
{
    std::vector<bool> front;
    for (const auto& [x, y] : costs)
        front.push_back(std::ranges::none_of(costs, [x = x, y = y](const std::pair<double, double>& other) {
            return other.first <= x && other.second <= y && (other.first < x || other.second < y);
        }));
    return front;
}

void markPareto(std::vector<SweepPoint>& points)
{
    std::vector<std::pair<double, double>> costs;
    std::vector<SweepPoint*> judged;
    for (SweepPoint& point : points)
    {
        point.pareto.reset();
        if (!point.errorPxP99 || !point.frameMsP50) continue;
        costs.emplace_back(*point.errorPxP99, *point.frameMsP50);
        judged.push_back(&point);
    }
    const std::vector<bool> front = paretoFront(costs);
    for (std::size_t i = 0; i < judged.size(); ++i)
        judged[i]->pareto = front[i];
}

std::string planToJson(const SweepPlan& plan)
{
    const ReportMetadata& m = plan.metadata;
    const Json json = {{"schema", "orogen.sweep-plan/1"},
                       {"depths", plan.depths},
                       {std::string(keyOf(plan.threshold)), plan.pixels},
                       {"frames", plan.frames},
                       {"warmup", plan.warmup},
                       {"size", fmt::format("{}x{}", m.width, m.height)},
                       {"headless", m.headless},
                       {"path", {{"name", valueOrNull(m.pathName)}, {"hash", valueOrNull(m.pathHash)}}},
                       {"terrain", {{"name", m.heightmap}, {"sha256", valueOrNull(m.heightmapSha256)}}},
                       {"settings", Json::parse(plan.settings)},
                       {"program", {{"version", m.version}, {"commit", valueOrNull(m.commit)}}},
                       {"shaders_hash", valueOrNull(m.shadersHash)},
                       {"renderer", valueOrNull(m.glRenderer)},
                       {"cpu", valueOrNull(m.cpu)}};
    return json.dump(1) + '\n';
}

std::vector<std::string> planDifferences(const std::string& found, const SweepPlan& expected)
{
    const std::optional<Json> there = Json::parsed(found);
    const Json here = Json::parse(planToJson(expected));
    if (!there || !there->isObject()) return {"sweep-plan.json: found no JSON object, expected a sweep's plan"};
    std::vector<std::string> lines;
    differ(&*there, &here, "", lines);
    return lines;
}

std::string sweepToJson(const SweepPlan& plan, const std::vector<SweepPoint>& points)
{
    Json json = {{"schema", kSweepSchema},
                 {"metadata", Json::parse(metadataToJson(plan.metadata))},
                 {"settings", Json::parse(plan.settings)},
                 {"plan",
                  {{"depths", plan.depths},
                   {std::string(keyOf(plan.threshold)), plan.pixels},
                   {"frames", plan.frames},
                   {"warmup_minimum", plan.warmup}}},
                 {"definitions", Json::object()},
                 {"points", Json::array()}};
    for (const auto& [key, text] : sweepDefinitions())
        json["definitions"][std::string(key)] = text;
    for (const SweepPoint& point : points)
        json["points"].push_back({{"depth", point.depth},
                                  {std::string(keyOf(plan.threshold)), point.pixels},
                                  {"frame_ms_p50", valueOrNull(point.frameMsP50)},
                                  {"triangles_mean", valueOrNull(point.trianglesMean)},
                                  {"error_px_p99", valueOrNull(point.errorPxP99)},
                                  {"error_px_max", valueOrNull(point.errorPxMax)},
                                  {"pareto", valueOrNull(point.pareto)},
                                  {"unsettled", point.unsettled},
                                  {"capture", pointName(plan, point)},
                                  {"settings_file", pointName(plan, point) + ".json"}});
    return json.dump(1) + '\n';
}

std::string sweepToCsv(const SweepPlan& plan, const std::vector<SweepPoint>& points)
{
    std::string csv =
        fmt::format("depth,{},frame_ms_p50,triangles_mean,error_px_p99,error_px_max,pareto\n", keyOf(plan.threshold));
    const auto cell = [](const std::optional<double>& value, int decimals) {
        return value ? fmt::format("{:.{}f}", *value, decimals) : std::string();
    };
    for (const SweepPoint& point : points)
        csv += fmt::format("{},{},{},{},{},{},{}\n", point.depth, point.pixels, cell(point.frameMsP50, kTimeDecimals),
                           cell(point.trianglesMean, 1), cell(point.errorPxP99, 4), cell(point.errorPxMax, 4),
                           point.pareto ? (*point.pareto ? "true" : "false") : "");
    return csv;
}

const std::vector<std::pair<std::string_view, std::string_view>>& sweepDefinitions()
{
    static const std::vector<std::pair<std::string_view, std::string_view>> kDefinitions = {
        {"frame_ms_p50", "median of the measured frames' intervals, present to present, in milliseconds"},
        {"triangles_mean", "mean of the triangles that were submitted after culling"},
        {"error_px_p99",
         "mean over the frames in which it was measured of that frame's 99th percentile of the distance, "
         "in pixels of the rendered picture, between what is drawn and the full-resolution surface; "
         "null: not measured"},
        {"error_px_max", "largest of that distance in any frame in which it was measured; null: not measured"},
        {"pareto", "no other point has an error_px_p99 and a frame_ms_p50 that are both at most as large and one of "
                   "them smaller; null where the error was not measured"}};
    return kDefinitions;
}

// ---- files in a sweep's folder ----

namespace sweep_files {
namespace {

constexpr std::uint64_t kLongestPlan = 16 << 20;  // bytes

std::string pathOf(const std::string& folder, const std::string& name) { return folder + '/' + name; }

Error otherPlan(const std::string& folder, const std::vector<std::string>& differences)
{
    std::string text = fmt::format("{}: holds another sweep: ", folder);
    for (std::size_t i = 0; i < differences.size(); ++i)
        text += (i == 0 ? "" : "; ") + differences[i];
    return {ExitCode::kOutput, text + " (another --out, or the same command as before)"};
}

// Returns the name of any file in the folder except the plan, and temporary files of the plan that a killed write left.
std::optional<std::string> anythingIn(const std::string& folder)
{
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        if (const std::string name = entry->path().filename().string(); !name.starts_with(kPlan)) return name;
    return std::nullopt;
}

}  // namespace

Status claim(const std::string& folder, const SweepPlan& plan)
{
    const std::string path = pathOf(folder, kPlan);
    std::error_code error;
    if (std::filesystem::exists(path, error))
    {
        Result<InputFile> file = InputFile::open(path);
        if (!file) return file.error();
        const Result<std::string> text = file->readAll(kLongestPlan);
        if (!text) return text.error();
        const std::vector<std::string> differences = planDifferences(*text, plan);
        return differences.empty() ? Status::ok() : Status(otherPlan(folder, differences));
    }
    if (const std::optional<std::string> found = anythingIn(folder))
        return Error{ExitCode::kOutput,
                     fmt::format("{}: found {}, expected a free name, an empty folder or a sweep that was begun there",
                                 folder, *found)};
    if (Status s = makeFolder(folder); !s) return s;
    return writeFileAtomically(path, planToJson(plan));
}

std::optional<SweepPoint> finishedPoint(const std::string& folder, const SweepPlan& plan, const SweepPoint& point)
{
    const Result<Capture> capture = readCapture(pathOf(folder, pointName(plan, point)));
    if (!capture) return std::nullopt;
    const FrameReport& report = capture->report;
    if (report.interrupted || report.recovered || report.framesPlanned != plan.frames) return std::nullopt;
    SweepPoint measured = point;
    measure(measured, *capture);
    return measured;
}

Status clearPoint(const std::string& folder, const SweepPlan& plan, const SweepPoint& point)
{
    const std::string path = pathOf(folder, pointName(plan, point));
    std::error_code error;
    if (!std::filesystem::is_directory(path, error)) return Status::ok();
    FolderLock lock;
    if (!lock.take(path))
        return Error{ExitCode::kOutput, fmt::format("{}: another process is taking this point", path)};
    capture_files::removeFinished(path, systemRunFileCalls());
    capture_files::removeLeftovers(path, systemRunFileCalls());
    return Status::ok();
}

Status writePointSettings(const std::string& folder, const SweepPlan& plan, const SweepPoint& point,
                          const std::string& settings)
{
    return writeFileAtomically(pathOf(folder, pointName(plan, point) + ".json"), settings);
}

std::vector<SweepPoint> readPoints(const std::string& folder, const SweepPlan& plan, std::size_t& missing)
{
    std::vector<SweepPoint> points = pointsOf(plan);
    missing = 0;
    for (SweepPoint& point : points)
    {
        const std::optional<SweepPoint> finished = finishedPoint(folder, plan, point);
        if (finished) point = *finished;
        missing += !finished;
    }
    markPareto(points);
    return points;
}

Status writeResults(const std::string& folder, const SweepPlan& plan, const std::vector<SweepPoint>& points)
{
    if (Status s = writeFileAtomically(pathOf(folder, "sweep.csv"), sweepToCsv(plan, points)); !s) return s;
    if (Status s = writeFileAtomically(pathOf(folder, "sweep.html"), sweepToHtml(plan, points)); !s) return s;
    return writeFileAtomically(pathOf(folder, "sweep.json"), sweepToJson(plan, points));
}

}  // namespace sweep_files

// ---- page: accuracy against cost ----

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

// Returns the Pareto front of error and `cost`, in ascending order of `cost`.
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
    plot.notes = {fmt::format("A mark is one flight of {}; along a line lod.{} changes. Lower and further left is "
                              "better.",
                              counted(plan.frames, "frame"), keyOf(plan.threshold))};
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
                    escaped(fmt::format("{} · {} · {} × {} · {}", m.heightmap, m.pathName.value_or("unknown path"),
                                        m.width, m.height, counted(points.size(), "point"))));
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
