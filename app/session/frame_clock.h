// Presents frames and measures them by the CPU clock.  Limits the frame rate if the buffer swap does not.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "app/session/graphics.h"
#include "core/frames/sample/frame_record.h"

namespace orogen::app {

// Limit of the frame rate.
enum class FrameLimit
{
    kDisplay,         // rate of the display: by vertical sync, or by sleeping where the swap does not wait
    kFramesInFlight,  // rate of the GPU: headless, and in captures and films
    kNone,
};

inline constexpr int kFramesInFlight = 4;  // maximum number of frames that the GPU may lag behind

class FrameClock
{
public:
    void begin(double sessionSeconds);  // seconds since the session's start
    void submitted();                   // call when all of the frame's commands are submitted
    // Shows the frame's picture, waits as `limit` requires, and completes times().
    void present(Graphics& graphics, FrameLimit limit);
    // Marks that time passed without frames; the next interval leaves this time out.
    void rested() { rested_ = true; }

    // For frames drawn in slices: presents the panels over the last complete picture.  `sinceMs`: time that drawing the
    // panels took.
    void presentPanels(Graphics& graphics, FrameLimit limit, double sinceMs);
    // Sets the work and wait times of a sliced frame, after present().  The frame's interval includes the panels
    // presented in between.
    void endSliced(const SlicesTime& slices);
    const CpuTimes& times() const { return times_; }  // times of the last presented frame

private:
    using Clock = std::chrono::steady_clock;
    void show(Graphics& graphics);
    void limitRate(Graphics& graphics, FrameLimit limit);

    CpuTimes times_;
    bool rested_ = false;
    double spentMs_ = 0;  // processor time at the last present
    Clock::time_point begin_ = Clock::now(), presented_ = begin_;
    Clock::time_point pictured_ = begin_;  // time of the last present() with a new picture
};

}  // namespace orogen::app
