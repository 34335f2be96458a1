#include "core/cbt/executor.h"

#include <algorithm>
#include <cassert>

namespace orogen {

void SerialExecutor::run(std::uint32_t count, const Body& body)
{
    if (count > 0) body(0, count);
}

ThreadExecutor::ThreadExecutor(int threads, std::uint32_t grain) : threads_(threads), grain_(grain)
{
    assert(threads >= 1 && grain >= 1);
    for (int thread = 1; thread < threads; ++thread)
        pool_.emplace_back([this, thread] { loop(thread); });
}

ThreadExecutor::~ThreadExecutor()
{
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    started_.notify_all();
    for (std::thread& thread : pool_)
        thread.join();
}

void ThreadExecutor::run(std::uint32_t count, const Body& body)
{
    {
        const std::lock_guard lock(mutex_);
        body_ = &body;
        count_ = count;
        busy_ = threads_ - 1;
        ++pass_;
    }
    started_.notify_all();
    work(0);
    std::unique_lock lock(mutex_);
    finished_.wait(lock, [this] { return busy_ == 0; });
}

void ThreadExecutor::work(int thread) const
{
    const std::uint64_t stride = std::uint64_t(grain_) * std::uint64_t(threads_);
    for (std::uint64_t begin = std::uint64_t(grain_) * std::uint64_t(thread); begin < count_; begin += stride)
        (*body_)(std::uint32_t(begin), std::uint32_t(std::min<std::uint64_t>(count_, begin + grain_)));
}

void ThreadExecutor::loop(int thread)
{
    for (std::uint64_t seen = 0;;)
    {
        {
            std::unique_lock lock(mutex_);
            started_.wait(lock, [&] { return stopping_ || pass_ != seen; });
            if (stopping_) return;
            seen = pass_;
        }
        work(thread);
        const std::lock_guard lock(mutex_);
        if (--busy_ == 0) finished_.notify_one();
    }
}

}  // namespace orogen
