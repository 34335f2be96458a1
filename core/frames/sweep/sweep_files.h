// The files of a sweep's folder.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/frames/sweep/sweep.h"

namespace orogen::sweep_files {

inline constexpr const char* kPlan = "sweep-plan.json";

// Makes the folder that of this plan, or finds that it is.  Errors (kOutput): the folder holds something else; it holds
// a sweep of another plan, with what differs; it cannot be written.
Status claim(const std::string& folder, const SweepPlan& plan);

// The point as its capture in the folder measured it; empty while there is none that is whole.
std::optional<SweepPoint> finishedPoint(const std::string& folder, const SweepPlan& plan, const SweepPoint& point);

// What a killed or interrupted capture of the point left goes, so that it can be taken again.  Error (kOutput): another
// process is taking it.
Status clearPoint(const std::string& folder, const SweepPlan& plan, const SweepPoint& point);

// `settings`: one JSON object, for `orogen view --settings`.
Status writePointSettings(const std::string& folder, const SweepPlan& plan, const SweepPoint& point,
                          const std::string& settings);

// All points as far as they are finished, the rest unmeasured, Pareto points marked; `missing`: how many are not.
std::vector<SweepPoint> readPoints(const std::string& folder, const SweepPlan& plan, std::size_t& missing);

// sweep.json, sweep.csv, sweep.html.
Status writeResults(const std::string& folder, const SweepPlan& plan, const std::vector<SweepPoint>& points);

}  // namespace orogen::sweep_files
