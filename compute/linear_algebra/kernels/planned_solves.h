// Launches of conjugate gradients on GPUs known only by their data sheets.
#pragma once

#include <vector>

#include "compute/device/planned_launch.h"

namespace orogen::compute {

// Returns each kernel of an iteration once, for each algorithm, at n = 25,000 (dense) and n = 1e6 (sparse).
std::vector<PlannedLaunch> plannedSolves(const ResidentBlocks& resident);

}  // namespace orogen::compute
