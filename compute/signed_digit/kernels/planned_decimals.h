// The launches of decimal sums, dot products and the transform as they would be made on a GPU that is only described.
#pragma once

#include <vector>

#include "compute/device/planned_launch.h"

namespace orogen::compute {

// Sums of 1e6 numbers of 50 and of 900 digits, dot products of 1e6 pairs of 50 and of 1e4 of 900, the transform of 1024
// numbers of 50 digits: every kernel of every algorithm, all its steps in one launch, or as many as fit in one.  Bytes
// follow from what each thread reads and writes; the floor is that of the kernel's own result.
std::vector<PlannedLaunch> plannedDecimals(const ResidentBlocks& residentBlocks);

}  // namespace orogen::compute
