// The parts of a compute module's panel, made from the module's own description, the same for all of them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/ui/widgets.h"
#include "compute/modules.h"

namespace orogen::app {

using ModuleValues = std::map<std::string, std::string, std::less<>>;

// What the controls hold, a text for each parameter; the first time what a panel begins with.
ModuleValues& moduleValues(const Panel& panel, const compute::Module& module);
void drawModuleControls(const Panel& panel, const compute::Module& module);
ModuleRequest moduleRequest(const Panel& panel, const compute::Module& module);

std::string comparisonOf(const compute::Speedup& speedup);  // "against gmp"

// What came of a run: the value, the check, times with median and spread, rates; buttons to copy and save.
void drawModuleResult(const Panel& panel, const ModuleRun& run);
// Residuals over each other, those of the run under way first, and the times and speed-ups of the runs before.
void drawModulePlots(const Panel& panel, const compute::Module& module);
// Sizes and algorithms to choose, and the plot of the newest sweep.
void drawModuleSweep(const Panel& panel, const compute::Module& module);
// Where a run would be done, and the memory that is free there.
void drawModuleDevice(const Panel& panel, const compute::Module& module);

}  // namespace orogen::app
