#include "app/gl/driver_needs.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "core/base/memory.h"
#include "core/base/threads.h"

namespace orogen::app {
namespace {

constexpr int kMostRasteriserThreads = 32;  // Mesa's limit
constexpr int kOtherThreads = 4;            // its queues for shaders and cache

int rasteriserThreads()
{
    const char* wanted = std::getenv("LP_NUM_THREADS");
    return std::clamp(wanted ? std::atoi(wanted) : usableThreads(), 0, kMostRasteriserThreads);
}

Status checkMemoryOfDriver()
{
    const MemorySources sources = memorySources();
    if (sources.addressSpaceLimit < kDriverAddressSpace)
        return Error{ExitCode::kLimit,
                     fmt::format("OpenGL: the address space is limited to {} (ulimit -v), expected at least {}",
                                 bytesText(double(sources.addressSpaceLimit)), bytesText(double(kDriverAddressSpace)))};
    return checkMemory("OpenGL", kDriverMemory, availableMemoryOf(sources));
}

// Starts all threads at once; each lives until the last has started or one has failed.
Status checkThreads(int count)
{
    std::atomic<bool> over = false;
    std::vector<std::jthread> threads;
    threads.reserve(std::size_t(count));
    const struct Release
    {
        ~Release() { storeAndNotify(over, true); }
        std::atomic<bool>& over;
    } release{over};  // releases the threads on every path, before they are joined
    Status status;
    while (status && int(threads.size()) < count)
    {
        Result<std::jthread> thread = startThread("OpenGL", [&over] { over.wait(false); });
        if (thread)
            threads.push_back(std::move(*thread));
        else
            status = Error{thread.error().code, fmt::format("{} (the driver starts up to {}, but only {} started)",
                                                            thread.error().message, count, threads.size())};
    }
    return status;
}

}  // namespace

Status checkDriverNeeds()
{
    if (Status status = checkMemoryOfDriver(); !status) return status;
    return checkThreads(rasteriserThreads() + kOtherThreads);
}

}  // namespace orogen::app
