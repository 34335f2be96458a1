// The renderer's decisions: when rounds run, when they stop, and what changes the tree.
#include <algorithm>

#include "core/leb/leb.h"
#include "tests/gl/renderer_support.h"

namespace orogen::app::test {
namespace {

class RendererRounds : public RendererTest
{
};

TEST_F(RendererRounds, RestWhileNothingMoves)
{
    const TestTerrain terrain = squareHills();
    ASSERT_NO_FATAL_FAILURE(start(terrain, smallSettings()));
    const Camera camera = flight(terrain, 0.1);
    ASSERT_NO_FATAL_FAILURE(settle(camera));
    const std::vector<std::uint32_t> heap = tree().readHeap();
    const Image picture = this->picture();
    frame(camera);
    for (int i = 0; i < 5; ++i)
    {
        const FrameRecord& stats = frame(camera);
        EXPECT_TRUE(stats.settled);
        EXPECT_EQ(stats.work.frame, frame_ - 1);
        EXPECT_EQ(stats.work.splits, 0u);
        EXPECT_EQ(stats.work.merges, 0u);
        EXPECT_GT(stats.work.visible, 0u);
        for (const GpuPass pass : {GpuPass::kUpdate, GpuPass::kReduce, GpuPass::kDecode})
            EXPECT_FALSE(ran(pass)) << kGpuPassNames[std::size_t(pass)];
        EXPECT_TRUE(ran(GpuPass::kDraw));
    }
    EXPECT_EQ(tree().readHeap(), heap);
    EXPECT_EQ(this->picture().rgb, picture.rgb);
}

TEST_F(RendererRounds, RunAgainAfterAnyChangeThatMatters)
{
    const TestTerrain terrain = squareHills();
    ASSERT_NO_FATAL_FAILURE(start(terrain, smallSettings(), 96, 80));
    Camera camera = flight(terrain, 0.1);
    ASSERT_NO_FATAL_FAILURE(settle(camera));
    const auto expectRounds = [&](const char* what) {
        SCOPED_TRACE(what);
        frame(camera);
        EXPECT_TRUE(ran(GpuPass::kUpdate));
        ASSERT_NO_FATAL_FAILURE(settle(camera));
        frame(camera);
        EXPECT_FALSE(ran(GpuPass::kUpdate));
    };
    camera.position.x += 1.0;
    expectRounds("position");
    camera.fov = 50.0;
    expectRounds("field of view");
    Settings settings = smallSettings();
    const auto change = [&](const char* what, const auto& edit) {
        edit();
        ASSERT_NO_FATAL_FAILURE(set(settings));
        expectRounds(what);
    };
    change("split", [&] { settings.lod.splitPixels = 12.0f; });
    change("merge", [&] { settings.lod.mergePixels = 4.0f; });
    change("criterion", [&] { settings.lod.criterion = LodCriterion::kError; });
    change("error", [&] { settings.lod.errorPixels = 2.0f; });
    change("depth", [&] { settings.cbt.depth = 14; });
    change("capacity", [&] { settings.cbt.leafCapacity = 8'000; });
    change("patch level", [&] { settings.patch.level = 2; });
    change("height scale", [&] { settings.terrain.heightScale = 1.5f; });
    ASSERT_TRUE(renderer_->resize(96, 54));
    expectRounds("viewport");
    ASSERT_TRUE(renderer_->setTerrain(terrain.raster, terrain.field, terrain.bounds));
    expectRounds("terrain");
}

TEST_F(RendererRounds, DoNotRunForWhatOnlyTheDrawSees)
{
    const TestTerrain terrain = squareHills();
    ASSERT_NO_FATAL_FAILURE(start(terrain, smallSettings()));
    const Camera camera = flight(terrain, 0.1);
    ASSERT_NO_FATAL_FAILURE(settle(camera));
    Settings settings = smallSettings();
    settings.render.shading = Shading::kNormals;
    settings.render.wireframe = true;
    settings.render.msaa = 4;
    settings.render.sunAzimuth = 10.0f;
    ASSERT_NO_FATAL_FAILURE(set(settings));
    ASSERT_TRUE(renderer_->resize(120, 54));
    frame(camera);
    frame(camera);
    EXPECT_FALSE(ran(GpuPass::kUpdate));
    EXPECT_TRUE(renderer_->stats().settled);
}

TEST_F(RendererRounds, NeverFinishASettledTreeThatHasMoreToDo)
{
    // For any number of rounds a frame, more rounds must not change a tree that is reported as converged.
    const TestTerrain terrain = squareHills();
    for (const int rounds : {1, 3, 16})
    {
        Settings settings = smallSettings();
        settings.lod.rounds = rounds;
        ASSERT_NO_FATAL_FAILURE(start(terrain, settings));
        for (int step = 0; step < 12; ++step)
        {
            const Camera camera = flight(terrain, 0.1 + 0.0015 * step);
            ASSERT_NO_FATAL_FAILURE(settle(camera));
            const std::vector<std::uint32_t> heap = tree().readHeap();
            tree().beginFrame(true);
            tree().round(true, nullptr);
            ASSERT_EQ(tree().readHeap(), heap) << rounds << " rounds, step " << step;
        }
    }
}

// Rounds depend on camera and settings alone, not on the arrival of counters, until the tree has converged.
TEST_F(RendererRounds, DoNotDependOnWhenCountersArrive)
{
    const TestTerrain terrain = squareHills();
    std::vector<std::vector<std::uint32_t>> heaps[2];
    for (const bool late : {false, true})
    {
        ASSERT_NO_FATAL_FAILURE(start(terrain, smallSettings()));
        for (int i = 0; i < 60; ++i)
        {
            renderer_->frame(flight(terrain, i < 40 ? 0.002 * i : 0.08), frame_++, 0);
            if (!late || i % 5 == 4) renderer_->collect(1'000'000'000);
            heaps[late].push_back(tree().readHeap());
        }
    }
    EXPECT_EQ(heaps[0], heaps[1]);
}

class RendererErrors : public RendererTest
{
protected:
    struct Drawn
    {
        std::vector<std::uint32_t> heap;
        Image picture;
    };
    Drawn drawn(const Camera& camera)
    {
        renderer_->restart();
        settle(camera);
        return {tree().readHeap(), picture()};
    }
    static TestTerrain withoutErrors(TestTerrain terrain)
    {
        terrain.bounds = boundsWithoutErrors(terrain.field);
        return terrain;
    }
};

// A terrain that comes without errors measures them when the criterion `error` is chosen.
TEST_F(RendererErrors, MeasuredWhenNeededAreThoseGivenAtFirst)
{
    const TestTerrain given = hills(97, 54, 30.0, 25.0), without = withoutErrors(given);
    const Camera camera = flight(given, 0.1);
    for (const int patchLevel : {0, 1, 3})
    {
        SCOPED_TRACE(testing::Message() << "patch level " << patchLevel);
        Settings byEdge = smallSettings(), byError = byEdge;
        byEdge.patch.level = byError.patch.level = patchLevel;
        byError.lod.criterion = LodCriterion::kError;
        byError.lod.errorPixels = 0.5f;
        ASSERT_NO_FATAL_FAILURE(start(given, byError));
        const Drawn expected = drawn(camera);
        ASSERT_NO_FATAL_FAILURE(start(without, byError));
        EXPECT_EQ(drawn(camera).heap, expected.heap);
        ASSERT_NO_FATAL_FAILURE(start(without, byEdge));
        EXPECT_NE(drawn(camera).heap, expected.heap);
        ASSERT_NO_FATAL_FAILURE(set(byError));
        const Drawn changed = drawn(camera);
        EXPECT_EQ(changed.heap, expected.heap);
        EXPECT_EQ(changed.picture.rgb, expected.picture.rgb);
    }
}

// A window draws by edges as long as errors are being measured.
TEST_F(RendererErrors, AreNotUsedBeforeTheyAreMeasured)
{
    const TestTerrain without = withoutErrors(hills(97, 54, 30.0, 25.0));
    Settings byError = smallSettings();
    byError.lod.criterion = LodCriterion::kError;
    ASSERT_NO_FATAL_FAILURE(start(without, byError));
    const auto hasErrors = [&] { return renderer_->terrain().uniforms().errorFinestBits < leb::kDrawLatticeBits; };
    EXPECT_TRUE(hasErrors());
    renderer_->options().awaitsErrors = false;
    ASSERT_TRUE(renderer_->setTerrain(without.raster, without.field, without.bounds));
    do
    {
        EXPECT_EQ(renderer_->settings().lod.criterion == LodCriterion::kError, hasErrors());
        ASSERT_NO_FATAL_FAILURE(set(byError));
    } while (renderer_->settings().lod.criterion != LodCriterion::kError);
    EXPECT_TRUE(hasErrors());
}

class RendererCamera : public RendererTest, public testing::WithParamInterface<LodCriterion>
{
};

// Level of detail without culling.
TEST_P(RendererCamera, TurningAloneChangesNoLeaf)
{
    const TestTerrain terrain = hills(97, 54, 30.0, 25.0);
    Settings settings = smallSettings();
    settings.lod.criterion = GetParam();
    settings.lod.errorPixels = 1.0f;
    ASSERT_NO_FATAL_FAILURE(start(terrain, settings));
    Camera camera = flight(terrain, 0.03);  // above all hills
    ASSERT_NO_FATAL_FAILURE(settle(camera));
    const std::vector<std::uint32_t> heap = tree().readHeap();
    std::uint32_t fewest = 0xffffffffu, most = 0;
    for (int i = 0; i < 36; ++i)
    {
        camera.yaw += 50.0;
        camera.pitch = -85.0 + 5.0 * i;
        const FrameRecord& stats = frame(camera);
        EXPECT_FALSE(ran(GpuPass::kUpdate));
        fewest = std::min(fewest, stats.work.visible);
        most = std::max(most, stats.work.visible);
        ASSERT_EQ(tree().readHeap(), heap) << "turn " << i;
    }
    EXPECT_EQ(fewest, 0u);  // looking up
    EXPECT_GT(most, 20u);
}

INSTANTIATE_TEST_SUITE_P(, RendererCamera, testing::Values(LodCriterion::kEdge, LodCriterion::kError),
                         [](const auto& criterion) {
                             return criterion.param == LodCriterion::kEdge ? "edge" : "error";
                         });

TEST_F(RendererRounds, StopWhileFrozen)
{
    const TestTerrain terrain = squareHills();
    Settings settings = smallSettings();
    ASSERT_NO_FATAL_FAILURE(start(terrain, settings));
    ASSERT_NO_FATAL_FAILURE(settle(flight(terrain, 0.1)));
    const std::vector<std::uint32_t> heap = tree().readHeap();
    settings.lod.frozen = true;
    ASSERT_NO_FATAL_FAILURE(set(settings));
    for (int i = 0; i < 10; ++i)
    {
        const FrameRecord& stats = frame(flight(terrain, 0.1 + 0.05 * i));
        EXPECT_FALSE(ran(GpuPass::kUpdate));
        EXPECT_TRUE(stats.settled);
        EXPECT_EQ(tree().readHeap(), heap);
    }
    settings.lod.frozen = false;
    ASSERT_NO_FATAL_FAILURE(set(settings));
    ASSERT_NO_FATAL_FAILURE(settle(flight(terrain, 0.55)));
    EXPECT_NE(tree().readHeap(), heap);
}

TEST_F(RendererRounds, CountWhatTheyDid)
{
    const TestTerrain terrain = squareHills();
    Settings settings = smallSettings();
    ASSERT_NO_FATAL_FAILURE(start(terrain, settings));
    std::uint32_t leaves = 2;
    for (int i = 0; i < 60; ++i)
    {
        const WorkCounters work = frame(flight(terrain, 0.004 * i)).work;
        ASSERT_EQ(work.frame, std::uint64_t(i));
        ASSERT_EQ(work.leaves, leaves + work.splits - work.merges) << "frame " << i;
        ASSERT_EQ(work.leaves, tree().readState().leaves);
        ASSERT_EQ(work.triangles, std::uint64_t(work.visible) << (2 * settings.patch.level));
        leaves = work.leaves;
    }
    EXPECT_GT(leaves, 100u);
}

TEST_F(RendererRounds, RefuseAtCapacityAndSaySo)
{
    const TestTerrain terrain = squareHills();
    Settings settings = smallSettings();
    settings.cbt.leafCapacity = 1'024;
    settings.lod.splitPixels = 4.0f;
    settings.lod.mergePixels = 2.0f;
    ASSERT_NO_FATAL_FAILURE(start(terrain, settings));
    ASSERT_NO_FATAL_FAILURE(settle(flight(terrain, 0.1)));
    for (int i = 0; i < 3; ++i)
    {
        const WorkCounters work = frame(flight(terrain, 0.1)).work;
        EXPECT_LE(work.leaves, 1'024u);
        EXPECT_GE(work.leaves, 940u);
        EXPECT_GT(work.refused, 0u);            // count of the last round, kept while the tree rests on it
        EXPECT_GT(work.thresholdPixels, 4.0f);  // threshold that the capacity allows
    }
    EXPECT_TRUE(checkedTree(tree()));
}

}  // namespace
}  // namespace orogen::app::test
