// Copy bandwidth of this machine's memory: the reference for runs that move memory.
#pragma once

#include <stop_token>

namespace orogen::compute {

// Returns the bandwidth of a copy from memory to memory by all processors, bypassing the caches (bytes/s, read plus
// written).  Takes the fastest of several copies, as other processes may use the memory meanwhile.  The first call
// measures, in about 0.2 s and 256 MiB, and keeps the result; concurrent callers wait.  Returns 0 if memory is short or
// after a stop, which is polled between copies; the next call then measures again.
double cpuCopyBandwidth(const std::stop_token& stop = {});

}  // namespace orogen::compute
