#include "core/base/memory.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include <fmt/format.h>

namespace orogen::compute {
namespace {

std::uint64_t availableOfMachine()
{
    std::ifstream file("/proc/meminfo");
    for (std::string name, unit; file >> name;)
    {
        std::uint64_t kib = 0;
        if (name == "MemAvailable:" && file >> kib) return kib * 1024;
        std::getline(file, unit);
    }
    return 0;
}

// No number ("max") is no limit.
std::uint64_t availableOfControlGroup()
{
    std::uint64_t limit = 0, used = 0;
    const bool limited = bool(std::ifstream("/sys/fs/cgroup/memory.max") >> limit) &&
                         bool(std::ifstream("/sys/fs/cgroup/memory.current") >> used);
    return limited ? limit - std::min(limit, used) : ~std::uint64_t(0);
}

}  // namespace

std::uint64_t availableMemory() { return std::min(availableOfMachine(), availableOfControlGroup()); }

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
    const std::uint64_t available = availableMemory();
    if (available == 0 || bytes <= available) return Status::ok();
    return Error{ExitCode::kLimit, fmt::format("{}: needs {} of memory, and {} are available", what,
                                               bytesText(double(bytes)), bytesText(double(available)))};
}

}  // namespace orogen::compute
