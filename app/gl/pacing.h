// How soon a frame may follow another where the display does not say so itself.
#pragma once

#include <chrono>

namespace orogen::app {

inline constexpr std::chrono::milliseconds kLeastFrame{8};  // 125 frames a second

// The least time between two frames with vertical sync, in milliseconds, after a swap that took `swapMs`.  Where swaps
// wait for the display, it sets the pace: a wait of ours would miss its turn.  Where they do not (a virtual display, a
// driver that ignores the request), frames are limited to 125 a second, or to somewhat more than a faster display
// shows. `refreshHz` of the display; 0: unknown.  A software rasteriser works in the swap and does not wait there.
inline double leastFrameMs(double refreshHz, double swapMs, bool software)
{
    constexpr double kWaitedMs = 1.0;  // a swap that only queues the picture takes less
    constexpr double kShare = 0.9;     // of the display's period, so that a frame of ours is never just too late
    const double limit = std::chrono::duration<double, std::milli>(kLeastFrame).count();
    if (!software && swapMs >= kWaitedMs) return 0.0;
    return refreshHz * limit > 1000.0 ? kShare * 1000.0 / refreshHz : limit;
}

}  // namespace orogen::app
