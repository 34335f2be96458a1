#include "core/base/memory.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <optional>

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fmt/format.h>

namespace orogen {
namespace {

constexpr std::string_view kByControlGroup = "the limit of the control group";
constexpr std::string_view kByAddressSpace = "the limit of address space (ulimit -v)";
constexpr std::string_view kByData = "the limit of data (ulimit -d)";

// Returns the number after the word `name` at the start of a line, such as "MemAvailable:" in /proc/meminfo.
std::optional<std::uint64_t> numberOf(const std::string& path, std::string_view name)
{
    std::ifstream file(path);
    for (std::string word, rest; file >> word; std::getline(file, rest))
        if (std::uint64_t number = 0; word == name && file >> number) return number;
    return std::nullopt;
}

// Returns the number in a file; nothing for "max", which means that there is no limit.
std::optional<std::uint64_t> numberIn(const std::string& path)
{
    std::ifstream file(path);
    std::uint64_t number = 0;
    return file >> number ? std::optional(number) : std::nullopt;
}

std::uint64_t difference(std::uint64_t limit, std::uint64_t used) { return limit - std::min(limit, used); }

std::uint64_t leftByMachine(const MemorySources& sources)
{
    const std::optional<std::uint64_t> kib = numberOf(sources.machine, "MemAvailable:");
    return kib ? *kib * 1024 : kNoMemoryLimit;
}

// Names of the limit and usage files in one version of control groups.
struct ControlGroupFiles
{
    const char *limit, *used, *droppable;
};
constexpr ControlGroupFiles kVersion1 = {"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};
constexpr ControlGroupFiles kVersion2 = {"memory.max", "memory.current", "inactive_file"};

std::uint64_t leftByGroup(const std::string& folder, const ControlGroupFiles& files)
{
    const std::optional<std::uint64_t> limit = numberIn(folder + "/" + files.limit);
    const std::optional<std::uint64_t> used = numberIn(folder + "/" + files.used);
    if (!limit || !used) return kNoMemoryLimit;
    const std::uint64_t droppable = numberOf(folder + "/memory.stat", files.droppable).value_or(0);
    return difference(*limit, difference(*used, droppable));
}

// Returns the bytes that a control group and its parents leave; the parents' limits hold as well.  In a container
// `path` may be the host's path, whose files are not visible.  Then only the files in `root` count.
std::uint64_t leftByGroupAndParents(const std::string& root, std::string path, const ControlGroupFiles& files)
{
    std::uint64_t left = leftByGroup(root, files);
    while (path.size() > 1 && path.starts_with('/'))
    {
        left = std::min(left, leftByGroup(root + path, files));
        path.resize(path.rfind('/'));
    }
    return left;
}

// Returns the bytes that the control groups of this process leave.  Reads lines such as "4:cpu,memory:/path" (version
// 1) and "0::/path" (version 2).
std::uint64_t leftByControlGroups(const MemorySources& sources)
{
    std::uint64_t left = kNoMemoryLimit;
    std::ifstream file(sources.controlGroups);
    for (std::string line; std::getline(file, line);)
    {
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = fmt::format(",{},", line.substr(first + 1, second - first - 1));
        const std::string path = line.substr(second + 1);
        if (controllers == ",,")
            left = std::min(left, leftByGroupAndParents(sources.controlGroupFiles, path, kVersion2));
        else if (controllers.find(",memory,") != std::string::npos)
            left = std::min(left, leftByGroupAndParents(sources.controlGroupFiles + "/memory", path, kVersion1));
    }
    return left;
}

// Returns the bytes of a column of statm, which counts pages: 0 is the address space, 5 the data.
std::uint64_t usedByProcess(const MemorySources& sources, int column)
{
    std::ifstream file(sources.process);
    std::uint64_t pages = 0;
    for (int i = 0; i <= column; ++i)
        if (!(file >> pages)) return 0;
    return pages * std::uint64_t(sysconf(_SC_PAGESIZE));
}

std::uint64_t limitOf(decltype(RLIMIT_AS) resource)
{
    rlimit limit = {};
    return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur : kNoMemoryLimit;
}

}  // namespace

MemorySources memorySources()
{
    MemorySources sources;
    sources.addressSpaceLimit = limitOf(RLIMIT_AS);
    sources.dataLimit = limitOf(RLIMIT_DATA);
    return sources;
}

AvailableMemory availableMemoryOf(const MemorySources& sources)
{
    AvailableMemory available = {leftByMachine(sources)};
    const auto limit = [&](std::uint64_t bytes, std::string_view by) {
        if (bytes < available.bytes) available = {bytes, by};
    };
    limit(leftByControlGroups(sources), kByControlGroup);
    if (sources.addressSpaceLimit != kNoMemoryLimit)
        limit(difference(sources.addressSpaceLimit, usedByProcess(sources, 0)), kByAddressSpace);
    if (sources.dataLimit != kNoMemoryLimit) limit(difference(sources.dataLimit, usedByProcess(sources, 5)), kByData);
    return available;
}

std::uint64_t availableMemory() { return availableMemoryOf(memorySources()).bytes; }

std::string bytesText(double bytes)
{
    constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    std::size_t unit = 0;
    for (; bytes >= 1024 && unit + 1 < std::size(kUnits); ++unit)
        bytes /= 1024;
    return fmt::format("{:.{}f} {}", bytes, bytes == std::floor(bytes) ? 0 : 1, kUnits[unit]);
}

Status checkMemory(const std::string& what, std::uint64_t bytes)
{
    return checkMemory(what, bytes, availableMemoryOf(memorySources()));
}

Status checkMemory(const std::string& what, std::uint64_t bytes, const AvailableMemory& available)
{
    if (bytes <= available.bytes) return Status::ok();
    return Error{ExitCode::kLimit,
                 fmt::format("{}: needs {} of memory, and {} are available{}{}", what, bytesText(double(bytes)),
                             bytesText(double(available.bytes)), available.by.empty() ? "" : ": ", available.by)};
}

void adviseLargePages(void* memory, std::size_t bytes)
{
    constexpr std::uintptr_t kLargePage = std::uintptr_t(2) << 20;
    const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + kLargePage - 1) / kLargePage * kLargePage;
    const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / kLargePage * kLargePage;
    if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);  // a hint; may fail
}

}  // namespace orogen
