#include "compute/linear_algebra/team.h"

#include <system_error>

namespace orogen::compute {
namespace {

// Rounds follow each other within microseconds while a solver runs: looking for that long is cheaper than sleeping, if
// there is a processor for each thread.
int looksFor(int threads) { return threads <= int(std::thread::hardware_concurrency()) ? 4000 : 0; }

template <class T>
void awaitChange(const std::atomic<T>& value, T old, int looks)
{
    for (int i = 0; i < looks; ++i)
    {
        if (value.load(std::memory_order_acquire) != old) return;
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }
    value.wait(old, std::memory_order_acquire);
}

}  // namespace

Team::Team(int threads) : looks_(looksFor(threads))
{
    try
    {
        for (int i = 1; i < threads; ++i)
            helpers_.emplace_back([this, member = std::size_t(i)] { help(member); });
    }
    catch (const std::system_error&)  // no thread to be had: fewer do it
    {
    }
}

Team::~Team()
{
    over_ = true;
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
}

void Team::run(std::size_t pieces, const void* context, Call call)
{
    pieces_ = pieces;
    context_ = context;
    call_ = call;
    busy_.store(helpers_.size(), std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    doShare(0);
    for (std::size_t busy; (busy = busy_.load(std::memory_order_acquire)) != 0;)
        awaitChange(busy_, busy, looks_);
}

void Team::doShare(std::size_t member) const
{
    const std::size_t members = helpers_.size() + 1;
    for (std::size_t piece = pieces_ * member / members; piece < pieces_ * (member + 1) / members; ++piece)
        call_(context_, piece);
}

void Team::help(std::size_t member)
{
    for (unsigned seen = 0;; ++seen)
    {
        awaitChange(round_, seen, looks_);
        if (over_) return;
        doShare(member);
        if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
    }
}

}  // namespace orogen::compute
