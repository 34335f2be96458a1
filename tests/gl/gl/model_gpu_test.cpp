// The terrain model's compute shaders, against the CPU.
#include "app/session/terrain_model/model_gpu.h"

#include <atomic>
#include <thread>

#include "tests/gl/support.h"
#include "tests/support/model_agreement.h"
#include "tests/support/places.h"

namespace orogen::app::test {
namespace {

class ModelGpuTest : public GlTest
{
protected:
    std::shared_ptr<ModelGpu> device()
    {
        Result<std::shared_ptr<ModelGpu>> made = ModelGpu::create(OROGEN_ROOT, *context_);
        EXPECT_TRUE(made) << (made ? "" : made.error().message);
        return made ? *made : nullptr;
    }
};

TEST_F(ModelGpuTest, StepsAsTheCpuDoes) { orogen::test::expectEqualSteps(device(), 37); }
TEST_F(ModelGpuTest, CreepsAsTheCpuDoes) { orogen::test::expectEqualCreep(device(), 29); }
TEST_F(ModelGpuTest, GrowsTheLandscapeOfTheCpu) { orogen::test::expectEqualLandscapes(device(), 32, 100); }

TEST_F(ModelGpuTest, ServesAnotherThreadAndEndsItsStepWhenClosed)
{
    const auto queue = std::make_shared<ModelGpuQueue>(device());
    orogen::test::ModelPair pair(orogen::test::modelNoise(60, 50, 400, 2), 60, 50, queue);
    const compute::ModelRates rates{.creep = 0.1, .incision = 2e-5, .uplift = 1e-3, .repose = 40};
    std::atomic<int> done = 0;
    std::jthread steps([&] {
        pair.step(rates, 1000);
        done = 1;
        ThreadPool pool(1);
        Result<compute::ModelStep> step = pair.device.step(rates, 1000, pool);
        while (step)
            step = pair.device.step(rates, 1000, pool);
        EXPECT_EQ(step.error().code, ExitCode::kInterrupted);
        done = 2;
    });
    while (done == 0)
        queue->serve(1);
    queue->serve(1);
    queue->close();
    steps.join();
    EXPECT_EQ(done, 2);
}

using ModelGpuLong = ModelGpuTest;
TEST_F(ModelGpuLong, GrowsTheLandscapeOfTheCpu) { orogen::test::expectEqualLandscapes(device(), 48, 1000); }

// More groups than fit one row of a dispatch.
TEST_F(ModelGpuLong, TakesLargeTerrains)
{
    orogen::test::ModelPair pair(orogen::test::modelNoise(1500, 1500, 50, 1), 1500, 1500, device());
    pair.step({.incision = 2e-5, .uplift = 1e-3, .repose = 40}, 1000);
    EXPECT_LE(pair.largestDifference(), 1e-9);
}

}  // namespace
}  // namespace orogen::app::test
