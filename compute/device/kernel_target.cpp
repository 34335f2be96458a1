// Launches are timed by the CPU's clock, including the wait, because reading an event of the device would wait just as
// long.
#include "compute/device/kernel_target.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/clock.h"

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

}  // namespace orogen::compute
