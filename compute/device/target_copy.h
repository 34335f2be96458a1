// How fast a target copies within its own memory: what every kernel that only moves data is held against.
#pragma once

#include <cstddef>

#include "compute/device/kernel_target.h"

namespace orogen::compute {

// Of each of the two blocks that are copied between: together more than any GPU's cache.
inline constexpr std::size_t kCopiedBytes = std::size_t(128) << 20;

// Bytes read and written a second, the median of several copies; a GPU's first call takes about 10 ms, later ones
// answer with what it found.  Less memory than kCopiedBytes is made do with, down to 1 MiB.  Errors: the target's.
Result<double> copyBandwidth(KernelTarget& target);

}  // namespace orogen::compute
