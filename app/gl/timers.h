// GPU time of each pass from GL_TIMESTAMP queries, read without waiting.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "app/gl/objects.h"
#include "core/frames/sample/frame_record.h"

namespace orogen::app {

// Keeps the queries of up to kFrames frames until their results arrive.  If the GPU lags further behind, skips the new
// frame and counts it in dropped(), so that reading results never blocks the CPU.
class GpuTimers
{
public:
    static constexpr int kFrames = 4;

    // `software`: the context runs on a software rasteriser (ContextInfo).
    explicit GpuTimers(bool software);

    void beginFrame(std::uint64_t frame);  // discards the previous frame if it had no endFrame()
    void begin(GpuPass pass);              // begins a pass; times of repeated passes of a frame are summed up
    void end(GpuPass pass);                // ends the pass begun last
    void endFrame();

    // Sets a function to call on the CPU at every begin and end, for benchmarks that wait for the GPU at each boundary.
    void observe(std::function<void(GpuPass, bool begins)> observer) { observer_ = std::move(observer); }

    // Sets whether GpuTimes::spans is filled in, for traces.  If so, the clocks of CPU and GPU are read at the start of
    // each frame.
    void keepSpans(bool keep) { keepsSpans_ = keep; }

    // Returns the times of the oldest undelivered frame; empty until all of them have arrived.
    std::optional<GpuTimes> poll();

    bool offered() const { return offered_; }    // false: the driver has no time stamps
    bool hardware() const { return hardware_; }  // time stamps of a GPU, not of a software rasteriser
    std::uint64_t dropped() const { return dropped_; }

private:
    struct Span
    {
        GpuPass pass;
        std::size_t first;                    // index of the query at its begin; the query at its end follows it
        double cpuBeginMs = 0, cpuEndMs = 0;  // only with spans
    };
    struct Slot
    {
        std::uint64_t frame = 0;
        bool busy = false;  // queries in flight
        std::vector<Query> queries;
        std::vector<Span> spans;
        std::optional<double> shiftMs;  // from the GPU's clock to the CPU's; empty: spans are not kept
    };

    bool arrived(const Slot& slot) const;
    GpuTimes read(const Slot& slot) const;

    std::array<Slot, kFrames> slots_;
    int next_ = 0;             // slot of the next frame
    int oldest_ = 0;           // slot of the oldest frame in flight
    Slot* current_ = nullptr;  // frame between beginFrame() and endFrame(); null: not measured
    bool open_ = false;        // between begin() and end()
    std::function<void(GpuPass, bool)> observer_;
    bool hardware_ = false, offered_ = false, keepsSpans_ = false;
    std::uint64_t dropped_ = 0;
};

// begin() and end() as a scope.
class GpuTimerScope
{
public:
    GpuTimerScope(GpuTimers& timers, GpuPass pass) : timers_(timers), pass_(pass) { timers_.begin(pass_); }
    ~GpuTimerScope() { timers_.end(pass_); }
    GpuTimerScope(const GpuTimerScope&) = delete;
    GpuTimerScope& operator=(const GpuTimerScope&) = delete;

private:
    GpuTimers& timers_;
    GpuPass pass_;
};

}  // namespace orogen::app
