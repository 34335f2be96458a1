// Compute modules on the command line: options made from a module's parameters, and a run with progress and Ctrl-C.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/job/job.h"

namespace CLI {
class App;
}

namespace orogen::app {

// What the options of one command were given, in order: parameter and text.  Read after parsing, so that errors are one
// line with the range.
using Assignments = std::vector<std::pair<std::string, std::string>>;

// --NAME for every parameter but those in `except`.  `assignments` must outlive the parsing.
void addModuleOptions(CLI::App& command, const compute::Module& module, std::span<const std::string_view> except,
                      Assignments& assignments);

// Error kUsage: as --NAME.
Result<compute::ParameterValues> valuesOf(const compute::Module& module, const Assignments& assignments);

// Runs it as a job; shows progress on a terminal.  Errors: as the module's; interrupted, terminated.
Result<compute::JobResult> runOnCommandLine(const compute::Module& module, compute::ParameterValues values);

// For people: the table of the result and its times, a line each.
std::string resultText(const compute::JobResult& result);

// A number that does not fit on a line, by its ends.
std::string shortened(const std::string& number);

}  // namespace orogen::app
