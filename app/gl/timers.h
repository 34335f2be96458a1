// GPU time of each pass, from GL_TIMESTAMP queries that nobody waits for.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "app/gl/objects.h"
#include "core/frames/sample/frame_stats.h"

namespace orogen::app {

// A frame's queries are read one to three frames later.  Where the GPU is later than that, the new frame goes
// unmeasured and is counted in dropped(): measuring never makes the CPU wait.
class GpuTimers
{
public:
    static constexpr int kFrames = 4;

    // `software`: the context runs on a software rasteriser (ContextInfo).
    explicit GpuTimers(bool software);

    void beginFrame(std::uint64_t frame);  // a frame that was not ended is given up
    void begin(GpuPass pass);              // a pass may come several times in a frame: its time is the sum
    void end(GpuPass pass);                // the pass that was begun last
    void endFrame();

    // Called at every begin and end, on the CPU: a benchmark that waits for the GPU at each boundary measures there.
    void observe(std::function<void(GpuPass, bool begins)> observer) { observer_ = std::move(observer); }

    // The oldest frame whose times have all arrived and were not delivered yet.
    std::optional<GpuTimes> poll();

    bool offered() const { return offered_; }  // false: nothing is ever measured
    bool hardware() const { return hardware_; }
    std::uint64_t dropped() const { return dropped_; }

private:
    struct Span
    {
        GpuPass pass;
        std::size_t first;  // query at its begin; the next one is at its end
    };
    struct Slot
    {
        std::uint64_t frame = 0;
        bool busy = false;  // its queries are on their way
        std::vector<Query> queries;
        std::vector<Span> spans;
    };

    bool arrived(const Slot& slot) const;
    GpuTimes read(const Slot& slot) const;

    std::array<Slot, kFrames> slots_;
    int next_ = 0;             // slot of the next frame
    int oldest_ = 0;           // slot of the oldest frame in flight
    Slot* current_ = nullptr;  // of the frame between beginFrame and endFrame; null: unmeasured
    bool open_ = false;        // between begin and end
    std::function<void(GpuPass, bool)> observer_;
    bool hardware_ = false, offered_ = false;
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
