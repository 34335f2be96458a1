// A sweep: one camera path flown once for each point of a grid, to relate accuracy and cost.  The grid has maximum
// depths of the tree and LOD thresholds (pixels).
//
// A sweep's folder holds
//
//   sweep-plan.json          grid and environment: written first; later runs must agree with it
//   point-d16-s8/            capture of a point (frame-time report); the point is done once its report is complete
//   point-d16-s8.json        settings of that point, for `orogen view --settings`
//   sweep.json, .csv, .html  all points, once all are done
//
// so that a sweep can be killed at any time and split into shards.  The process that finds all points done writes the
// results.
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
    std::vector<int> depths;  // values of the setting cbt.depth; on the Earth, values of earth.depth
    SweptThreshold threshold = SweptThreshold::kSplitPixels;
    std::vector<double> pixels;  // values of the threshold
    std::uint64_t frames = 60;   // measured frames per point
    std::uint64_t warmup = 16;   // least warm-up frames; warm-up lasts until the tree has converged
    ReportMetadata metadata;     // environment of the sweep: terrain, path, picture, program, machine
    std::string settings;        // one JSON object: all settings but those of the view and the swept ones
    // Parts of the commands: options between `orogen view` and the point's settings, such as the terrain; and common
    // settings as "key=value" that differ from the defaults.
    std::vector<std::string> viewOptions, changedSettings;
};

struct SweepPoint
{
    int depth = 0;
    double pixels = 0;
    // Empty: not measured.
    std::optional<double> frameMsP50;     // median interval of the measured frames
    std::optional<double> trianglesMean;  // mean over the measured frames
    std::optional<double> errorPxP99;     // mean, over the frames whose error was measured, of the 99th percentile
    std::optional<double> errorPxMax;     // maximum over these frames
    std::optional<bool> pareto;           // on the Pareto front of time and error; empty: one of these was not measured
    bool unsettled = false;               // the tree had not converged when the path began
};

// Returns all points of the grid, without measurements: depths in the outer loop, thresholds in the inner one.
std::vector<SweepPoint> pointsOf(const SweepPlan& plan);
std::string pointName(const SweepPlan& plan, const SweepPoint& point);  // "point-d16-s8", "point-d16-e0.5"

// Returns the `key=value` of --set that turn the defaults into this point.
std::vector<std::string> settingsOf(const SweepPlan& plan, const SweepPoint& point);
// Returns "orogen view ... --set ...", quoted for a shell.
std::string commandOf(const SweepPlan& plan, const SweepPoint& point);

// Copies a capture's measurements into the point.
void measure(SweepPoint& point, const Capture& capture);

// Returns for each pair whether it is on the Pareto front: no other pair is smaller in one cost without being larger in
// the other.  O(n²).
std::vector<bool> paretoFront(const std::vector<std::pair<double, double>>& costs);
void markPareto(std::vector<SweepPoint>& points);  // over errorPxP99 and frameMsP50

// Returns key and definition of each number of a point.
const std::vector<std::pair<std::string_view, std::string_view>>& sweepDefinitions();

std::string sweepToJson(const SweepPlan& plan, const std::vector<SweepPoint>& points);
std::string sweepToCsv(const SweepPlan& plan, const std::vector<SweepPoint>& points);
std::string sweepToHtml(const SweepPlan& plan, const std::vector<SweepPoint>& points);

// Returns sweep-plan.json: everything that must agree for points to be comparable.
std::string planToJson(const SweepPlan& plan);
// Returns the differences between a plan and the text of another, as lines "key: found A, expected B".
std::vector<std::string> planDifferences(const std::string& found, const SweepPlan& expected);

// ---- files in a sweep's folder ----

namespace sweep_files {

inline constexpr const char* kPlan = "sweep-plan.json";

// Claims the folder for this plan, or checks that the folder belongs to the plan already.  Errors (kOutput): the folder
// holds something else; holds a sweep of another plan, with the differences; cannot be written.  Error kInput: the plan
// in the folder cannot be read.
Status claim(const std::string& folder, const SweepPlan& plan);

// Returns the point as measured by its capture in the folder; nullopt if the capture is not complete, was recovered
// after a kill, or has another number of frames.
std::optional<SweepPoint> finishedPoint(const std::string& folder, const SweepPlan& plan, const SweepPoint& point);

// Removes the files of the point's capture, which was killed or interrupted, so that it can be repeated.  Error
// (kOutput): another process is capturing this point.
Status clearPoint(const std::string& folder, const SweepPlan& plan, const SweepPoint& point);

// Writes the point's settings file.  `settings`: one JSON object, for `orogen view --settings`.
Status writePointSettings(const std::string& folder, const SweepPlan& plan, const SweepPoint& point,
                          const std::string& settings);

// Reads all points, with Pareto marks; unfinished ones stay unmeasured.  `missing`: receives the number of unfinished
// points.
std::vector<SweepPoint> readPoints(const std::string& folder, const SweepPlan& plan, std::size_t& missing);

// Writes sweep.json, sweep.csv, sweep.html.
Status writeResults(const std::string& folder, const SweepPlan& plan, const std::vector<SweepPoint>& points);

}  // namespace sweep_files

}  // namespace orogen
