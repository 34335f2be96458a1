// The host executor reports kernel errors in every schedule. Each test provokes one report.
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "compute/device/kernel.h"
#include "compute/device/kernel_target.h"
#include "tests/compute/host_schedules.h"

namespace orogen::test {
namespace {

using namespace compute;
using namespace compute::onHost;

using Body = std::function<void()>;
const KernelEntry kBody{"planted", [](const void* body) { (*static_cast<const Body*>(body))(); }, nullptr};

// Expects the launch to fail with `expected` in every schedule, and the next launch to succeed.
void expectReport(const std::string& expected, const LaunchShape& shape, const Body& body)
{
    for (const HostSchedule& schedule : hostSchedules())
    {
        SCOPED_TRACE(textOf(schedule));
        const Result<HostLaunch> done = launchOnHost(kBody, shape, &body, schedule);
        ASSERT_FALSE(done) << "not reported: " << expected;
        EXPECT_EQ(done.error().code, ExitCode::kDevice);
        EXPECT_NE(done.error().message.find(expected), std::string::npos) << done.error().message;
        EXPECT_EQ(done.error().message.rfind("kernel planted: ", 0), 0u) << done.error().message;
        const Body sound = [] { syncBlock(); };
        EXPECT_TRUE(launchOnHost(kBody, {{2}, {64}}, &sound, schedule));
    }
}

TEST(HostExecutorReports, Deadlock)
{
    expectReport("deadlock: 32 threads wait and none can go on; block (0, 0, 0) thread (0, 0, 0) waits for",
                 {{1}, {32}}, [] {
                     if (laneIndex() < 16)
                         syncBlock();
                     else
                         syncWarp();
                 });
}

TEST(HostExecutorReports, BlockThatWaitsForOneThatCannotStart)
{
    std::uint32_t arrived = 0;
    const Body body = [&] {
        fetchAdd(&arrived, 1u);
        while (loadAcquire(&arrived) < 4)
            spinPause();
    };
    for (const HostSchedule& schedule : hostSchedules())
    {
        arrived = 0;
        const Result<HostLaunch> done = launchOnHost(kBody, {{4}, {1}}, &body, schedule);
        EXPECT_EQ(bool(done), schedule.residentBlocks >= 4) << textOf(schedule);
        if (!done)
        {
            EXPECT_NE(done.error().message.find("no thread makes progress"), std::string::npos);
        }
    }
}

TEST(HostExecutorReports, ThreadsAtDifferentBarriers)
{
    expectReport("others of its block wait at that of executor_reports_test.cpp", {{1}, {64}}, [] {
        if (threadIndex().x % 2 == 0)
            syncBlock();
        else
            syncBlock();
    });
}

TEST(HostExecutorReports, ThreadThatLeavesBeforeABarrier)
{
    expectReport("the barrier of executor_reports_test.cpp", {{2}, {64}}, [] {
        if (threadIndex().x == 63) return;
        syncBlock();
    });
    expectReport("the barrier of executor_reports_test.cpp", {{2}, {64}}, [] {
        if (threadIndex().x == 0) return;
        syncBlock();
    });
}

// In the forward schedule, thread 0 leaves before the others arrive, and thread 63 after.
TEST(HostExecutorReports, LeavingEarlyAndLeavingLateAreToldApart)
{
    const auto reportOf = [](unsigned leaving) {
        const Body body = [=] {
            if (threadIndex().x != leaving) syncBlock();
        };
        const Result<HostLaunch> done = launchOnHost(kBody, {{1}, {64}}, &body);
        return done ? std::string() : done.error().message;
    };
    EXPECT_NE(reportOf(0).find("1 threads of its block have left already"), std::string::npos) << reportOf(0);
    EXPECT_NE(reportOf(63).find("leaves while 63 threads wait"), std::string::npos) << reportOf(63);
}

TEST(HostExecutorReports, GridBarriers)
{
    expectReport("the grid barrier of executor_reports_test.cpp", {{1}, {40}, true}, [] {
        if (threadIndex().x != 7) syncGrid();
    });
    expectReport("and others wait at that of", {{1}, {40}, true}, [] {
        if (threadIndex().x == 7)
            syncGrid();
        else
            syncGrid();
    });
    expectReport("in a launch that is not cooperative", {{1}, {40}}, [] { syncGrid(); });
}

TEST(HostExecutorReports, CooperativeLaunchOfMoreBlocksThanAreResident)
{
    const Body body = [] {};
    const HostSchedule three = {ThreadOrder::kForward, 1, 3, {}};
    EXPECT_TRUE(launchOnHost(kBody, {{3}, {32}, true}, &body, three));
    const Result<HostLaunch> done = launchOnHost(kBody, {{4}, {32}, true}, &body, three);
    ASSERT_FALSE(done);
    EXPECT_NE(done.error().message.find("a cooperative launch of 4 blocks, but only 3"), std::string::npos);
}

TEST(HostExecutorReports, MaskThatLeavesOutItsOwnLane)
{
    expectReport("which its own mask 0x0000ffff leaves out", {{1}, {32}}, [] { ballot(0xffffu, true); });
}

TEST(HostExecutorReports, MaskWithLanesThatAreNotThere)
{
    expectReport("gives the mask 0xffffffff, and only 0x000000ff of its warp are there", {{1}, {40}}, [] {
        if (threadIndex().x >= 32) syncWarp();
    });
}

TEST(HostExecutorReports, MaskWithALaneThatLeft)
{
    for (const unsigned leaving : {0u, 31u})
        expectReport("of its warp", {{1}, {32}}, [=] {
            if (laneIndex() != leaving) ballot(kAllLanes, true);
        });
}

TEST(HostExecutorReports, MasksThatDiffer)
{
    expectReport("of its warp wait with", {{1}, {32}},
                 [] { ballot(laneIndex() == 9 ? 0x0000ffffu : kAllLanes, true); });
}

TEST(HostExecutorReports, DifferentOperationsOfOneMask)
{
    expectReport("and others of its mask wait in", {{1}, {32}}, [] {
        if (laneIndex() == 9)
            ballot(kAllLanes, true);
        else
            syncWarp();
    });
}

TEST(HostExecutorReports, ShuffleFromALaneOutsideTheMask)
{
    expectReport("shuffles from lane 20, which the mask 0x000000ff leaves out", {{1}, {8}},
                 [] { shuffle(0xffu, laneIndex(), 20); });
}

TEST(HostExecutorReports, WriteBehindSharedMemory)
{
    expectReport("a write behind its shared memory of 128 bytes", {{3}, {33}}, [] {
        OROGEN_SHARED(std::uint32_t, words, 32);
        words[threadIndex().x] = 1;
    });
}

TEST(HostExecutorReports, SpinningForEver)
{
    std::uint32_t never = 0;
    expectReport("spins, and no thread makes progress", {{2}, {32}}, [&] {
        while (loadAcquire(&never) == 0)
            spinPause();
    });
}

TEST(HostExecutorReports, LaunchThatNoGpuTakes)
{
    for (const LaunchShape& shape : {LaunchShape{{1}, {1025}}, {{1}, {32, 33}}, {{0}, {32}}, {{1}, {0}}})
    {
        const Body body = [] {};
        EXPECT_FALSE(launchOnHost(kBody, shape, &body));
    }
}

// Omits one barrier, the defect that kernel tests plant.
TEST(HostExecutorReports, SkippedBarrierIsMissed)
{
    std::uint32_t found = 0;
    const Body body = [&] {
        OROGEN_SHARED(std::uint32_t, value, 1);
        if (threadIndex().x == 32) value[0] = 5;
        syncBlock();
        if (threadIndex().x == 0) found = value[0];
    };
    const Result<HostLaunch> sound = launchOnHost(kBody, {{1}, {64}}, &body);
    ASSERT_TRUE(sound);
    EXPECT_EQ(found, 5u);
    HostSchedule without;
    without.skipped = sound->barriers.at(0);
    ASSERT_TRUE(launchOnHost(kBody, {{1}, {64}}, &body, without));
    EXPECT_EQ(found, 0xa5a5a5a5u);
}

struct WriteArguments
{
    char* memory;
    std::size_t bytes;
};

TEST(HostExecutorReports, WriteBehindMemory)
{
    const Kernel<WriteArguments> write{{"write",
                                        [](const void* given) {
                                            const auto& arguments = *static_cast<const WriteArguments*>(given);
                                            for (std::size_t i = 0; i < arguments.bytes; ++i)
                                                arguments.memory[i] = 1;
                                        },
                                        nullptr}};
    for (const std::size_t excess : {0, 1, 100})
    {
        const std::unique_ptr<KernelTarget> target = makeHostTarget({});
        Result<TargetMemory> memory = target->allocate(1000);
        ASSERT_TRUE(memory);
        ASSERT_TRUE(target->launch(write, {{1}, {1}}, {memory->as<char>(), 1000 + excess}));
        const Status finished = target->finish();
        EXPECT_EQ(bool(finished), excess == 0);
        if (excess > 0)
        {
            EXPECT_NE(finished.error().message.find("behind its memory of 1000 bytes"), std::string::npos);
        }
    }
}

}  // namespace
}  // namespace orogen::test
