// Checks of the resources that OpenGL drivers need, to be made before one is loaded.  Mesa's software rasteriser starts
// a thread per processor when it creates a context.  If a thread cannot start it crashes, aborts or hangs; refused
// memory also breaks it and its compiler.
#pragma once

#include <cstdint>

#include "core/base/status.h"

namespace orogen::app {

inline constexpr std::uint64_t kDriverAddressSpace = std::uint64_t(1) << 30;  // bytes, limit of the process
inline constexpr std::uint64_t kDriverMemory = std::uint64_t(256) << 20;      // bytes still available

// Error kLimit with the limit: less address space or memory than the constants above, or fewer threads than the driver
// will start.  Starts that many threads for a fraction of a millisecond.
Status checkDriverNeeds();

}  // namespace orogen::app
