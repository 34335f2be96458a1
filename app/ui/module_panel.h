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
// Returns the state of the module's runs.  ComputeRunner::panelState() has one for every module.
inline const ModuleState& stateOf(const Panel& panel, const compute::Module& module)
{
    return panel.model.compute->modules.find(module.name())->second;
}

std::string comparisonOf(const compute::Speedup& speedup);  // names the baseline of a speed-up: "against gmp"

// Plots the residuals of recent runs, the current run first, and the times and speed-ups of past runs.
void drawModulePlots(const Panel& panel, const compute::Module& module);
// Draws the choice of sizes and algorithms, and the plot of the newest sweep.
void drawModuleSweep(const Panel& panel, const compute::Module& module);

}  // namespace orogen::app
