#include "core/frames/sample/frame_record.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <vector>

namespace orogen {

namespace {

constexpr std::size_t kMeanOf = 30;  // frames; half a second at 60 Hz

}  // namespace

void FrameHistory::push(const FrameRecord& frame)
{
    ring_[next_] = frame;
    next_ = (next_ + 1) % kCapacity;
    size_ = std::min(size_ + 1, kCapacity);
}

const FrameRecord& FrameHistory::operator[](std::size_t i) const
{
    assert(i < size_);
    return ring_[(next_ + kCapacity - size_ + i) % kCapacity];
}

FrameRecord* FrameHistory::find(std::uint64_t frame)
{
    for (std::size_t age = 1; age <= size_; ++age)
        if (FrameRecord& record = ring_[(next_ + kCapacity - age) % kCapacity]; record.frame <= frame)
            return record.frame == frame ? &record : nullptr;
    return nullptr;
}

std::optional<Spread> intervalSpread(const FrameHistory* history)
{
    if (!history || history->size() == 0) return std::nullopt;
    std::vector<double> intervals(history->size());
    for (std::size_t i = 0; i < intervals.size(); ++i)
        intervals[i] = (*history)[i].cpu.intervalMs;
    std::ranges::sort(intervals);
    const auto rank = [&](double quantile) {
        const auto place = std::size_t(std::ceil(quantile * double(intervals.size())));
        return intervals[std::max<std::size_t>(place, 1) - 1];
    };
    Spread spread;
    spread.minimum = intervals.front();
    spread.maximum = intervals.back();
    if (intervals.size() >= kLeastFramesForMedian) spread.median = rank(0.5);
    if (intervals.size() >= kLeastFramesForP99)
    {
        spread.p99 = rank(0.99);
        const std::size_t slow = (intervals.size() + 99) / 100;
        spread.slowest1 = std::accumulate(intervals.end() - std::ptrdiff_t(slow), intervals.end(), 0.0) / double(slow);
    }
    return spread;
}

std::array<std::optional<double>, std::size_t(GpuPass::kCount)> meanPassMs(const FrameHistory& history)
{
    std::array<std::optional<double>, std::size_t(GpuPass::kCount)> means;
    std::size_t measured = 0;
    for (std::size_t i = history.size(); i-- > 0 && measured < kMeanOf;)
    {
        const auto& ms = history[i].gpu.ms;
        if (history[i].gpu.frame != history[i].frame || !history[i].gpu.wholeMs) continue;
        ++measured;
        for (std::size_t pass = 0; pass < means.size(); ++pass)
            if (ms[pass]) means[pass] = means[pass].value_or(0) + *ms[pass];
    }
    for (std::optional<double>& mean : means)
        if (mean) *mean /= double(measured);
    return means;
}

std::optional<TileRates> tileRates(const FrameHistory* history)
{
    if (!history || history->size() < 2 || !(*history)[history->size() - 1].tiles) return std::nullopt;
    const TileStats& newest = *(*history)[history->size() - 1].tiles;
    std::optional<TileRates> rates;
    double seconds = 0;
    for (std::size_t i = history->size() - 1; i > 0 && seconds < kRateSeconds; --i)
    {
        const std::optional<TileStats>& before = (*history)[i - 1].tiles;
        if (!before || before->loaded > newest.loaded || before->bytesRead > newest.bytesRead)
            break;  // the terrain changed
        seconds += (*history)[i].cpu.intervalMs / 1000;
        if (seconds > 0)
            rates = {double(newest.loaded - before->loaded) / seconds,
                     double(newest.bytesRead - before->bytesRead) / seconds};
    }
    return rates;
}

}  // namespace orogen
