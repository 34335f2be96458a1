// A launch that is stopped or fails ends its threads in place and destroys the objects on their stacks.
#include <functional>
#include <stop_token>
#include <vector>

#include <gtest/gtest.h>

#include "compute/device/kernel.h"
#include "tests/compute/host_schedules.h"

namespace orogen::test {
namespace {

using namespace compute;
using namespace compute::onHost;

using Body = std::function<void()>;
const KernelEntry kStopped{"stopped", [](const void* body) { (*static_cast<const Body*>(body))(); }, nullptr};

// Object on a thread's stack, with memory that a leak checker reports if it is not freed.
class Kept
{
public:
    explicit Kept(int& alive) : alive_(alive), memory_(100, 1) { ++alive_; }
    Kept(const Kept&) = delete;
    Kept& operator=(const Kept&) = delete;
    ~Kept() { alive_ -= memory_[99]; }

private:
    int& alive_;
    std::vector<int> memory_;
};

// Runs `body` in every schedule. It must end with `code` and leave nothing behind, and the next launch must succeed.
void expectNothingLeft(ExitCode code, const LaunchShape& shape, const std::function<void(std::stop_source&)>& body)
{
    for (HostSchedule schedule : hostSchedules())
    {
        if (shape.cooperative && schedule.residentBlocks < shape.grid.count()) continue;
        SCOPED_TRACE(textOf(schedule));
        std::stop_source source;
        schedule.stop = source.get_token();
        int alive = 0, begun = 0;
        const Body kept = [&] {
            ++begun;
            const Kept one(alive);
            body(source);
            const Kept another(alive);
            spinPause();
        };
        const Result<HostLaunch> done = launchOnHost(kStopped, shape, &kept, schedule);
        ASSERT_FALSE(done);
        EXPECT_EQ(done.error().code, code) << done.error().message;
        EXPECT_GT(begun, 0);
        EXPECT_EQ(alive, 0);
        const Body sound = [] { syncBlock(); };
        EXPECT_TRUE(launchOnHost(kStopped, {{2}, {64}}, &sound));
    }
}

TEST(HostExecutorStops, EndThreadsThatWaitAtABarrier)
{
    expectNothingLeft(ExitCode::kInterrupted, {{4}, {64}}, [](std::stop_source& source) {
        for (int round = 0; round < 20; ++round)
        {
            if (round == 3) source.request_stop();
            syncBlock();
        }
    });
}

TEST(HostExecutorStops, EndThreadsThatWaitAtAGridBarrier)
{
    expectNothingLeft(ExitCode::kInterrupted, {{3}, {40}, true}, [](std::stop_source& source) {
        for (int round = 0; round < 20; ++round)
        {
            if (round == 3) source.request_stop();
            syncGrid();
        }
    });
}

TEST(HostExecutorStops, EndLanesThatWaitForTheirWarp)
{
    expectNothingLeft(ExitCode::kInterrupted, {{4}, {64}}, [](std::stop_source& source) {
        for (int round = 0; round < 20; ++round)
        {
            if (round == 3) source.request_stop();
            ballot(kAllLanes, shuffle(kAllLanes, round, 3) == 3);
        }
    });
}

TEST(HostExecutorStops, EndThreadsThatSpin)
{
    std::uint32_t tickets = 0;
    expectNothingLeft(ExitCode::kInterrupted, {{4}, {64}}, [&](std::stop_source& source) {
        for (;;)
        {
            if (fetchAdd(&tickets, 1u) % 500 == 499) source.request_stop();
            spinPause();
        }
    });
}

TEST(HostExecutorStops, AnErrorEndsTheOthersToo)
{
    expectNothingLeft(ExitCode::kDevice, {{3}, {64}}, [](std::stop_source&) {
        if (laneIndex() == 9) ballot(1, true);
        syncBlock();
    });
}

TEST(HostExecutorStops, ADeadlockEndsItsThreads)
{
    expectNothingLeft(ExitCode::kDevice, {{3}, {32}}, [](std::stop_source&) {
        if (laneIndex() < 16)
            syncBlock();
        else
            syncWarp();
    });
}

// A destructor that would wait for other threads continues alone.
TEST(HostExecutorStops, NobodyIsMetOnTheWayOut)
{
    struct Votes
    {
        ~Votes()
        {
            syncWarp();
            syncBlock();
            spinPause();
        }
    };
    std::uint32_t rounds = 0;
    expectNothingLeft(ExitCode::kDevice, {{2}, {32}}, [&](std::stop_source&) {
        const Votes votes;
        if (fetchAdd(&rounds, 1u) % 32 == 31) ballot(laneIndex() == 0 ? 2u : 1u, true);
        syncWarp();
    });
}

}  // namespace
}  // namespace orogen::test
