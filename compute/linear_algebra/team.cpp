#include "compute/linear_algebra/team.h"

#include <algorithm>
#include <cassert>
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

constexpr std::uint64_t kRound = std::uint64_t(1) << 32;

}  // namespace

Team::Team(int threads) : looks_(looksFor(threads))
{
    try
    {
        for (int i = 1; i < threads; ++i)
            helpers_.emplace_back([this] { help(); });
    }
    catch (const std::system_error&)  // no thread to be had: fewer do it
    {
    }
}

Team::~Team()
{
    over_ = true;
    left_.fetch_add(kRound, std::memory_order_release);
    left_.notify_all();
}

void Team::run(std::size_t pieces, const void* context, Call call)
{
    assert(pieces < kRound);
    pieces_ = pieces;
    context_ = context;
    call_ = call;
    undone_.store(pieces, std::memory_order_relaxed);
    left_.store((left_.load(std::memory_order_relaxed) / kRound + 1) * kRound + pieces, std::memory_order_release);
    left_.notify_all();
    while (doSome())
    {
    }
    for (std::size_t undone; (undone = undone_.load(std::memory_order_acquire)) != 0;)
        awaitChange(undone_, undone, looks_);
}

// Takes a share of what is left, smaller towards the end, so that nobody waits long for a thread that does not get on:
// other programs may have its processor.  Pieces are ordered behind the round's start and before its end alone, so that
// ThreadSanitizer reports a race between two even where one ran after the other.  False: nothing was left.
bool Team::doSome()
{
    std::uint64_t left = left_.load(std::memory_order_acquire), share = 0;
    do
    {
        if (left % kRound == 0) return false;
        share = std::max<std::uint64_t>(1, left % kRound / (2 * (helpers_.size() + 1)));
    } while (!left_.compare_exchange_weak(left, left - share, std::memory_order_acquire));
    const std::size_t first = pieces_ - std::size_t(left % kRound);
    for (std::size_t piece = first; piece < first + share; ++piece)
        call_(context_, piece);
    if (undone_.fetch_sub(share, std::memory_order_release) == share) undone_.notify_one();
    return true;
}

void Team::help()
{
    for (std::uint64_t seen = 0; !over_.load(std::memory_order_relaxed);)
    {
        if (doSome()) continue;
        seen = left_.load(std::memory_order_acquire);
        if (seen % kRound == 0 && !over_.load(std::memory_order_acquire)) awaitChange(left_, seen, looks_);
    }
}

}  // namespace orogen::compute
