// launchInSlices() times launches, and the wait for their end, by the CPU's clock.  An event of the device would need
// the same wait.
#include "compute/device/kernel_target.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <sys/mman.h>

#include "core/base/clock.h"
#include "core/base/memory.h"

namespace orogen::compute {

LaunchPacer::LaunchPacer(std::uint64_t first, std::uint64_t most)
    : steps_(std::clamp<std::uint64_t>(first, 1, std::max<std::uint64_t>(most, 1))),
      most_(std::max<std::uint64_t>(most, 1))
{
}

void LaunchPacer::took(std::uint64_t steps, double milliseconds)
{
    const double growth = milliseconds > 0 ? std::min(kAimMs / milliseconds, kMostGrowth) : kMostGrowth;
    const double next = std::clamp(std::floor(double(steps) * growth), 1.0, 9e18);  // within the range of integers
    if (steps < steps_ && growth > 1) return;  // a short remainder says nothing about longer launches
    steps_ = std::min(most_, std::uint64_t(next));
}

Status launchInSlices(KernelTarget& target, LaunchPacer& pacer, std::uint64_t total, const std::stop_token& stop,
                      std::string_view what, const LaunchSteps& launch)
{
    for (std::uint64_t first = 0; first < total;)
    {
        if (stop.stop_requested()) return Error{ExitCode::kInterrupted, std::string(what) + ": cancelled"};
        const std::uint64_t count = std::min(pacer.next(), total - first);
        const Clock::time_point start = Clock::now();
        if (Status status = launch(first, count); !status) return status;
        first += count;
        if (first == total) break;
        if (Status status = target.finish(); !status) return status;
        pacer.took(count, millisecondsSince(start));
    }
    return Status::ok();
}

// KernelTarget on the host executor.  New memory is filled with kPoison, so that reads of uninitialised elements show.
// Bytes of kGuard follow it, so that finish() finds writes past its end.

namespace {

constexpr std::size_t kAlignment = 256, kLargePage = std::size_t(2) << 20;
constexpr int kPoison = 0xa5, kGuard = 0x5a;

class HostTarget final : public KernelTarget
{
public:
    explicit HostTarget(const HostSchedule& schedule) : schedule_(schedule) {}

    Result<TargetMemory> allocate(std::size_t bytes) override
    {
        constexpr std::size_t kWorthAsking = std::size_t(64) << 20;
        if (bytes >= kWorthAsking)
            if (Status status = checkMemory("host-kernel", bytes); !status) return status.error();
        const std::size_t whole = roundedUp(bytes) + kAlignment;
        const std::size_t alignment = bytes >= kLargePage ? kLargePage : kAlignment;
        void* data =
            whole > bytes ? std::aligned_alloc(alignment, (whole + alignment - 1) / alignment * alignment) : nullptr;
        if (!data) return Error{ExitCode::kLimit, fmt::format("no memory for {} bytes", bytes)};
        if (alignment == kLargePage) madvise(data, whole, MADV_HUGEPAGE);  // optional: failure is ignored
        std::memset(static_cast<char*>(data) + bytes, kGuard, whole - bytes);
        memories_.push_back({data, bytes});
        TargetMemory memory(*this, data, bytes);
        if (Status status = poison(static_cast<char*>(data), bytes); !status) return status.error();
        return memory;
    }

    Status fill(const TargetMemory& memory, int byte) override
    {
        std::memset(memory.as<char>(), byte, memory.bytes());
        return Status::ok();
    }

    Status upload(void* to, const void* from, std::size_t bytes) override
    {
        if (bytes > 0) std::memcpy(to, from, bytes);  // without bytes, a pointer may be null
        return Status::ok();
    }

    Status download(void* to, const void* from, std::size_t bytes) override
    {
        if (bytes > 0) std::memcpy(to, from, bytes);
        return Status::ok();
    }

    Status copy(void* to, const void* from, std::size_t bytes) override { return upload(to, from, bytes); }

    Result<unsigned> residentBlocks(const KernelEntry&, unsigned) override { return schedule_.residentBlocks; }

    Status startClock() override
    {
        start_ = Clock::now();
        return Status::ok();
    }

    Result<double> stopClock() override
    {
        const double took = millisecondsSince(start_);
        if (Status status = finish(); !status) return status.error();
        return took;
    }

    Status finish() override
    {
        for (const MemoryRange& memory : memories_)
            if (!guarded(memory))
                return Error{ExitCode::kDevice,
                             fmt::format("a kernel wrote behind its memory of {} bytes", memory.bytes)};
        return Status::ok();
    }

    HostLaunch hostLaunches() const override { return launches_; }

private:
    // Poisons memory in pieces, which take under 10 ms each, and polls for a stop between them.
    Status poison(char* data, std::size_t bytes) const
    {
        constexpr std::size_t kPoisonedPiece = std::size_t(8) << 20;
        for (std::size_t done = 0; done < bytes; done += kPoisonedPiece)
        {
            if (schedule_.stop.stop_requested()) return Error{ExitCode::kInterrupted, "host-kernel: stopped"};
            std::memset(data + done, kPoison, std::min(kPoisonedPiece, bytes - done));
        }
        return Status::ok();
    }

    static std::size_t roundedUp(std::size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

    static bool guarded(const MemoryRange& memory)
    {
        const char* const data = static_cast<const char*>(memory.data);
        return std::all_of(data + memory.bytes, data + roundedUp(memory.bytes) + kAlignment,
                           [](char byte) { return byte == char(kGuard); });
    }

    Status launchEntry(const KernelEntry& kernel, const LaunchShape& shape, void* arguments) override
    {
        Result<HostLaunch> launch = launchOnHost(kernel, shape, arguments, schedule_, memories_);
        if (!launch) return launch.error();
        launches_.counts += launch->counts;
        for (const BarrierSite& site : launch->barriers)
            if (std::ranges::find(launches_.barriers, site) == launches_.barriers.end())
                launches_.barriers.push_back(site);
        return Status::ok();
    }

    void release(void* data, std::size_t) override
    {
        std::erase_if(memories_, [=](const MemoryRange& memory) { return memory.data == data; });
        std::free(data);
    }

    HostSchedule schedule_;
    std::vector<MemoryRange> memories_;
    HostLaunch launches_;
    Clock::time_point start_;
};

}  // namespace

std::unique_ptr<KernelTarget> makeHostTarget(const HostSchedule& schedule)
{
    return std::make_unique<HostTarget>(schedule);
}

}  // namespace orogen::compute
