// The terrain model's kernels on the host executor, against the CPU.
#include <gtest/gtest.h>

#include "compute/device/kernel_target.h"
#include "tests/compute/host_schedules.h"
#include "tests/support/model_agreement.h"

namespace orogen::test {
namespace {

using namespace compute;

std::shared_ptr<ModelDevice> hostDevice(const HostSchedule& schedule = {})
{
    return makeKernelDevice(makeHostTarget(schedule));
}

TEST(ModelKernels, StepAsTheCpuInEverySchedule)
{
    for (const HostSchedule& schedule : hostSchedules())
    {
        SCOPED_TRACE(textOf(schedule));
        expectEqualSteps(hostDevice(schedule), 37);
    }
}

TEST(ModelKernels, CreepAsTheCpuDoes) { expectEqualCreep(hostDevice(), 29); }

// A residual relative to the right side does not bound the volume, which a long step of creep keeps all the same.
TEST(ModelKernels, CreepOfAnyLengthKeepsTheVolume)
{
    ModelPair pair(modelNoise(13, 9, 100, 4), 13, 9, hostDevice());
    const auto [cpu, device] = pair.step({.creep = 1e6}, 1e8);
    EXPECT_LE(cpu.balance.imbalance(), 1e-6);
    EXPECT_LE(device.balance.imbalance(), 1e-6);
    EXPECT_LE(pair.largestDifference(), 1e-4);
}

TEST(ModelKernels, GrowTheLandscapeOfTheCpu) { expectEqualLandscapes(hostDevice(), 32, 100); }

TEST(ModelKernelsLong, GrowTheLandscapeOfTheCpu) { expectEqualLandscapes(hostDevice(), 48, 1000); }

// Equal bits in every schedule: sums have a fixed order, and passes do not read what others write.
TEST(ModelKernels, HaveEqualBitsInEverySchedule)
{
    const std::vector<float> heights = modelNoise(40, 33, 400, 3);
    std::vector<std::vector<float>> found;
    for (const HostSchedule& schedule : hostSchedules())
    {
        Result<TerrainModel> model = TerrainModel::create(heights, 40, 33, 30, 30);
        ASSERT_TRUE(model);
        model->setDevice(hostDevice(schedule));
        ThreadPool pool(1);
        for (int i = 0; i < 3; ++i)
            ASSERT_TRUE(model->step({.creep = 1, .incision = 2e-5, .uplift = 1e-3, .repose = 40}, 500, pool));
        std::vector<float> bits(model->heights().begin(), model->heights().end());
        bits.insert(bits.end(), model->remainders().begin(), model->remainders().end());
        std::erase_if(bits, [](float value) { return value != value; });
        found.push_back(std::move(bits));
        EXPECT_EQ(found.front(), found.back()) << textOf(schedule);
    }
}

TEST(ModelKernels, LeaveTheHeightsAfterAStop)
{
    const std::vector<float> heights = modelNoise(20, 20, 400, 3, 1u << 30);
    Result<TerrainModel> model = TerrainModel::create(heights, 20, 20, 30, 30);
    ASSERT_TRUE(model);
    model->setDevice(hostDevice());
    ThreadPool pool(1);
    std::stop_source stop;
    stop.request_stop();
    const Result<ModelStep> step = model->step({.creep = 1, .uplift = 1e-3}, 500, pool, stop.get_token());
    ASSERT_FALSE(step);
    EXPECT_EQ(step.error().code, ExitCode::kInterrupted);
    EXPECT_TRUE(std::ranges::equal(model->heights(), heights));
}

}  // namespace
}  // namespace orogen::test
