// The terrain model's compute shaders, against the CPU.
#include "app/session/terrain_model/model_gpu.h"

#include <atomic>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "app/viewer.h"
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

TEST_F(ModelGpuTest, StepsAgainAfterARefusedAllocation)
{
    const auto queue = std::make_shared<ModelGpuQueue>(device());
    Result<compute::TerrainModel> model =
        compute::TerrainModel::create(orogen::test::modelNoise(20, 18, 400, 3), 20, 18, 30, 20);
    ASSERT_TRUE(model);
    model->setDevice(queue);
    allocationFaults() = {.count = 0, .failAt = 3};
    std::atomic<bool> done = false;
    std::jthread steps([&] {
        ThreadPool pool(1);
        const compute::ModelRates rates{.creep = 0.1, .incision = 2e-5, .uplift = 1e-3, .repose = 40};
        const Result<compute::ModelStep> refused = model->step(rates, 1000, pool);
        EXPECT_TRUE(!refused && refused.error().code == ExitCode::kLimit);
        const Result<compute::ModelStep> again = model->step(rates, 1000, pool);
        EXPECT_TRUE(again) << (again ? "" : again.error().message);
        done = true;
    });
    while (!done)
        queue->serve(1);
    steps.join();
    allocationFaults() = {};
}

// Returns the number of buffers after steps in that many windows, one after another.  Queries and fences do not count:
// their number depends on how many frames are in flight.
int buffersAfterWindows(int windows)
{
    const TemporaryFolder folder;
    std::string script = "set model.backend opengl\nset model.incision 2e-5\nset model.creep 0.01\nwait settled\n";
    for (int i = 0; i < windows; ++i)
        script += fmt::format("model window {} 0 8000\nmodel run 1\nwait settled\nexpect model.years > 0\n", 500 * i);
    SessionOptions options;
    options.dem = "synthetic:257:4";
    options.headless = true;
    options.width = options.height = 64;
    options.script = folder.write("s.txt", script);
    options.assignments = {"cbt.depth=10", "lod.split_pixels=40", "terrain.tiles=always"};
    Result<std::unique_ptr<Viewer>> viewer = Viewer::create(options);
    EXPECT_TRUE(viewer) << (viewer ? "" : viewer.error().message);
    if (!viewer) return 0;
    const Status status = (*viewer)->run();
    EXPECT_TRUE(status) << (status ? "" : status.error().message);
    constexpr GLuint kMostNames = 10'000;
    int buffers = 0;
    for (GLuint name = 1; name < kMostNames; ++name)
        buffers += glIsBuffer(name) == GL_TRUE;
    EXPECT_FALSE(glIsBuffer(kMostNames)) << "names above it are not counted";
    return buffers;
}

TEST(ModelGpuWindows, KeepTheArraysOfTheLastOneOnly)
{
    const int one = buffersAfterWindows(1);
    EXPECT_GT(one, 20);
    EXPECT_EQ(buffersAfterWindows(3), one);
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
