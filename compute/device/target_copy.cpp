#include "compute/device/target_copy.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include <fmt/format.h>

namespace orogen::compute {
namespace {

constexpr std::size_t kLeastBytes = std::size_t(1) << 20;
constexpr int kCopies = 4;  // per clock interval: the clock resolves half microseconds
constexpr int kClocks = 5;

class Measured
{
public:
    std::optional<double> find(const std::string& target)
    {
        const std::lock_guard lock(mutex_);
        const auto found = bandwidths_.find(target);
        return found == bandwidths_.end() ? std::nullopt : std::optional(found->second);
    }
    void add(const std::string& target, double bandwidth)
    {
        const std::lock_guard lock(mutex_);
        bandwidths_[target] = bandwidth;
    }

private:
    std::mutex mutex_;
    std::map<std::string, double> bandwidths_;
};

std::string nameOf(const KernelTarget& target)
{
    const CudaDevice* const gpu = target.gpu();
    if (!gpu) return "host";
    return gpu->uuid.empty() ? fmt::format("{} {}", gpu->index, gpu->name) : gpu->uuid;
}

struct Blocks
{
    TargetMemory from, to;
};

// Allocates two blocks of the same size, halving it until they fit.
Result<Blocks> allocateBlocks(KernelTarget& target)
{
    for (std::size_t bytes = kCopiedBytes;; bytes /= 2)
    {
        Result<TargetMemory> from = target.allocate(bytes);
        if (from)
        {
            Result<TargetMemory> to = target.allocate(bytes);
            if (to) return Blocks{std::move(*from), std::move(*to)};
            if (to.error().code != ExitCode::kLimit || bytes == kLeastBytes) return to.error();
        }
        else if (from.error().code != ExitCode::kLimit || bytes == kLeastBytes)
            return from.error();
    }
}

Result<double> timeCopies(KernelTarget& target, const Blocks& blocks)
{
    if (Status status = target.startClock(); !status) return status.error();
    for (int i = 0; i < kCopies; ++i)
        if (Status status = target.copy(blocks.to.as<void>(), blocks.from.as<void>(), blocks.from.bytes()); !status)
            return status.error();
    return target.stopClock();
}

Result<double> measure(KernelTarget& target)
{
    Result<Blocks> blocks = allocateBlocks(target);
    if (!blocks) return blocks.error();
    if (Status status = target.fill(blocks->from, 0x5c); !status) return status.error();
    std::array<double, kClocks> ms = {};
    if (Result<double> warmUp = timeCopies(target, *blocks); !warmUp) return warmUp.error();
    for (double& time : ms)
    {
        const Result<double> found = timeCopies(target, *blocks);
        if (!found) return found.error();
        time = *found;
    }
    std::ranges::nth_element(ms, ms.begin() + kClocks / 2);
    return 2.0 * kCopies * double(blocks->from.bytes()) / (std::max(ms[kClocks / 2], 1e-6) * 1e-3);
}

}  // namespace

Result<double> copyBandwidth(KernelTarget& target)
{
    static Measured measured;
    const std::string name = nameOf(target);
    if (const std::optional<double> known = measured.find(name)) return *known;
    const Result<double> bandwidth = measure(target);
    if (bandwidth) measured.add(name, *bandwidth);
    return bandwidth;
}

}  // namespace orogen::compute
