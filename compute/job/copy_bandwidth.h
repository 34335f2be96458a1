// What a run that moves memory is held against: how quick a plain copy of it is on this machine.
#pragma once

#include <stop_token>

namespace orogen::compute {

// Bytes a second, read and written both counted, of a copy from memory to memory by all processors past the caches: the
// quickest of a few, as others may use the memory meanwhile.  Measured by the first who asks, in about 0.2 s and 256
// MiB, and kept; others wait for it.  0 where there is no room for it, and after a stop, which is seen between two
// copies; then the next who asks measures.
double cpuCopyBandwidth(const std::stop_token& stop = {});

}  // namespace orogen::compute
