// Runs a loop's indices in a random order on several threads.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "core/base/executor.h"
#include "tests/support/random.h"

namespace orogen::test {

class ShuffledExecutor final : public Executor
{
public:
    ShuffledExecutor(int threads, std::uint64_t seed) : threads_(threads, 1), random_(seed) {}

    void run(std::uint32_t count, const Body& body) override
    {
        const std::uint32_t grain = 1 + count / 64;  // neighbours mostly apart, but the pool not idle
        std::vector<std::uint32_t> order((count + grain - 1) / grain);
        std::iota(order.begin(), order.end(), 0u);
        random_.shuffle(order);
        threads_.run(std::uint32_t(order.size()), [&](std::uint32_t begin, std::uint32_t end) {
            for (; begin < end; ++begin)
                body(order[begin] * grain, std::min(count, (order[begin] + 1) * grain));
        });
    }

private:
    ThreadExecutor threads_;
    Random random_;
};

}  // namespace orogen::test
