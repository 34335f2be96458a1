// What drivers take without looking whether they get it: asked for before one is loaded, because after that it is too
// late.  Mesa's software rasteriser starts a thread for each processor when a context is made, and crashes, aborts or
// waits for ever where it gets none; it and the compiler it loads do not survive memory that is refused either.
#pragma once

#include <cstdint>

#include "core/base/status.h"

namespace orogen::app {

inline constexpr std::uint64_t kDriverAddressSpace = std::uint64_t(1) << 30;  // bytes, all of the process
inline constexpr std::uint64_t kDriverMemory = std::uint64_t(256) << 20;      // bytes that are still to be had

// Error kLimit with the limit: less address space or memory than that, or fewer threads than the driver will start.
// Starts as many threads for a moment: a fraction of a millisecond.
Status checkDriverNeeds();

}  // namespace orogen::app
