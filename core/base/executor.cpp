#include "core/base/executor.h"

#include <algorithm>
#include <cassert>

#include "core/base/waiting.h"

namespace orogen {

void SerialExecutor::run(std::uint32_t count, const Body& body)
{
    if (count > 0) body(0, count);
}

ThreadExecutor::ThreadExecutor(int threads, std::uint32_t grain)
    : threads_(threads), grain_(grain), looks_(looksFor(threads))
{
    assert(threads >= 1 && grain >= 1);
    for (int thread = 1; thread < threads; ++thread)
        pool_.emplace_back([this, thread] { loop(thread); });
}

ThreadExecutor::~ThreadExecutor()
{
    stopping_ = true;
    pass_.fetch_add(1, std::memory_order_release);
    pass_.notify_all();
    for (std::thread& thread : pool_)
        thread.join();
}

void ThreadExecutor::run(std::uint32_t count, const Body& body)
{
    body_ = &body;
    count_ = count;
    busy_.store(threads_ - 1, std::memory_order_relaxed);
    pass_.fetch_add(1, std::memory_order_release);
    pass_.notify_all();
    work(0);
    for (int busy; (busy = busy_.load(std::memory_order_acquire)) != 0;)
        awaitChange(busy_, busy, looks_);
}

void ThreadExecutor::work(int thread) const
{
    const std::uint64_t share = (count_ + std::uint64_t(threads_) - 1) / std::uint64_t(threads_);
    const std::uint64_t stripe = std::clamp<std::uint64_t>(share, 1, grain_);
    const std::uint64_t stride = stripe * std::uint64_t(threads_);
    for (std::uint64_t begin = stripe * std::uint64_t(thread); begin < count_; begin += stride)
        (*body_)(std::uint32_t(begin), std::uint32_t(std::min<std::uint64_t>(count_, begin + stripe)));
}

void ThreadExecutor::loop(int thread)
{
    for (unsigned seen = 0;; ++seen)
    {
        awaitChange(pass_, seen, looks_);
        if (stopping_) return;
        work(thread);
        if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
    }
}

}  // namespace orogen
