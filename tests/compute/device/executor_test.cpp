// The host executor runs kernels in the orders that a GPU may use.
#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <set>
#include <thread>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

#include "compute/device/fiber.h"
#include "compute/device/kernel.h"
#include "tests/compute/host_schedules.h"

namespace orogen::test {
namespace {

using namespace compute;
using namespace compute::onHost;

// A kernel, as a function with captured data.
using Body = std::function<void()>;
const KernelEntry kBody{"body", [](const void* body) { (*static_cast<const Body*>(body))(); }, nullptr};

Result<HostLaunch> launch(const LaunchShape& shape, const HostSchedule& schedule, const Body& body)
{
    return launchOnHost(kBody, shape, &body, schedule);
}

void inEverySchedule(const LaunchShape& shape, const Body& body, const std::function<void()>& check)
{
    for (const HostSchedule& schedule : hostSchedules())
    {
        if (shape.cooperative && schedule.residentBlocks < shape.grid.count()) continue;
        SCOPED_TRACE(textOf(schedule));
        const Result<HostLaunch> done = launch(shape, schedule, body);
        ASSERT_TRUE(done) << done.error().message;
        check();
    }
}

unsigned linear(const Dim3& at, const Dim3& extent) { return at.x + extent.x * (at.y + extent.y * at.z); }

TEST(HostExecutor, RunsEveryThreadOnce)
{
    const LaunchShape shape = {{3, 2, 4}, {5, 7, 2}};
    std::vector<int> runs(shape.grid.count() * shape.block.count());
    const Body body = [&] {
        EXPECT_EQ(gridSize(), shape.grid);
        EXPECT_EQ(blockSize(), shape.block);
        const unsigned thread = linear(threadIndex(), blockSize());
        EXPECT_EQ(laneIndex(), thread % kWarpLanes);
        ++runs[linear(blockIndex(), gridSize()) * shape.block.count() + thread];
    };
    int times = 0;
    inEverySchedule(shape, body, [&] {
        ++times;
        EXPECT_TRUE(std::ranges::all_of(runs, [&](int count) { return count == times; }));
    });
}

TEST(HostExecutor, CountsWhatItRan)
{
    const Result<HostLaunch> done = launch({{4}, {64}}, {}, [] { syncBlock(); });
    ASSERT_TRUE(done);
    EXPECT_EQ(done->counts.blocks, 4u);
    EXPECT_EQ(done->counts.threads, 256u);
    EXPECT_GE(done->counts.switches, 256u + 4 * 63);  // every thread starts, and all but the last wait
    ASSERT_EQ(done->barriers.size(), 1u);
    EXPECT_STREQ(done->barriers[0].file, __FILE__);
}

TEST(HostExecutor, BarrierSeparatesWritesFromReads)
{
    constexpr unsigned kThreads = 96;
    std::vector<unsigned> found(4 * kThreads);
    const Body body = [&] {
        OROGEN_SHARED(unsigned, values, kThreads);
        for (unsigned round = 0; round < 3; ++round)
        {
            values[threadIndex().x] = threadIndex().x + round;
            syncBlock();
            found[blockIndex().x * kThreads + threadIndex().x] = values[kThreads - 1 - threadIndex().x];
            syncBlock();
        }
    };
    inEverySchedule({{4}, {kThreads}}, body, [&] {
        for (unsigned i = 0; i < found.size(); ++i)
            EXPECT_EQ(found[i], kThreads - 1 - i % kThreads + 2);
        std::ranges::fill(found, 0);
    });
}

TEST(HostExecutor, SharedMemoryIsPoisonedAndTheBlocksOwn)
{
    int poisoned = 0;
    const Body body = [&] {
        OROGEN_SHARED(std::uint32_t, words, 3);
        for (unsigned i = 0; i < 3; ++i)
            poisoned += words[i] == 0xa5a5a5a5;
        words[1] = 7;
    };
    inEverySchedule({{5}, {1}}, body, [&] {
        EXPECT_EQ(poisoned, 15);
        poisoned = 0;
    });
}

TEST(HostExecutor, VotesAndShufflesAreThoseOfTheWarp)
{
    int wrong = 0;
    const Body body = [&] {
        const unsigned lane = laneIndex(), warp = threadIndex().x / kWarpLanes;
        const std::uint32_t multiples = 0x49249249;  // multiples of 3
        wrong += ballot(kAllLanes, lane % 3 == 0) != multiples;
        wrong += anyLane(kAllLanes, lane == warp) != true || anyLane(kAllLanes, false) != false;
        wrong += allLanes(kAllLanes, lane < 32) != true || allLanes(kAllLanes, lane != 9) != false;
        wrong += shuffle(kAllLanes, 100 * warp + lane, 5) != 100 * warp + 5;
        wrong += shuffleUp(kAllLanes, lane, 3) != (lane < 3 ? lane : lane - 3);
        wrong += shuffleDown(kAllLanes, double(lane), 3) != (lane < 29 ? lane + 3 : lane);
        wrong += shuffleXor(kAllLanes, std::uint64_t(lane) << 40, 21) != std::uint64_t(lane ^ 21) << 40;
        syncWarp();
    };
    inEverySchedule({{2}, {96}}, body, [&] { EXPECT_EQ(wrong, 0); });
}

TEST(HostExecutor, HalvesOfAWarpVoteApart)
{
    int wrong = 0;
    const Body body = [&] {
        const bool upper = laneIndex() >= 16;
        const std::uint32_t half = upper ? 0xffff0000u : 0x0000ffffu;
        for (int round = 0; round < (upper ? 3 : 5); ++round)
            wrong += ballot(half, laneIndex() % 2 == unsigned(upper)) != (half & (upper ? 0xaaaaaaaau : 0x55555555u));
        syncWarp();
    };
    inEverySchedule({{1}, {32}}, body, [&] { EXPECT_EQ(wrong, 0); });
}

TEST(HostExecutor, AtomicsLoseNothing)
{
    std::uint32_t sum = 0, bits = 0, largest = 0;
    std::uint64_t wide = 0;
    double real = 0;
    const Body body = [&] {
        const unsigned i = blockIndex().x * 64 + threadIndex().x;
        fetchAdd(&sum, i);
        fetchAdd(&wide, std::uint64_t(i) << 32);
        fetchAdd(&real, 0.5);
        fetchOr(&bits, 1u << i % 32);
        fetchMax(&largest, i);
    };
    inEverySchedule({{7}, {64}}, body, [&] {
        EXPECT_EQ(sum, 448u * 447 / 2);
        EXPECT_EQ(wide, std::uint64_t(sum) << 32);
        EXPECT_EQ(real, 224);
        EXPECT_EQ(bits, ~0u);
        EXPECT_EQ(largest, 447u);
        sum = bits = largest = 0, wide = 0, real = 0;
    });
}

// Threads of several blocks spin on a lock; its critical section is never entered twice.
TEST(HostExecutor, SpinningThreadsGetTheirTurn)
{
    std::uint32_t lock = 0;
    int inside = 0, entered = 0;
    const Body body = [&] {
        while (compareExchange(&lock, 0u, 1u) != 0)
            spinPause();
        EXPECT_EQ(inside++, 0);
        spinPause();
        ++entered, --inside;
        EXPECT_EQ(exchange(&lock, 0u), 1u);
    };
    inEverySchedule({{3}, {8}}, body, [&] {
        EXPECT_EQ(entered, 24);
        entered = 0;
    });
}

TEST(HostExecutor, GridBarrierSeparatesBlocks)
{
    constexpr unsigned kBlocks = 5, kThreads = 40;
    std::array<unsigned, kBlocks * kThreads> values{}, found{};
    const Body body = [&] {
        const unsigned i = blockIndex().x * kThreads + threadIndex().x;
        for (unsigned round = 0; round < 2; ++round)
        {
            values[i] = i + round;
            syncGrid();
            found[i] = values[values.size() - 1 - i];
            syncGrid();
        }
    };
    inEverySchedule({{kBlocks}, {kThreads}, true}, body, [&] {
        for (unsigned i = 0; i < found.size(); ++i)
            EXPECT_EQ(found[i], found.size() - i);
        found = {};
    });
}

// Blocks pass on a token, from the first that starts to the last. With tickets as order this ends in every schedule;
// with block numbers it must hang in some.
struct Relay
{
    std::uint32_t tickets = 0;
    std::array<std::uint32_t, 20> done{};

