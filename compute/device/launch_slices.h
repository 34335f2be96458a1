// Device work in launches of bounded time.  A display on the same GPU stays responsive, no watchdog aborts a kernel
// (two seconds on Windows and X11), and a stop takes effect between launches.
//
// State that one launch leaves for the next (phase, scalars) stays on the device.  A kernel that can be split gives the
// same bits for every split, so that the split may depend on the clock.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <stop_token>
#include <string_view>

#include "compute/device/kernel_target.h"

namespace orogen::compute {

// Number of steps of the next launch, learned from the times of the launches before.
class LaunchPacer
{
public:
    static constexpr double kAimMs = 20;   // target time of a launch
    static constexpr double kMostMs = 50;  // limit of a launch's time

    // `first`: steps of the first launch, whose time includes loading the kernel; 1 if nothing is known.  `most`: limit
    // of steps per launch, for storage that depends on it and for tests with a fixed split.
    explicit LaunchPacer(std::uint64_t first = 1, std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

    std::uint64_t next() const { return steps_; }  // >= 1
    // Records the time of a launch.  The next one gets at most kMostGrowth times as many steps: they may take longer.
    void took(std::uint64_t steps, double milliseconds);

private:
    static constexpr double kMostGrowth = 4;

    std::uint64_t steps_, most_;
};

// Executes the steps 0 to total - 1 in launches sized by the pacer.  `launch` submits `count` steps from `first` on; it
// is called again after its previous launch has ended.  Errors: those of the launches, and kInterrupted ("WHAT:
// cancelled") after a stop, which is polled before each launch.
using LaunchSteps = std::function<Status(std::uint64_t first, std::uint64_t count)>;
Status launchInSlices(KernelTarget& target, LaunchPacer& pacer, std::uint64_t total, const std::stop_token& stop,
                      std::string_view what, const LaunchSteps& launch);

}  // namespace orogen::compute
