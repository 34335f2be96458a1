// Copy bandwidth within a target's memory: the reference for kernels that only move data.
#pragma once

#include <cstddef>

#include "compute/device/kernel_target.h"

namespace orogen::compute {

// Bytes of each of the two blocks of the copy; together larger than any GPU's cache.
inline constexpr std::size_t kCopiedBytes = std::size_t(128) << 20;

// Returns the bandwidth (bytes/s, read plus written): the median of several copies.  The first call for a GPU takes
// about 10 ms; later ones return its result.  Blocks shrink to 1 MiB if memory is short.  Errors: the target's.
Result<double> copyBandwidth(KernelTarget& target);

}  // namespace orogen::compute
