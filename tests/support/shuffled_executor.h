// Runs a loop's indices in random order on several threads, all of which take part even in short loops.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <thread>
#include <vector>

#include "core/base/thread_pool.h"
#include "tests/support/random.h"

namespace orogen::test {

class ShuffledExecutor final : public Executor
{
public:
    ShuffledExecutor(int threads, std::uint64_t seed) : pool_(threads), random_(seed) {}

    void run(std::uint32_t count, const Body& body) override
    {
        const std::uint32_t grain = 1 + count / 64;  // separates most neighbours, but keeps the threads busy
        std::vector<std::uint32_t> order((count + grain - 1) / grain);
        std::iota(order.begin(), order.end(), 0u);
        random_.shuffle(order);
        const auto threads = std::uint32_t(pool_.threads());
        std::atomic<std::uint32_t> begun = 0;
        pool_.forEach(threads, [&](std::size_t stripe) {
            begun.fetch_add(1, std::memory_order_relaxed);  // relaxed: imposes no order
            while (begun.load(std::memory_order_relaxed) < threads)
                std::this_thread::yield();
            for (std::size_t i = stripe; i < order.size(); i += threads)
                body(order[i] * grain, std::min(count, (order[i] + 1) * grain));
        });
    }

private:
    ThreadPool pool_;
    Random random_;
};

}  // namespace orogen::test
