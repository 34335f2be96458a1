// Presents frames and times them by the clock of the CPU.  Frames without a swap that limits them are limited here.
#pragma once

#include <chrono>

#include "app/session/frame_timing.h"
#include "app/session/graphics.h"

namespace orogen::app {

// What limits the rate of frames.
enum class FrameLimit
{
    kDisplay,         // vertical sync, where there is one
    kFramesInFlight,  // the GPU alone: without a window, and in a capture, whose every answer counts
    kNone,
};

inline constexpr int kFramesInFlight = 4;  // where the GPU sets the pace

class FrameClock
{
public:
    void begin(std::uint64_t frame, double sessionSeconds);
    void submitted();  // all that the frame draws is on its way to the GPU
    void present(Graphics& graphics, FrameLimit limit);
    // Time passed in which no frame was drawn: the next one's interval does not reach back across it.
    void rested() { rested_ = true; }

    // Where frames are drawn in slices: the panels over the last picture, in between or while nothing is drawn ...
    void presentPanels(Graphics& graphics, FrameLimit limit, double sinceMs);
    // ... and the end of such a frame, after it was presented: what its slices took.
    void endSliced(const SlicesTime& slices);
    const FrameTiming& timing() const { return timing_; }  // of the frame that was presented last

private:
    using Clock = std::chrono::steady_clock;
    void show(Graphics& graphics);
    void limitRate(Graphics& graphics, FrameLimit limit);

    FrameTiming timing_;
    bool rested_ = false;
    Clock::time_point begin_ = Clock::now(), presented_ = begin_;
};

}  // namespace orogen::app
