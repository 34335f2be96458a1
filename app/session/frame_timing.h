// Times of a frame by the CPU clock (milliseconds).
#pragma once

#include <cstdint>
#include <optional>

namespace orogen::app {

struct FrameTiming
{
    std::uint64_t frame = 0;  // number in the program
    double beginMs = 0;       // since the session's start
    double frameMs = 0;       // from begin until presented
    double cpuMs = 0;         // from begin until all commands were submitted
    // From the previous present to this one.  After a pause, or for a frame drawn in slices: the frame's own time.
    double intervalMs = 0;
    double waitMs = 0;             // waiting for the GPU, to limit frames in flight
    double sleptMs = 0;            // deliberate sleep, to match the display's rate
    std::optional<double> swapMs;  // in the present call; empty without a window
    int panelShows = 0;            // panel redraws between slices
    double panelShowsMs = 0;       // their total, which the other times exclude
};

}  // namespace orogen::app
