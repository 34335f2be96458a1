#include "core/base/thread_pool.h"

#include <new>
#include <utility>

namespace orogen {
namespace {

constexpr std::uint32_t kRangesPerThread = 4;

// Spinning occupies a processor, so it is disabled with more threads than processors.  The iterations take about 160
// microseconds on processors whose pause instruction takes some 40 ns.
int spinIterationsFor(int threads) { return threads <= usableThreads() ? 4000 : 0; }

// Returns once `value` differs from `old`: spins for some iterations, then sleeps.
void awaitChange(const std::atomic<std::uint32_t>& value, std::uint32_t old, int spinIterations)
{
    for (int i = 0; i < spinIterations; ++i)
    {
        if (value.load(std::memory_order_acquire) != old) return;
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }
    value.wait(old, std::memory_order_acquire);
}

}  // namespace

ThreadPool::ThreadPool(int threads) : spinIterations_(spinIterationsFor(threads))
{
    assert(threads >= 1);
    helpers_.reserve(std::size_t(threads - 1));
    try
    {
        for (int thread = 1; thread < threads; ++thread)
        {
            Result<std::jthread> helper = startThread("thread pool", [this, thread] { help(thread); });
            if (!helper) return;  // work with fewer threads
            helpers_.push_back(std::move(*helper));
        }
    }
    catch (const std::bad_alloc&)  // no memory for the message: work with the threads already running
    {
    }
}

ThreadPool::~ThreadPool()
{
    stopping_.store(true, std::memory_order_relaxed);
    storeAndNotify(round_, round_.load(std::memory_order_relaxed) + 1);
}

void ThreadPool::run(std::uint32_t count, const Body& body)
{
    if (threads() == 1 && count > 0) return body(0, count);
    const std::uint64_t ranges = std::min(count, kRangesPerThread * std::uint32_t(threads()));
    forEach(std::size_t(ranges), [&](std::size_t range) {
        body(std::uint32_t(count * range / ranges), std::uint32_t(count * (range + 1) / ranges));
    });
}

void ThreadPool::runRound(std::uint32_t pieces, const void* context, Call doPiece)
{
    const std::uint32_t round = round_.load(std::memory_order_relaxed) + 1;
    context_ = context;
    call_ = doPiece;
    pieces_ = pieces;
    unfinished_.store(pieces, std::memory_order_relaxed);
    unclaimed_.store(std::uint64_t(round) << 32 | pieces, std::memory_order_release);
    storeAndNotify(round_, round);
    work(round, 0);
    for (std::uint32_t left; (left = unfinished_.load(std::memory_order_acquire)) != 0;)
        awaitChange(unfinished_, left, spinIterations_);
    if (!thrown_.load(std::memory_order_relaxed)) return;
    thrown_.store(false, std::memory_order_relaxed);
    std::rethrow_exception(std::exchange(exception_, nullptr));
}

// Claims and runs pieces until this round has none left.  A late thread sees another round number and runs none.  A
// claim only acquires, and finishing pieces only releases.  So the pieces of a round stay unordered among themselves.
void ThreadPool::work(std::uint32_t round, int thread)
{
    const std::uint32_t shares = 2 * std::uint32_t(threads());
    for (std::uint64_t seen = unclaimed_.load(std::memory_order_acquire);
         seen >> 32 == round && std::uint32_t(seen) != 0;)
    {
        const std::uint32_t left = std::uint32_t(seen), share = std::max(1u, left / shares);
        if (!unclaimed_.compare_exchange_weak(seen, seen - share, std::memory_order_acquire)) continue;
        const std::size_t begin = pieces_ - left;
        runPieces(begin, begin + share, thread);
        if (unfinished_.fetch_sub(share, std::memory_order_release) == share)
        {
            unfinished_.fetch_add(0, std::memory_order_seq_cst);  // so that no wake-up is lost, as in storeAndNotify()
            unfinished_.notify_one();
        }
        seen = unclaimed_.load(std::memory_order_acquire);
    }
}

void ThreadPool::runPieces(std::size_t begin, std::size_t end, int thread)
{
    try
    {
        for (std::size_t piece = begin; piece < end && !thrown_.load(std::memory_order_relaxed); ++piece)
            call_(context_, piece, thread);
    }
    catch (...)
    {
        if (!thrown_.exchange(true, std::memory_order_relaxed)) exception_ = std::current_exception();
    }
}

void ThreadPool::help(int thread)
{
    for (std::uint32_t seen = 0;;)
    {
        awaitChange(round_, seen, spinIterations_);
        seen = round_.load(std::memory_order_acquire);
        if (stopping_.load(std::memory_order_relaxed)) return;
        work(seen, thread);
    }
}

int threadsForRows(int rows) { return std::clamp(bandsOf(rows), 1, usableThreads()); }

}  // namespace orogen
