#include "core/frames/capture/capture_frames.h"

#include <algorithm>

namespace orogen {

void WarmUp::frame(bool shadersReady, const WorkCounters& newest)
{
    ++frames_;
    if (newest.frame >= next_)
    {
        next_ = newest.frame + 1;
        quiet_ = newest.splits == 0 && newest.merges == 0 ? quiet_ + 1 : 0;
    }
    if (!shadersReady) quiet_ = 0;
    const bool settled = frames_ >= minimum_ && quiet_ >= kQuietFrames;
    unsettled_ = !settled && frames_ >= std::max(kLongestWarmup, minimum_);
    over_ = settled || unsettled_;
}

void SampleQueue::push(std::uint64_t number, FrameSample sample) { entries_.push_back({number, std::move(sample)}); }

SampleQueue::Entry* SampleQueue::find(std::uint64_t number)
{
    const auto entry = std::ranges::find(entries_, number, &Entry::number);
    return entry == entries_.end() ? nullptr : &*entry;
}

void SampleQueue::gpu(std::uint64_t number, std::optional<double> wholeMs,
                      const std::array<std::optional<double>, kReportedPasses>& passMs)
{
    Entry* entry = find(number);
    if (!entry) return;
    entry->sample.gpuMs = wholeMs;
    entry->sample.passMs = passMs;
    entry->timed = true;
}

void SampleQueue::work(const WorkCounters& work)
{
    Entry* entry = find(work.frame);
    if (!entry) return;
    setWork(entry->sample, work);
    entry->counted = true;
}

std::optional<FrameSample> SampleQueue::pop(bool last)
{
    if (entries_.empty()) return std::nullopt;
    const Entry& oldest = entries_.front();
    const bool complete = oldest.timed && oldest.counted;
    if (!complete && !last && entries_.size() <= kLatest) return std::nullopt;
    FrameSample sample = std::move(entries_.front().sample);
    if (!oldest.timed) sample.flags |= kFrameGpuMissing;
    entries_.pop_front();
    return sample;
}

}  // namespace orogen
