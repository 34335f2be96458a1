#include "core/base/claiming_executor.h"

#include <algorithm>
#include <cassert>

#include "core/base/waiting.h"

namespace orogen {

constexpr std::uint32_t kPiecesPerThread = 4;

ClaimingExecutor::ClaimingExecutor(int threads) : threads_(threads), looks_(looksFor(threads))
{
    assert(threads >= 1);
    for (int thread = 1; thread < threads; ++thread)
        pool_.emplace_back([this] { loop(); });
}

ClaimingExecutor::~ClaimingExecutor()
{
    stopping_ = true;
    pass_.fetch_add(1, std::memory_order_release);
    pass_.notify_all();
    for (std::thread& thread : pool_)
        thread.join();
}

void ClaimingExecutor::run(std::uint32_t count, const Body& body)
{
    if (count == 0) return;
    const std::uint32_t pieces = std::min(count, kPiecesPerThread * std::uint32_t(threads_));
    const std::uint32_t pass = pass_.load(std::memory_order_relaxed) + 1;
    body_ = &body;
    count_ = count;
    pieces_ = pieces;
    done_.store(0, std::memory_order_relaxed);
    claims_.store(std::uint64_t(pass) << 32 | pieces, std::memory_order_release);
    pass_.store(pass, std::memory_order_release);
    pass_.notify_all();
    work(pass);
    for (std::uint32_t done; (done = done_.load(std::memory_order_acquire)) != pieces;)
        awaitChange(done_, done, looks_);
}

// Until no piece of this pass is left to claim.  A thread that comes late finds another pass, and touches nothing of
// it.  Who claims sees what the caller published, and the caller what every piece wrote; pieces are not ordered among
// themselves, so that ThreadSanitizer reports a race between two of them even where one ran after the other.
void ClaimingExecutor::work(std::uint32_t pass)
{
    for (std::uint64_t claims = claims_.load(std::memory_order_acquire);
         claims >> 32 == pass && std::uint32_t(claims) != 0;)
    {
        if (!claims_.compare_exchange_weak(claims, claims - 1, std::memory_order_acquire)) continue;
        const std::uint64_t piece = std::uint32_t(claims) - 1, count = count_, pieces = pieces_;
        (*body_)(std::uint32_t(count * piece / pieces), std::uint32_t(count * (piece + 1) / pieces));
        if (done_.fetch_add(1, std::memory_order_release) + 1 == pieces) done_.notify_one();
        claims = claims_.load(std::memory_order_acquire);
    }
}

void ClaimingExecutor::loop()
{
    for (std::uint32_t seen = 0;;)
    {
        awaitChange(pass_, seen, looks_);
        seen = pass_.load(std::memory_order_acquire);
        if (stopping_) return;
        work(seen);
    }
}

}  // namespace orogen
