// Parts of a compute module's panel, generated from the module's description.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/ui/widgets.h"
#include "compute/modules.h"

namespace orogen::app {

using ModuleValues = std::map<std::string, std::string, std::less<>>;

// Returns the controls' values as text, by parameter; on first use the initial values.
ModuleValues& moduleValues(const Panel& panel, const compute::Module& module);
void drawModuleControls(const Panel& panel, const compute::Module& module);
ModuleRequest moduleRequest(const Panel& panel, const compute::Module& module);

std::string comparisonOf(const compute::Speedup& speedup);  // "against gmp"

// Draws the result of a run: value, check, times with median and spread, rates; buttons to copy and save.
void drawModuleResult(const Panel& panel, const ModuleRun& run);
// Plots the residuals of recent runs, the current run first, and the times and speed-ups of past runs.
void drawModulePlots(const Panel& panel, const compute::Module& module);
// Draws the choice of sizes and algorithms, and the plot of the newest sweep.
void drawModuleSweep(const Panel& panel, const compute::Module& module);
// Shows the device that would run the module, and its memory.
void drawModuleDevice(const Panel& panel, const compute::Module& module);

}  // namespace orogen::app
