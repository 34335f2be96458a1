// Copy bandwidth within the memory of a target and of this machine: the reference for the memory traffic of runs.
#pragma once

#include <cstddef>
#include <stop_token>

#include "compute/device/kernel_target.h"

namespace orogen::compute {

// Bytes of each of the two blocks of the copy; together larger than the L2 caches of NVIDIA's GPUs.
inline constexpr std::size_t kCopiedBytes = std::size_t(128) << 20;

// Returns the bandwidth (bytes/s, read plus written): the median of several measurements.  The first call for a target
// measures, which takes about 10 ms on a GPU; later calls return its result.  Errors: the target's; kLimit (memory).
Result<double> copyBandwidth(KernelTarget& target);

// Returns the bandwidth of a copy from memory to memory by all processors (bytes/s, read plus written).  With SSE2, the
// stores bypass the caches.  Takes the fastest of several copies, as other processes may use the memory meanwhile.  The
// first call measures, which takes about 0.2 s and 256 MiB, and keeps the result; concurrent callers wait.  Returns 0
// if memory is short or after a stop, which is polled between copies; the next call then measures again.
double cpuCopyBandwidth(const std::stop_token& stop = {});

}  // namespace orogen::compute
