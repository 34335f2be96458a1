// The results of a compute module's panel as files: what its runs and its sweep came to, a line each as CSV, and the
// whole of it as JSON.
#pragma once

#include <string>
#include <vector>

#include "app/session/compute_session.h"

namespace orogen::app {

// "multiword add length=1048576": enough to run it again, as a step of a script behind "run".
std::string commandOf(const ModuleRequest& request);

// A line a run that is over, oldest first.  Columns: run, state, parameters (NAME=VALUE, blanks between), algorithm,
// backend, device, check, main_time, samples, median_ms, lower_quartile_ms, upper_quartile_ms, shortest_ms, longest_ms,
// warm_up_ms, end_to_end_ms, gb_per_s, copy_gb_per_s, share_of_copy, gop_per_s, ms_per_iteration, speed_up, error.  A
// figure that a run does not have is an empty field.
std::string runsCsv(const std::vector<ModuleRun>& runs);
// The same with `algorithm`, `backend` and `size` instead of run, state and parameters.
std::string sweepCsv(const ModuleSweep& sweep);

// {"module", "runs": [{"parameters", "state", "whole_run_ms", "error", "curve", "result"}]}
std::string runsJson(const std::string& module, const std::vector<ModuleRun>& runs);
// {"module", "parameters", "points": [{"algorithm", "backend", "size", "error", "result"}]}
std::string sweepJson(const ModuleSweep& sweep);

// Writes FOLDER/NAME-runs.csv and .json where there are runs, FOLDER/NAME-sweep.csv and .json where there is a sweep;
// replaces nothing.  The message for people.  Errors: kUsage (there is neither), kOutput.
Result<std::string> saveResults(const ComputeSession& session, const std::string& module, const std::string& folder);

}  // namespace orogen::app
