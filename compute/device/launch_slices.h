// Work on a device in launches of bounded time: a display that the same GPU drives stays alive, no watchdog ends a
// kernel (two seconds on Windows and X11), and a stop is seen between two launches.
//
// What a launch leaves for the next one (its phase, its scalars) stays on the device.  A kernel that can be cut gives
// the same bits however it is cut, so that the cuts may follow the clock.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <stop_token>
#include <string_view>

#include "compute/device/kernel_target.h"

namespace orogen::compute {

// How many steps the next launch gets, learned from what the launches before it took.
class LaunchPacer
{
public:
    static constexpr double kAimMs = 20;   // of a launch
    static constexpr double kMostMs = 50;  // that a launch may take

    // `first`: steps of the first launch, whose time includes that the driver loads the kernel; 1 where nothing is
    // known.  `most`: steps of any launch, for what depends on their number, and for tests that fix the cuts.
    explicit LaunchPacer(std::uint64_t first = 1, std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

    std::uint64_t next() const { return steps_; }  // >= 1
    // A launch of so many steps took so long.  The next one gets at most kMostGrowth times as many, because the clock
    // knows nothing of what comes.
    void took(std::uint64_t steps, double milliseconds);

private:
    static constexpr double kMostGrowth = 4;

    std::uint64_t steps_, most_;
};

// Does the steps 0 to total - 1 in as many launches as the pacer says.  `launch` asks the target for the steps from
// `first` on; it is called again only when the launch before has ended.  Errors: those of the launches, and
// kInterrupted ("WHAT: cancelled") after a stop, which is looked at before each launch.
using LaunchSteps = std::function<Status(std::uint64_t first, std::uint64_t count)>;
Status launchInSlices(KernelTarget& target, LaunchPacer& pacer, std::uint64_t total, const std::stop_token& stop,
                      std::string_view what, const LaunchSteps& launch);

}  // namespace orogen::compute
