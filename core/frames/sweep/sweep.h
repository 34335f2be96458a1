// A sweep: one camera path flown once for each point of a grid of depths and thresholds, to see what accuracy costs.
//
// A sweep's folder holds
//
//   sweep-plan.json          what is swept, and on what: written first, and what a later run must agree with
//   point-d16-s8/            the capture of a point (frame-time report); the point is done once its report is whole
//   point-d16-s8.json        the settings of that point, for `orogen view --settings`
//   sweep.json, .csv, .html  all points, once all are done
//
// so that a sweep can be killed at any moment and done in parts (shards), and is finished by whoever finds all points
// done.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/status.h"
#include "core/frames/report/report_json.h"

namespace orogen {

inline constexpr const char* kSweepSchema = "orogen.sweep/1";

enum class SweptThreshold
{
    kSplitPixels,  // lod.split_pixels, criterion edge
    kErrorPixels,  // lod.error_pixels, criterion error
};
std::string_view keyOf(SweptThreshold threshold);  // "split_pixels", "error_pixels"

struct SweepPlan
{
    std::vector<int> depths;
    SweptThreshold threshold = SweptThreshold::kSplitPixels;
    std::vector<double> pixels;
    std::uint64_t frames = 60;  // measured, a point
    std::uint64_t warmup = 16;  // at least; until the tree rests
    ReportMetadata metadata;    // of the process that sweeps: terrain, path, picture, program, machine
    std::string settings;       // one JSON object: what all points share, without view, depth and thresholds
    // For the commands: what comes between `orogen view` and the point's own settings, such as the terrain, and
    // "key=value" of the shared settings that are no defaults.
    std::vector<std::string> viewOptions, changedSettings;
};

struct SweepPoint
{
    int depth = 0;
    double pixels = 0;
    // Empty: not measured.
    std::optional<double> frameMsP50;     // median interval of the measured frames
    std::optional<double> trianglesMean;  // of the measured frames
    std::optional<double> errorPxP99;  // mean over the frames, where it was measured, of that frame's 99th percentile
    std::optional<double> errorPxMax;  // largest of all frames
    std::optional<bool> pareto;        // no other point is as fast and as exact, and better in one; empty: no error
    bool unsettled = false;            // the tree did not come to rest before the path began
};

// Depths from the outside in, thresholds within; nothing is measured.
std::vector<SweepPoint> pointsOf(const SweepPlan& plan);
std::string pointName(const SweepPlan& plan, const SweepPoint& point);  // "point-d16-s8", "point-d16-e0.5"

// `key=value` of --set that make this point out of the defaults.
std::vector<std::string> settingsOf(const SweepPlan& plan, const SweepPoint& point);
// "orogen view ... --set ...", as a shell takes it.
std::string commandOf(const SweepPlan& plan, const SweepPoint& point);

// Puts what its capture measured into the point.
void measure(SweepPoint& point, const Capture& capture);

// Which of these pairs have no other that is at most as large in both and smaller in one.  O(n²).
std::vector<bool> paretoFront(const std::vector<std::pair<double, double>>& costs);
void markPareto(std::vector<SweepPoint>& points);  // over errorPxP99 and frameMsP50

// What each number of a point is: key and sentence.
const std::vector<std::pair<std::string_view, std::string_view>>& sweepDefinitions();

std::string sweepToJson(const SweepPlan& plan, const std::vector<SweepPoint>& points);
std::string sweepToCsv(const SweepPlan& plan, const std::vector<SweepPoint>& points);
std::string sweepToHtml(const SweepPlan& plan, const std::vector<SweepPoint>& points);

// What sweep-plan.json holds: what must be the same for points to be comparable.
std::string planToJson(const SweepPlan& plan);
// In what a plan differs from the text of another; empty: in nothing.  Lines "key: found A, expected B".
std::vector<std::string> planDifferences(const std::string& found, const SweepPlan& expected);

}  // namespace orogen