    void pass(bool byTicket)
    {
        const std::uint32_t place = byTicket ? fetchAdd(&tickets, 1u) : blockIndex().x;
        while (place > 0 && loadAcquire(&done[place - 1]) == 0)
            spinPause();
        storeRelease(&done[place], 1);
    }
};

TEST(HostExecutor, WaitingByTicketEndsInEverySchedule)
{
    Relay relay;
    inEverySchedule(
        {{20}, {1}}, [&] { relay.pass(true); },
        [&] {
            EXPECT_EQ(relay.tickets, 20u);
            relay = {};
        });
}

TEST(HostExecutor, WaitingByBlockNumberIsReported)
{
    int reported = 0;
    for (const HostSchedule& schedule : hostSchedules())
    {
        Relay relay;
        const Result<HostLaunch> done = launch({{20}, {1}}, schedule, [&] { relay.pass(false); });
        if (done) continue;
        ++reported;
        EXPECT_NE(done.error().message.find("no thread makes progress"), std::string::npos) << done.error().message;
    }
    EXPECT_GE(reported, 3);  // in reverse and in random order, unless all blocks are resident
}

TEST(HostExecutor, OrdersDiffer)
{
    const auto orderOf = [](ThreadOrder order, std::uint64_t seed) {
        std::vector<unsigned> met;
        const Body body = [&] { met.push_back(blockIndex().x * 8 + threadIndex().x); };
        EXPECT_TRUE(launch({{4}, {8}}, {order, seed, 2, {}}, body));
        return met;
    };
    const std::vector<unsigned> forward = orderOf(ThreadOrder::kForward, 1);
    std::vector<unsigned> backward = orderOf(ThreadOrder::kReverse, 1);
    const std::vector<unsigned> random = orderOf(ThreadOrder::kRandom, 1);
    EXPECT_TRUE(std::ranges::is_sorted(forward));
    EXPECT_NE(random, forward);
    EXPECT_EQ(random, orderOf(ThreadOrder::kRandom, 1));
    EXPECT_NE(random, orderOf(ThreadOrder::kRandom, 2));
    EXPECT_EQ(backward.front(), 31u);
}

TEST(HostExecutor, KeepsToItsLimitOfResidentBlocks)
{
    for (const HostSchedule& schedule : hostSchedules())
    {
        std::set<unsigned> resident;
        std::size_t most = 0;
        const Body body = [&] {
            resident.insert(blockIndex().x);
            most = std::max(most, resident.size());
            spinPause();
            spinPause();
            hostProgress();
            if (threadIndex().x == 0) resident.erase(blockIndex().x);
        };
        ASSERT_TRUE(launch({{6}, {1}}, schedule, body));
        EXPECT_LE(most, schedule.residentBlocks);
        if (schedule.order != ThreadOrder::kRandom)
        {
            EXPECT_EQ(most, std::min(schedule.residentBlocks, 6u));
        }
    }
}

TEST(HostExecutor, LaunchesOnSeveralThreadsAreIndependent)
{
    std::array<std::uint32_t, 4> sums{};
    std::vector<std::thread> threads;
    for (std::uint32_t& sum : sums)
        threads.emplace_back([&] {
            for (int round = 0; round < 20; ++round)
            {
                const Body body = [&] {
                    syncBlock();
                    fetchAdd(&sum, ballot(kAllLanes, true) & 1u);
                };
                EXPECT_TRUE(launch({{3}, {64}}, {}, body));
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    for (const std::uint32_t sum : sums)
        EXPECT_EQ(sum, 20u * 3 * 64);
}

// AddressSanitizer's state of an abandoned stack must not apply to the next owner of the addresses.
TEST(HostExecutorStacks, AreOrdinaryMemoryAfterwards)
{
#if defined(__SANITIZE_ADDRESS__)
    StackPool pool;
    ASSERT_TRUE(pool.reserve(2));
    char* const stacks = pool.stack(0);
    ASAN_POISON_MEMORY_REGION(stacks + StackPool::kStackBytes - 64, 128);
    ASSERT_TRUE(pool.reserve(3));  // replaces the first two
    EXPECT_EQ(__asan_region_is_poisoned(stacks, 2 * StackPool::kStackBytes), nullptr);
#else
    GTEST_SKIP() << "built without AddressSanitizer";
#endif
}

}  // namespace
}  // namespace orogen::test
