// The last frames' records, and their statistics: frame times, GPU passes, tile rates.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/frames/sample/frame_record.h"

namespace orogen {

// The last frames, oldest first.  The performance panel draws and summarises them; a capture waits for their GPU
// results.
class FrameHistory
{
public:
    static constexpr std::size_t kCapacity = 480;  // 8 s at 60 Hz; about a pixel each in the graph

    void push(const FrameRecord& frame);  // a presented frame, whose number is above all others; O(1)
    // Returns the record of a frame, for GPU results that arrive late; null: not held.  O(frames since then).
    FrameRecord* find(std::uint64_t frame);
    const FrameRecord* find(std::uint64_t frame) const { return const_cast<FrameHistory*>(this)->find(frame); }
    std::size_t size() const { return size_; }
    const FrameRecord& operator[](std::size_t i) const;  // 0: the oldest; precondition: i < size()
    void clear() { size_ = 0; }

private:
    std::array<FrameRecord, kCapacity> ring_;
    std::size_t next_ = 0, size_ = 0;
};

// Minimum of frames for a median and for a 99th percentile (with fewer than 100 it would be the slowest frame).
inline constexpr std::size_t kLeastFramesForMedian = 10, kLeastFramesForP99 = 100;
struct Spread
{
    double minimum = 0, maximum = 0;
    std::optional<double> median, p99;  // by nearest rank; empty: too few frames
    std::optional<double> slowest1;     // mean of the slowest 1 %, their number rounded up; empty: too few frames
};
std::optional<Spread> intervalSpread(const FrameHistory* history);  // milliseconds; empty without a frame

// Tiles and bytes read per second.
inline constexpr double kRateSeconds = 2;
struct TileRates
{
    double tiles = 0, bytes = 0;
};
// Returns the rates over the newest frames that span kRateSeconds.  Empty without two frames of a tiled terrain.
std::optional<TileRates> tileRates(const FrameHistory* history);

// Returns each pass's mean time (ms) over the newest 30 measured frames; frames in which it did not run count as 0.
// Empty: it ran in none of them.
std::array<std::optional<double>, std::size_t(GpuPass::kCount)> meanPassMs(const FrameHistory& history);

}  // namespace orogen
