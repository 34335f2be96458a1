// Available memory, to be checked before large allocations: Linux overcommits and kills the process later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/status.h"

namespace orogen {

inline constexpr std::uint64_t kNoMemoryLimit = std::numeric_limits<std::uint64_t>::max();

// Files and limits that memory is computed from; tests substitute others.
struct MemorySources
{
    std::string machine = "/proc/meminfo";
    std::string process = "/proc/self/statm";
    std::string controlGroups = "/proc/self/cgroup";
    std::string controlGroupFiles = "/sys/fs/cgroup";
    std::uint64_t addressSpaceLimit = kNoMemoryLimit;  // bytes
    std::uint64_t dataLimit = kNoMemoryLimit;
};
MemorySources memorySources();  // for this process, with its limits

// Bytes that can be allocated now: the least of the machine's MemAvailable and the bytes that each limit leaves.
// Limits are those of control groups (version 1 or 2), and those on address space and data (ulimit -v, -d).  In a
// control group, inactive pages of the file cache count as free.
struct AvailableMemory
{
    std::uint64_t bytes = kNoMemoryLimit;  // default: unknown
    std::string_view by = {};              // the limiting source, in words; empty: the machine
};
AvailableMemory availableMemoryOf(const MemorySources& sources);
std::uint64_t availableMemory();  // bytes that this process can allocate now

// Fails if `bytes` exceed the available memory (kLimit, with both sizes and the limit).  `what` starts the message.
Status checkMemory(const std::string& what, std::uint64_t bytes);
Status checkMemory(const std::string& what, std::uint64_t bytes, const AvailableMemory& available);

std::string bytesText(double bytes);  // "512 MiB"

// Asks the system to back memory by pages of 2 MiB when it is first touched.  Has no effect on memory that contains no
// whole page of 2 MiB.  For buffers of tens of MiB that are written once: a page fault for each 4 KiB takes longer than
// filling them.
void adviseLargePages(void* memory, std::size_t bytes);

// Reserves memory for `size` elements in all, and asks for large pages.
template <class T>
void reserveLarge(std::vector<T>& list, std::size_t size)
{
    list.reserve(size);
    adviseLargePages(list.data(), list.capacity() * sizeof(T));
}

}  // namespace orogen
