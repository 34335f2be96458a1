// A frame by the clock of the CPU.
#pragma once

#include <cstdint>
#include <optional>

namespace orogen::app {

struct FrameTiming
{
    std::uint64_t frame = 0;  // the program's number of it
    double beginMs = 0;       // since the session's start
    double frameMs = 0;       // from there until it was presented
    double cpuMs = 0;         // from there until all was submitted
    // From the present before to this one; where none came right before, or the frame was drawn in slices, what it took
    // itself.
    double intervalMs = 0;
    double waitMs = 0;             // for the GPU, so that not too many frames are in flight
    double sleptMs = 0;            // on purpose, so that frames do not come faster than the display shows them
    std::optional<double> swapMs;  // in the call that presents; none without a window
    int panelShows = 0;            // between its slices: the panels were drawn anew over the picture before
    double panelShowsMs = 0;       // all of them together; no part of the others
};

}  // namespace orogen::app
