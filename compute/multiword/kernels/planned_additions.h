// The launches of multiword addition as they would be made on a GPU that is only described: every kernel of every
// algorithm, a whole number at once, of the lengths that the algorithms are judged by.
#pragma once

#include <vector>

#include "compute/device/planned_launch.h"

namespace orogen::compute {

// paper-3 for 2^24 and 2^30 bits, the others for 2^24, 2^30 and 2^33.  Of paper-3's iterations one.  Bytes follow from
// what each thread reads and writes; the floor is that of the kernel's own result.
std::vector<PlannedLaunch> plannedAdditions(const ResidentBlocks& residentBlocks);

}  // namespace orogen::compute
