// A frame by the clock of the CPU.
#pragma once

#include <cstdint>
#include <optional>

namespace orogen::app {

struct FrameTiming
{
    std::uint64_t frame = 0;       // the program's number of it
    double beginMs = 0;            // since the session's start
    double frameMs = 0;            // from there until it was presented
    double cpuMs = 0;              // from there until all was submitted
    double intervalMs = 0;         // from the present before to this one
    double waitMs = 0;             // for the GPU, so that not too many frames are in flight
    double sleptMs = 0;            // on purpose, so that frames do not come faster than the display shows them
    std::optional<double> swapMs;  // in the call that presents; none without a window
};

}  // namespace orogen::app
