// Delayed plain stores: communication between blocks fails in some schedule without release and acquire, and succeeds
// in all with them.
#include <array>
#include <functional>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "compute/device/kernel.h"
#include "tests/compute/host_schedules.h"
#include "tests/support/weak_memory.h"

namespace orogen::test {
namespace {

using namespace compute;
using namespace compute::onHost;

using Body = std::function<void()>;
const KernelEntry kWeak{"weak", [](const void* body) { (*static_cast<const Body*>(body))(); }, nullptr};

constexpr unsigned kBlocks = 6, kThreads = 40;

// Memory that the blocks share; all plain stores to it are delayed.
struct Shared
{
    alignas(8) std::array<std::uint32_t, kBlocks * kThreads> values{}, found{};
    std::array<std::uint32_t, kBlocks> flags{};
    std::uint32_t tickets = 0, arrived = 0;
};

Shared afterLaunch(const HostSchedule& schedule, bool cooperative, const std::function<void(Shared&)>& body)
{
    Shared shared;
    const Body bound = [&] { body(shared); };
    const MemoryRange memory{&shared, sizeof(shared)};
    const Result<HostLaunch> done =
        launchOnHost(kWeak, {{kBlocks}, {kThreads}, cooperative}, &bound, schedule, {&memory, 1});
    EXPECT_TRUE(done) << done.error().message;
    return shared;
}

// Returns the number of weak schedules in which `isRight` fails.
int wrongSchedules(bool cooperative, const std::function<void(Shared&)>& body,
                   const std::function<bool(const Shared&)>& isRight)
{
    int wrong = 0;
    for (const std::uint64_t seed : {1, 2, 3})
        for (HostSchedule schedule : hostSchedules(seed))
        {
            if (cooperative && schedule.residentBlocks < kBlocks) continue;
            schedule.memory = weakMemory;
            wrong += !isRight(afterLaunch(schedule, cooperative, body));
        }
    return wrong;
}

// Look-back over sums stored beside the flags; each block adds those of the blocks before it.
enum class Flag
{
    kOrdered,
    kRelaxedStore,
    kRelaxedLoad,
};

void lookBackOver(Shared& shared, Flag flag)
{
    OROGEN_SHARED(std::uint32_t, place, 1);
    const unsigned thread = threadIndex().x;
    if (thread == 0) place[0] = fetchAdd(&shared.tickets, 1u);
    syncBlock();
    const unsigned tile = place[0], at = tile * kThreads + thread;
    shared.values[at] = at + 1;
    syncBlock();
    if (thread == 0)
    {
        if (flag == Flag::kRelaxedStore)
            storeRelaxed(&shared.flags[tile], 1);
        else
            storeRelease(&shared.flags[tile], 1);
        for (unsigned before = 0; before < tile; ++before)
            while ((flag == Flag::kRelaxedLoad ? loadRelaxed(&shared.flags[before])
                                               : loadAcquire(&shared.flags[before])) == 0)
                spinPause();
    }
    syncBlock();
    shared.found[at] = std::accumulate(shared.values.begin(), shared.values.begin() + tile * kThreads, 0u);
}

bool sumsAreRight(const Shared& shared)
{
    for (unsigned i = 0; i < shared.found.size(); ++i)
        if (const unsigned before = i / kThreads * kThreads; shared.found[i] != before * (before + 1) / 2) return false;
    return true;
}

TEST(WeakMemory, ALookBackWithReleaseAndAcquireIsRight)
{
    EXPECT_EQ(wrongSchedules(
                  false, [](Shared& shared) { lookBackOver(shared, Flag::kOrdered); }, sumsAreRight),
              0);
}

TEST(WeakMemory, ARelaxedFlagOfALookBackIsCaught)
{
    EXPECT_GE(wrongSchedules(
                  false, [](Shared& shared) { lookBackOver(shared, Flag::kRelaxedStore); }, sumsAreRight),
              9);
}

TEST(WeakMemory, AFlagThatIsReadRelaxedIsCaught)
{
    EXPECT_GE(wrongSchedules(
                  false, [](Shared& shared) { lookBackOver(shared, Flag::kRelaxedLoad); }, sumsAreRight),
              3);
}

// Tests omit each of these fences of a grid barrier, made of an atomic, in turn.
struct Fences
{
    bool before = true, after = true;
};

void meetByHand(Shared& shared, const Fences& fences)
{
    syncBlock();
    if (threadIndex().x == 0)
    {
        if (fences.before) fence();
        const std::uint32_t generation = fetchAdd(&shared.arrived, 1u) / kBlocks;
        while (loadRelaxed(&shared.arrived) / kBlocks == generation)
            spinPause();
        if (fences.after) fence();
    }
    syncBlock();
}

void turnRound(Shared& shared, const std::function<void()>& meet)
{
    const unsigned at = blockIndex().x * kThreads + threadIndex().x;
    for (unsigned round = 1; round <= 3; ++round)
    {
        shared.values[at] = at * round;
        meet();
        shared.found[at] = shared.values[shared.values.size() - 1 - at];
        meet();
    }
}

bool isTurnedRound(const Shared& shared)
{
    for (unsigned i = 0; i < shared.found.size(); ++i)
        if (shared.found[i] != 3 * (shared.found.size() - 1 - i)) return false;
    return true;
}

int wrongBarriers(const Fences& fences)
{
    return wrongSchedules(
        true, [&](Shared& shared) { turnRound(shared, [&] { meetByHand(shared, fences); }); }, isTurnedRound);
}

TEST(WeakMemory, AGridBarrierWithItsFencesIsRight)
{
    EXPECT_EQ(wrongBarriers({}), 0);
    EXPECT_EQ(wrongSchedules(
                  true, [](Shared& shared) { turnRound(shared, [] { syncGrid(); }); }, isTurnedRound),
              0);
}

TEST(WeakMemory, AMissingFenceOfAGridBarrierIsCaught)
{
    EXPECT_GE(wrongBarriers({.before = false, .after = true}), 5);
    EXPECT_GE(wrongBarriers({.before = true, .after = false}), 3);
}

// Without release and acquire, another block may see either word first.
TEST(WeakMemory, StoresAreSeenInAnyOrder)
{
    int late = 0, reordered = 0;
    const auto body = [](Shared& shared) {
        if (threadIndex().x != 0) return;
        if (blockIndex().x == 0)
        {
            shared.values[0] = 1;
            shared.values[kThreads] = 1;
        }
        for (unsigned look = 0; look < 200; ++look)
        {
            fetchAdd(&shared.tickets, 1u);  // gives other blocks a turn
            const std::uint32_t second = shared.values[kThreads], first = shared.values[0];
            if (second && !first) shared.found[blockIndex().x] = 1;
            if (!second && look > 100) shared.found[kThreads + blockIndex().x] = 1;
        }
    };
    for (const std::uint64_t seed : {1, 2, 3, 4, 5})
    {
        const HostSchedule schedule = {ThreadOrder::kRandom, seed, kBlocks, {}, {}, weakMemory};
        const Shared shared = afterLaunch(schedule, false, body);
        reordered += std::accumulate(shared.found.begin(), shared.found.begin() + kBlocks, 0);
        late += std::accumulate(shared.found.begin() + kThreads, shared.found.end(), 0);
    }
    EXPECT_GT(reordered, 0);
    EXPECT_GT(late, 0);
}

// A block sees its own stores at once, atomics lose no update, and neighbouring bytes of several blocks stay separate.
TEST(WeakMemory, EachWordHasOneOrder)
{
    const auto body = [](Shared& shared) {
        const unsigned at = blockIndex().x * kThreads + threadIndex().x;
        auto* const bytes = reinterpret_cast<std::uint8_t*>(shared.values.data());
        bytes[threadIndex().x * kBlocks + blockIndex().x] = std::uint8_t(at);
        fetchAdd(&shared.tickets, 1u);
        if (bytes[threadIndex().x * kBlocks + blockIndex().x] != std::uint8_t(at)) fetchAdd(&shared.arrived, 1u);
        shared.found[at] = 5;
        fetchAdd(&shared.found[at], at);
        if (shared.found[at] != 5 + at) fetchAdd(&shared.arrived, 1u);
        shared.found[at] += 1;
        exchange(&shared.flags[blockIndex().x], at);
    };
    const auto isRight = [](const Shared& shared) {
        const auto* const bytes = reinterpret_cast<const std::uint8_t*>(shared.values.data());
        bool right = shared.tickets == kBlocks * kThreads && shared.arrived == 0;
        for (unsigned i = 0; i < kBlocks * kThreads; ++i)
            right =
                right && shared.found[i] == 6 + i && bytes[i % kThreads * kBlocks + i / kThreads] == std::uint8_t(i);
        return right;
    };
    EXPECT_EQ(wrongSchedules(false, body, isRight), 0);
}

// The last block to finish adds the results of the others: this needs a fence before the ticket and one after it.
TEST(WeakMemory, TheLastBlockNeedsItsFences)
{
    const auto wrong = [](Fences fences) {
        const auto body = [=](Shared& shared) {
            OROGEN_SHARED(std::uint32_t, last, 1);
            const unsigned thread = threadIndex().x;
            const std::uint32_t early = shared.values[thread];  // a cache may keep this value
            shared.values[blockIndex().x * kThreads + thread] = 1 + 0 * early;
            syncBlock();
            if (thread == 0)
            {
                if (fences.before) fence();
                last[0] = fetchAdd(&shared.tickets, 1u) == kBlocks - 1;
                if (fences.after) fence();
            }
            syncBlock();
            if (last[0] && thread == 0)
                shared.found[0] = std::accumulate(shared.values.begin(), shared.values.end(), 0u);
        };
        return wrongSchedules(false, body, [](const Shared& shared) { return shared.found[0] == kBlocks * kThreads; });
    };
    EXPECT_EQ(wrong({}), 0);
    EXPECT_GT(wrong({.before = false, .after = false}), 0);
    EXPECT_GT(wrong({.before = true, .after = false}), 0);
}

}  // namespace
}  // namespace orogen::test
