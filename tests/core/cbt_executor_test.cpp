#include "core/base/executor.h"

#include <atomic>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/claiming_executor.h"

namespace orogen {
namespace {

void expectEveryIndexOnce(Executor& executor, std::uint32_t count)
{
    std::vector<std::atomic<int>> visits(count);
    executor.run(count, [&](std::uint32_t begin, std::uint32_t end) {
        ASSERT_LT(begin, end);
        for (; begin < end; ++begin)
            visits[begin].fetch_add(1, std::memory_order_relaxed);
    });
    for (std::uint32_t i = 0; i < count; ++i)
        ASSERT_EQ(visits[i].load(), 1) << "index " << i << " of " << count;
}

TEST(Executor, VisitsEveryIndexOnce)
{
    SerialExecutor serial;
    for (const std::uint32_t count : {0u, 1u, 2u, 1000u})
        expectEveryIndexOnce(serial, count);
    for (int threads = 1; threads <= 5; ++threads)
        for (const std::uint32_t grain : {1u, 7u, 1024u})
        {
            ThreadExecutor executor(threads, grain);
            for (const std::uint32_t count : {0u, 1u, 6u, 7u, 8u, 1023u, 1024u, 1025u, 20'000u})
                expectEveryIndexOnce(executor, count);
        }
    for (int threads = 1; threads <= 5; ++threads)
    {
        ClaimingExecutor executor(threads);
        for (int pass = 0; pass < 200; ++pass)
            for (const std::uint32_t count : {0u, 1u, 2u, 7u, 8u, 9u, 1023u})
                expectEveryIndexOnce(executor, count);
    }
}

void expectPassesInOrder(Executor& executor)
{
    constexpr std::uint32_t kCount = 64;
    std::vector<int> even(kCount), odd(kCount);  // not atomic: ordered by the passes alone
    for (int pass = 0; pass < 2'000; ++pass)
    {
        const std::vector<int>& from = pass % 2 ? odd : even;
        std::vector<int>& to = pass % 2 ? even : odd;
        executor.run(kCount, [&](std::uint32_t begin, std::uint32_t end) {
            for (; begin < end; ++begin)
                to[begin] = from[(begin + 1) % kCount] + 1;
        });
    }
    EXPECT_EQ(std::accumulate(even.begin(), even.end(), 0), int(kCount) * 2'000);
}

TEST(Executor, APassSeesWhatTheOneBeforeWrote)
{
    ThreadExecutor stripes(4, 1);
    expectPassesInOrder(stripes);
    ClaimingExecutor claims(4);
    expectPassesInOrder(claims);
}

}  // namespace
}  // namespace orogen
