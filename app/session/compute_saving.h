// Saves the results of a compute module's runs and sweep, as CSV (a line per run) and as JSON.
#pragma once

#include <string>
#include <vector>

#include "app/session/compute_session.h"

namespace orogen::app {

// Returns "multiword add length=1048576": the script step that repeats the run, without "run".
std::string commandOf(const ModuleRequest& request);

// Returns a line for each finished run, oldest first.  Columns: run, state, parameters (NAME=VALUE, separated by
// blanks), algorithm, backend, device, check, main_time, samples, median_ms, lower_quartile_ms, upper_quartile_ms,
// shortest_ms, longest_ms, warm_up_ms, end_to_end_ms, gb_per_s, copy_gb_per_s, share_of_copy, gop_per_s,
// ms_per_iteration, speed_up, error.  Missing figures are empty fields.
std::string runsCsv(const std::vector<ModuleRun>& runs);
// Returns the points of a sweep; columns as above from check on, after algorithm, backend and size.
std::string sweepCsv(const ModuleSweep& sweep);

// {"module", "runs": [{"parameters", "state", "whole_run_ms", "error", "curve", "result"}]}
std::string runsJson(const std::string& module, const std::vector<ModuleRun>& runs);
// {"module", "parameters", "points": [{"algorithm", "backend", "size", "error", "result"}]}
std::string sweepJson(const ModuleSweep& sweep);

// Writes FOLDER/NAME-runs.csv and .json if there are runs, and FOLDER/NAME-sweep.csv and .json if there is a sweep.
// Never replaces files.  Returns a message for the user.  Errors: kUsage (nothing to save), kOutput.
Result<std::string> saveResults(const ComputeSession& session, const std::string& module, const std::string& folder);

}  // namespace orogen::app
