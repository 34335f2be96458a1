// Files in a sweep's folder.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/frames/sweep/sweep.h"

namespace orogen::sweep_files {

inline constexpr const char* kPlan = "sweep-plan.json";

// Claims the folder for this plan, or checks that it belongs to it.  Errors (kOutput): the folder holds something else;
// it holds a sweep of another plan, with the differences; it cannot be written.
Status claim(const std::string& folder, const SweepPlan& plan);

// Returns the measured point from its capture in the folder; nothing unless that is complete.
std::optional<SweepPoint> finishedPoint(const std::string& folder, const SweepPlan& plan, const SweepPoint& point);

// Removes files of a killed or interrupted capture of the point, so that it can be repeated.  Error (kOutput): another
// process is taking it.
Status clearPoint(const std::string& folder, const SweepPlan& plan, const SweepPoint& point);

// `settings`: one JSON object, for `orogen view --settings`.
Status writePointSettings(const std::string& folder, const SweepPlan& plan, const SweepPoint& point,
                          const std::string& settings);

// Reads all points, with Pareto marks; unfinished ones stay unmeasured.  `missing`: their number.
std::vector<SweepPoint> readPoints(const std::string& folder, const SweepPlan& plan, std::size_t& missing);

// Writes sweep.json, sweep.csv, sweep.html.
Status writeResults(const std::string& folder, const SweepPlan& plan, const std::vector<SweepPoint>& points);

}  // namespace orogen::sweep_files
