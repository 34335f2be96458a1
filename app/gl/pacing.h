// Frame pacing where the display does not limit the rate.
#pragma once

#include <chrono>

namespace orogen::app {

inline constexpr std::chrono::milliseconds kLeastFrame{8};  // 125 frames per second

// Returns the minimum time between two frames with vertical sync (milliseconds), after a swap that took `swapMs`.  If
// the swap waited for the display, returns 0: another wait could miss the next refresh.  If it did not (virtual
// display, driver that ignores vertical sync), limits the rate: to 125 frames per second, or slightly above a faster
// display's rate.  `refreshHz`: of the display; 0: unknown.  `software`: a software rasteriser works in the swap and
// does not wait there.
inline double leastFrameMs(double refreshHz, double swapMs, bool software)
{
    constexpr double kWaitedMs = 1.0;  // swaps that only queue the picture are faster
    constexpr double kShare = 0.9;     // fraction of the display's period, to avoid missing it narrowly
    const double limit = std::chrono::duration<double, std::milli>(kLeastFrame).count();
    if (!software && swapMs >= kWaitedMs) return 0.0;
    return refreshHz * limit > 1000.0 ? kShare * 1000.0 / refreshHz : limit;
}

}  // namespace orogen::app
