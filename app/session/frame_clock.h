// Presents frames and measures them by the CPU clock.  Limits the frame rate if the swap does not.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "app/session/graphics.h"

namespace orogen::app {

// ---- times of a frame by the CPU clock (milliseconds) ----

struct FrameTiming
{
    std::uint64_t frame = 0;  // number in the program
    double beginMs = 0;       // since the session's start
    double frameMs = 0;       // from begin until presented
    double cpuMs = 0;         // from begin until all commands were submitted
    // From the previous present to this one.  After a pause, and for a frame drawn in slices, it equals frameMs.
    double intervalMs = 0;
    double waitMs = 0;             // waiting for the GPU, to limit frames in flight
    double sleptMs = 0;            // deliberate sleep, to match the display's rate
    std::optional<double> swapMs;  // in the present call; empty without a window
    int panelShows = 0;            // panel redraws between slices
    double panelShowsMs = 0;       // total time of those redraws, which the other times exclude
};

// ---- clock ----

// Limit of the frame rate.
enum class FrameLimit
{
    kDisplay,         // vertical sync, if available
    kFramesInFlight,  // limited by the GPU only: headless, and in captures, which need the results of every frame
    kNone,
};

inline constexpr int kFramesInFlight = 4;  // most frames that the GPU may lag behind

class FrameClock
{
public:
    void begin(std::uint64_t frame, double sessionSeconds);
    void submitted();  // all of the frame's commands are submitted
    void present(Graphics& graphics, FrameLimit limit);
    // Marks that time passed without frames; the next interval leaves this time out.
    void rested() { rested_ = true; }

    // For frames drawn in slices: presents the panels over the last complete picture.
    void presentPanels(Graphics& graphics, FrameLimit limit, double sinceMs);
    // Ends a sliced frame after its presentation, with the times of its slices.
    void endSliced(const SlicesTime& slices);
    const FrameTiming& timing() const { return timing_; }  // last presented frame's

private:
    using Clock = std::chrono::steady_clock;
    void show(Graphics& graphics);
    void limitRate(Graphics& graphics, FrameLimit limit);

    FrameTiming timing_;
    bool rested_ = false;
    Clock::time_point begin_ = Clock::now(), presented_ = begin_;
};

}  // namespace orogen::app
