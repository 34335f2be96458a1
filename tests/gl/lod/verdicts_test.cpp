// Cached verdicts: the same decisions as without the cache, and the cache is effective.
#include <algorithm>

#include "tests/gl/lod_support.h"
#include "tests/support/test_scale.h"

namespace orogen::app::test {
namespace {

using orogen::test::scaled;

class LodVerdicts : public GlTest
{
};

// Close to the ground, slow enough that most leaves stay, with occasional jumps.
Camera slowFlight(const TestTerrain& terrain, int frame)
{
    Camera camera = flight(terrain, 0.12 + 0.00005 * frame + 0.1 * (frame / 120));
    const double ground = heightAt(terrain.field, camera.position.x, camera.position.y);
    camera.position.z = ground + 0.3 * (camera.position.z - ground);
    return camera;
}

using LodVerdictsThorough = LodVerdicts;

TEST_F(LodVerdictsThorough, GiveTheSameTreeInEveryFrame)
{
    const TestTerrain terrain = hills(97, 54, 30.0, 25.0);
    struct Variant
    {
        int depth;
        gpu::uint threads, criterion;
        float split, merge;
    };
    // Thresholds that do not fill the tree at once, since a full one keeps no verdicts.
    // Leaves with expired verdicts are counted by thread or, as on a GPU, by workgroup.
    for (const auto& [depth, threads, criterion, split, merge] :
         {Variant{14, gpu::kChunkThreadsSoftware, gpu::kCriterionEdge, 32.0f, 14.0f},
          {20, gpu::kChunkThreadsHardware, gpu::kCriterionEdge, 32.0f, 14.0f},
          {20, gpu::kChunkThreadsSoftware, gpu::kCriterionError, 6.0f, 5.8f}})
    {
        TreeUnderTest all(*context_, terrain, depth, kAmple);
        TreeUnderTest kept(*context_, terrain, depth, kAmple, OROGEN_ROOT,
                           ShaderDefine{"OROGEN_REDUCE_THREADS", std::to_string(threads) + "u"});
        kept.tree().keepVerdicts(true);
        std::uint32_t changes = 0, most = 0;
        for (int frame = 0; frame < scaled(200, 5'000); ++frame)
        {
            LodView view{.criterion = criterion, .split = split, .merge = merge};
            view.camera = slowFlight(terrain, frame);
            view.heightScale = frame < 150 ? 1.0f : 2.0f;
            if (frame == 150) kept.tree().forgetVerdicts();
            for (TreeUnderTest* gpu : {&all, &kept})
            {
                gpu->look(view);
                gpu->tree().moveTo(view.camera.position, terrain.side());
                gpu->tree().beginFrame(true);
                gpu->tree().round(true, nullptr);
            }
            const gpu::TreeState state = all.tree().readState();
            ASSERT_EQ(state.splits, kept.tree().readState().splits) << "frame " << frame;
            ASSERT_TRUE(std::ranges::equal(all.tree().readLeaves(), kept.tree().readLeaves())) << "frame " << frame;
            changes += state.splits + state.merges;
            most = std::max(most, state.leaves);
        }
        EXPECT_GT(changes, 3'000u);
        EXPECT_GT(most, 1'000u);
        EXPECT_GE(kept.tree().verdictVoids(), 2u);
    }
}

// Changes the thresholds without clearing the table: cached verdicts remain until it is cleared.
TEST_F(LodVerdicts, AreNotEvaluatedAgainBeforeTheyAreDue)
{
    const TestTerrain terrain = hills(65, 65, 32.0, 32.0);
    TreeUnderTest gpu(*context_, terrain, 18, kAmple);
    LodTree& tree = gpu.tree();
    tree.keepVerdicts(true);
    LodView view{.split = 24.0f, .merge = 10.0f};
    view.camera = slowFlight(terrain, 0);
    const auto round = [&] {
        gpu.look(view);
        tree.moveTo(view.camera.position, terrain.side());
        tree.beginFrame(true);
        tree.round(true, nullptr);
        return tree.readState().splits;
    };
    for (int i = 0; i < 30 && (round() > 0 || i == 0); ++i)
        continue;
    ASSERT_GT(tree.readState().leaves, 200u);
    view.split = 20.0f;
    const std::uint32_t splitsOfDue = round();
    EXPECT_LT(splitsOfDue, 20u);
    tree.forgetVerdicts();
    EXPECT_GT(round(), 100u);
}

// A verdict stores 30 bits of the odometer, whose unit is side / 2^18.
TEST_F(LodVerdicts, AreClearedBeforeTheOdometerOverflows)
{
    const TestTerrain terrain = hills(65, 65, 32.0, 32.0);
    TreeUnderTest gpu(*context_, terrain, 18, kAmple);
    LodTree& tree = gpu.tree();
    const double side = terrain.side();
    tree.moveTo({0, 0, 0}, side);
    const std::uint64_t before = tree.verdictVoids();
    tree.moveTo({0, 4095.9 * side, 0}, side);
    EXPECT_EQ(tree.verdictVoids(), before);
    tree.moveTo({0, 4096.1 * side, 0}, side);
    EXPECT_EQ(tree.verdictVoids(), before + 1);
}

// A budget needs the measure of every leaf.
TEST_F(LodVerdicts, AreOffWhereABudgetIsOn)
{
    const TestTerrain terrain = hills(65, 65, 32.0, 32.0);
    TreeUnderTest gpu(*context_, terrain, 18, kAmple);
    LodTree& tree = gpu.tree();
    tree.keepVerdicts(true);
    LodView view{.split = 24.0f, .merge = 10.0f};
    view.camera = slowFlight(terrain, 0);
    for (int i = 0; i < 40; ++i)
    {
        gpu.look(view);
        tree.moveTo(view.camera.position, terrain.side());
        tree.beginFrame(true);
        tree.round(true, nullptr);
        if (i == 30) view.triangleBudget = 1e6f;
    }
    EXPECT_LT(tree.readState().thresholdShift, 0);
    EXPECT_GT(tree.readState().splits + tree.readState().merges + tree.readState().leaves, 1'000u);
}

}  // namespace
}  // namespace orogen::app::test
