// From what arrives during a capture to rows in order: the GPU's answers come a few frames late, and warm-up ends by a
// rule.
#pragma once

#include <deque>
#include <optional>

#include "core/frames/sample/frame_sample.h"

namespace orogen {

// Warm-up ends when `minimum` frames have passed, the shaders are ready and nothing was split or merged for
// kQuietFrames frames; after kLongestWarmup frames it gives up.
class WarmUp
{
public:
    static constexpr std::uint64_t kQuietFrames = 8, kLongestWarmup = 600;

    // `first`: the program's number of the first warm-up frame; counters of earlier frames say nothing.
    WarmUp(std::uint64_t minimum, std::uint64_t first) : minimum_(minimum), next_(first) {}

    // After each warm-up frame, with the newest counters that have arrived.  Counters that were seen before say nothing
    // new.
    void frame(bool shadersReady, const WorkCounters& newest);
    bool over() const { return over_; }
    bool unsettled() const { return unsettled_; }  // it gave up
    std::uint64_t frames() const { return frames_; }

private:
    std::uint64_t minimum_, next_;  // next_: the first frame whose counters are still news
    std::uint64_t frames_ = 0, quiet_ = 0;
    bool over_ = false, unsettled_ = false;
};

// Holds rows until what the GPU says about them has arrived, for kLatest frames at most.
class SampleQueue
{
public:
    static constexpr std::size_t kLatest = 8;

    // The CPU's part of the next frame.  `number`: the program's frame number, by which the GPU's answers are known.
    void push(std::uint64_t number, FrameSample sample);
    void gpu(std::uint64_t number, std::optional<double> wholeMs,
             const std::array<std::optional<double>, kReportedPasses>& passMs);
    void work(const WorkCounters& work);  // of work.frame

    // The oldest frame, if all of it is here or it has waited long enough (then with kFrameGpuMissing where times are
    // missing); with `last`, whatever is left.
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
