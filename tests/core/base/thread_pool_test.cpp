#include "core/base/thread_pool.h"

#include <atomic>
#include <cstdlib>
#include <new>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "tests/support/shuffled_executor.h"

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
    {
        ThreadPool pool(threads);
        test::ShuffledExecutor shuffled(threads, 1);
        for (int pass = 0; pass < 200; ++pass)
            for (const std::uint32_t count : {0u, 1u, 2u, 7u, 8u, 9u, 1023u})
                expectEveryIndexOnce(pool, count);
        for (const std::uint32_t count : {0u, 1u, 6u, 7u, 8u, 1023u, 20'000u})
            expectEveryIndexOnce(shuffled, count);
    }
}

TEST(Executor, APassSeesWhatTheOneBeforeWrote)
{
    constexpr std::uint32_t kCount = 64;
    std::vector<int> even(kCount), odd(kCount);  // not atomic: passes alone order the accesses
    ThreadPool pool(4);
    for (int pass = 0; pass < 2'000; ++pass)
    {
        const std::vector<int>& from = pass % 2 ? odd : even;
        std::vector<int>& to = pass % 2 ? even : odd;
        pool.run(kCount, [&](std::uint32_t begin, std::uint32_t end) {
            for (; begin < end; ++begin)
                to[begin] = from[(begin + 1) % kCount] + 1;
        });
    }
    EXPECT_EQ(std::accumulate(even.begin(), even.end(), 0), int(kCount) * 2'000);
}

TEST(ThreadPool, DoesEveryPieceOnce)
{
    for (const int threads : {1, 2, 5})
    {
        ThreadPool pool(threads);
        for (const std::size_t pieces : {0, 1, 2, 3, 17, 1000})
        {
            std::vector<int> done(pieces, 0);
            for (int round = 0; round < 20; ++round)
                pool.forEach(pieces, [&](std::size_t piece) { ++done[piece]; });
            EXPECT_TRUE(std::ranges::all_of(done, [](int count) { return count == 20; }));
        }
    }
}

TEST(ThreadPool, NumbersItsThreads)
{
    ThreadPool pool(4);
    const std::thread::id caller = std::this_thread::get_id();
    std::vector<std::atomic<int>> inside(std::size_t(pool.threads()));
    for (int round = 0; round < 500; ++round)
        pool.forEach(40, [&](std::size_t, int thread) {
            EXPECT_EQ(thread == 0, std::this_thread::get_id() == caller);
            EXPECT_EQ(inside[std::size_t(thread)]++, 0) << "two threads of one number";
            --inside[std::size_t(thread)];
        });
}

// Each round waits for every thread; otherwise the test hangs.
TEST(ThreadPool, WakesAllThreads)
{
    for (const int threads : {2, 3, 6})
    {
        test::ShuffledExecutor rendezvous(threads, 1);
        for (int round = 0; round < 300; ++round)
            expectEveryIndexOnce(rendezvous, std::uint32_t(threads));
    }
}

TEST(ThreadPool, RowsAreCoveredOnce)
{
    for (const int rows : {0, 1, 15, 16, 17, 500})
    {
        ThreadPool pool(3);
        std::vector<int> visits(std::size_t(rows), 0);
        forRows(pool, rows, [&](int begin, int end) {
            for (int row = begin; row < end; ++row)
                ++visits[std::size_t(row)];
        });
        EXPECT_TRUE(std::ranges::all_of(visits, [](int count) { return count == 1; })) << rows;
    }
    EXPECT_EQ(threadsForRows(0), 1);
    EXPECT_EQ(threadsForRows(kRowsInBand), 1);
    EXPECT_EQ(threadsForRows(1 << 30), usableThreads());
}

TEST(ThreadPool, AnExceptionReachesTheCallerAndThePoolGoesOn)
{
    for (const int threads : {1, 4})
    {
        ThreadPool pool(threads);
        for (const std::size_t bad : {std::size_t(0), std::size_t(7), std::size_t(99)})
        {
            const auto fail = [&](std::size_t piece) {
                if (piece == bad) throw std::runtime_error("piece");
            };
            EXPECT_THROW(pool.forEach(100, fail), std::runtime_error);
            EXPECT_THROW(pool.forEach(100, [](std::size_t) { throw std::bad_alloc(); }), std::bad_alloc);
            expectEveryIndexOnce(pool, 1000);
        }
    }
}

// ---- threads that cannot be started ----

// Leaves room for the stacks of only a few threads, in a child process.
void limitAddressSpace()
{
    rlimit limit = {};
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = rlim_t(1) << 20;  // less than is already in use: no more is granted
    setrlimit(RLIMIT_AS, &limit);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
constexpr int kMoreThanStacksAreKept = 64;  // glibc keeps some stacks of ended threads

[[noreturn]] void workWithFewer()
{
    limitAddressSpace();
    ThreadPool pool(kMoreThanStacksAreKept);
    std::vector<int> done(1000, 0);
    pool.forEach(done.size(), [&](std::size_t piece) { ++done[piece]; });
    const bool all = std::ranges::all_of(done, [](int count) { return count == 1; });
    std::_Exit(all && pool.threads() >= 1 && pool.threads() < kMoreThanStacksAreKept ? 0 : 1);
}

TEST(ThreadPoolDeathTest, FewerThreadsDoTheWorkWhereNoMoreCanBeStarted)
{
    if (kSanitized) GTEST_SKIP() << "sanitizers need address space themselves";
    EXPECT_EXIT(workWithFewer(), testing::ExitedWithCode(0), "");
}

[[noreturn]] void startWithoutRoom()
{
    limitAddressSpace();
    std::vector<std::jthread> started;
    started.reserve(std::size_t(kMoreThanStacksAreKept));
    const auto waitForStop = [](const std::stop_token& stop) {
        while (!stop.stop_requested())
            std::this_thread::yield();
    };
    for (int i = 0; i < kMoreThanStacksAreKept; ++i)
    {
        Result<std::jthread> thread = startThread("loading", waitForStop);
        if (!thread)
        {
            std::fprintf(stderr, "%s\n", thread.error().message.c_str());
            std::_Exit(int(thread.error().code));
        }
        started.push_back(std::move(*thread));
    }
    std::_Exit(0);
}

TEST(ThreadStartDeathTest, AThreadThatCannotBeStartedIsAnError)
{
    if (kSanitized) GTEST_SKIP() << "sanitizers need address space themselves";
    EXPECT_EXIT(startWithoutRoom(), testing::ExitedWithCode(int(ExitCode::kLimit)),
                "loading: no thread can be started: ");
}

}  // namespace
}  // namespace orogen
