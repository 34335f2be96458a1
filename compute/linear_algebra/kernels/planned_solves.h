// Launches of conjugate gradients as they would be made on a GPU that is only described.
#pragma once

#include <vector>

#include "compute/device/planned_launch.h"

namespace orogen::compute {

// An iteration of each algorithm at n = 25,000, dense, and at n = 1e6, sparse: its kernels, each once.
std::vector<PlannedLaunch> plannedSolves(const ResidentBlocks& resident);

}  // namespace orogen::compute
