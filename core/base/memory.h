// Memory of this process, asked before much of it is taken: Linux grants what it has not got, and kills later.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "core/base/status.h"

namespace orogen {

inline constexpr std::uint64_t kNoMemoryLimit = std::numeric_limits<std::uint64_t>::max();

// Where the system says what there is.  A test gives others.
struct MemorySources
{
    std::string machine = "/proc/meminfo";
    std::string process = "/proc/self/statm";
    std::string controlGroups = "/proc/self/cgroup";
    std::string controlGroupFiles = "/sys/fs/cgroup";
    std::uint64_t addressSpaceLimit = kNoMemoryLimit;  // bytes
    std::uint64_t dataLimit = kNoMemoryLimit;
};
MemorySources memorySources();  // of this process, with its limits

// Bytes that can be taken now: the least of what the machine has (MemAvailable), of what the control groups of this
// process leave (version 1 or 2; pages of files that can be dropped count as free), and of what is left of its limits
// of address space and data (ulimit -v, -d).
struct AvailableMemory
{
    std::uint64_t bytes = kNoMemoryLimit;  // where nothing is known
    std::string_view by = {};              // what leaves no more, in words; empty: the machine
};
AvailableMemory availableMemoryOf(const MemorySources& sources);
std::uint64_t availableMemory();

// Error kLimit, with both sizes and the limit, if `bytes` are more than that.  `what` stands in front.
Status checkMemory(const std::string& what, std::uint64_t bytes);
Status checkMemory(const std::string& what, std::uint64_t bytes, const AvailableMemory& available);

std::string bytesText(double bytes);  // "512 MiB"

}  // namespace orogen
