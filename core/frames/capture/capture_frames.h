// Ordering of data that arrives during a capture: GPU results come a few frames late.  Also the end of warm-up.
#pragma once

#include <deque>
#include <optional>

#include "core/frames/sample/frame_sample.h"

namespace orogen {

// Warm-up ends after at least `minimum` frames, once the shaders are ready and no leaf was split or merged for
// kQuietFrames frames.  It gives up after kLongestWarmup frames.
class WarmUp
{
public:
    static constexpr std::uint64_t kQuietFrames = 8, kLongestWarmup = 600;

    // `first`: the program's number of the first warm-up frame; counters of earlier frames are ignored.
    WarmUp(std::uint64_t minimum, std::uint64_t first) : minimum_(minimum), next_(first) {}

    // Called after each warm-up frame with the newest counters received.  Ignores counters that were seen before.
    void frame(bool shadersReady, const WorkCounters& newest);
    bool over() const { return over_; }
    bool unsettled() const { return unsettled_; }  // warm-up gave up
    std::uint64_t frames() const { return frames_; }

private:
    std::uint64_t minimum_, next_;  // next_: first frame whose counters are new
    std::uint64_t frames_ = 0, quiet_ = 0;
    bool over_ = false, unsettled_ = false;
};

// Holds rows until their GPU results have arrived, for kLatest frames at most.
class SampleQueue
{
public:
    static constexpr std::size_t kLatest = 8;

    // Adds the CPU's part of the next frame.  `number`: the program's frame number, which GPU results refer to.
    void push(std::uint64_t number, FrameSample sample);
    void gpu(std::uint64_t number, std::optional<double> wholeMs,
             const std::array<std::optional<double>, kReportedPasses>& passMs);
    void work(const WorkCounters& work);  // for frame work.frame

    // Returns the oldest frame if it is complete or has waited long enough, then with kFrameGpuMissing if times are
    // missing. With `last`, also incomplete frames.
    std::optional<FrameSample> pop(bool last = false);

private:
    struct Entry
    {
        std::uint64_t number;
        FrameSample sample;
        bool timed = false, counted = false;
    };
    Entry* find(std::uint64_t number);

    std::deque<Entry> entries_;
};

}  // namespace orogen
