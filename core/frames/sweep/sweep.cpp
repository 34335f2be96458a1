#include "core/frames/sweep/sweep.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace orogen {
namespace {

// Returns the setting behind --depths, depending on the swept world.
std::string_view depthKeyOf(const SweepPlan& plan)
{
    return !plan.viewOptions.empty() && plan.viewOptions.front() == "earth" ? "earth.depth" : "cbt.depth";
}

using Json = nlohmann::ordered_json;

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

std::string textOf(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

// Appends the differences of two values, recursively.
void differ(const Json* found, const Json* expected, const std::string& place, std::vector<std::string>& lines)
{
    if (found && expected && *found == *expected) return;
    if (found && expected && found->is_object() && expected->is_object())
    {
        for (const auto& [key, value] : expected->items())
            differ(found->contains(key) ? &(*found)[key] : nullptr, &value, place.empty() ? key : place + ' ' + key,
                   lines);
        for (const auto& [key, value] : found->items())
            if (!expected->contains(key)) differ(&value, nullptr, place.empty() ? key : place + ' ' + key, lines);
        return;
    }
    lines.push_back(fmt::format("{}: found {}, expected {}", place, found ? textOf(*found) : "nothing",
                                expected ? textOf(*expected) : "nothing"));
}

template <class T>
Json orNull(const std::optional<T>& value)
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
        front.push_back(std::ranges::none_of(costs, [&](const std::pair<double, double>& other) {
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
                       {"path", {{"name", orNull(m.pathName)}, {"hash", orNull(m.pathHash)}}},
                       {"terrain", {{"name", m.heightmap}, {"sha256", orNull(m.heightmapSha256)}}},
                       {"settings", Json::parse(plan.settings)},
                       {"program", {{"version", m.version}, {"commit", orNull(m.commit)}}},
                       {"shaders_hash", orNull(m.shadersHash)},
                       {"renderer", orNull(m.glRenderer)},
                       {"cpu", orNull(m.cpu)}};
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::vector<std::string> planDifferences(const std::string& found, const SweepPlan& expected)
{
    const Json there = Json::parse(found, nullptr, false), here = Json::parse(planToJson(expected));
    if (!there.is_object()) return {"sweep-plan.json: found no JSON object, expected a sweep's plan"};
    std::vector<std::string> lines;
    differ(&there, &here, "", lines);
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
                                  {"frame_ms_p50", orNull(point.frameMsP50)},
                                  {"triangles_mean", orNull(point.trianglesMean)},
                                  {"error_px_p99", orNull(point.errorPxP99)},
                                  {"error_px_max", orNull(point.errorPxMax)},
                                  {"pareto", orNull(point.pareto)},
                                  {"unsettled", point.unsettled},
                                  {"capture", pointName(plan, point)},
                                  {"settings_file", pointName(plan, point) + ".json"}});
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
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

}  // namespace orogen
