// The benchmark of the mark, on a terrain too small for meaningful results.
#include "app/bench/render/mark_bench.h"

#include "tests/gl/lod_support.h"
#include "tests/gl/renderer_support.h"

namespace orogen::app::test {
namespace {

class MarkBench : public RendererTest
{
};

TEST_F(MarkBench, MeasuresBothWaysOnOneFlightAndLeavesTheRendererAsItWas)
{
    const TestTerrain terrain = hills(65, 65, 32.0, 32.0);
    ASSERT_NO_FATAL_FAILURE(start(terrain, smallSettings()));
    ASSERT_NO_FATAL_FAILURE(settle(flight(terrain, 0.1)));
    const Result<bench::MarkCost> cost = bench::markCost(*renderer_, flight(terrain, 0.1), flight(terrain, 0.11), 20);
    ASSERT_TRUE(cost) << cost.error().message;
    EXPECT_TRUE(cost->sameDecisions);
    EXPECT_EQ(cost->kept.rounds, 20);
    EXPECT_GT(cost->leaves, 100u);
    EXPECT_GT(cost->evaluated.medianMs, 0.0);
    EXPECT_EQ(renderer_->settings(), smallSettings());
}

TEST_F(MarkBench, AJumpSettlesWithinTheDepthAndSomeRounds)
{
    const TestTerrain terrain = hills(65, 65, 32.0, 32.0);
    ASSERT_NO_FATAL_FAILURE(start(terrain, smallSettings()));
    const Result<int> rounds = bench::roundsAfterJump(*renderer_, flight(terrain, 0.1), flight(terrain, 0.4), 100);
    ASSERT_TRUE(rounds) << rounds.error().message;
    EXPECT_GT(*rounds, 1);
    EXPECT_LE(*rounds, 22);
}

// From far away, where the Earth covers a small part of the picture, to where it fills the picture.
TEST_F(MarkBench, TheEarthsLeavesFollowTheFlight)
{
    ASSERT_NO_FATAL_FAILURE(start(hills(33, 33, 30.0, 30.0), smallSettings()));
    ASSERT_NO_FATAL_FAILURE(showLevelEarth());
    Settings settings = smallSettings();
    settings.earth.depth = 30;
    settings.terrain.waterLevel = 0.0f;
    ASSERT_NO_FATAL_FAILURE(set(settings));
    const Camera from = {.position = earthFixed({46, 8, 2e7}), .yaw = 0, .pitch = -90};
    const Camera to = {.position = earthFixed({46, 8, 1e3}), .yaw = 0, .pitch = -90};
    const Result<std::uint32_t> leaves = bench::leavesAt(*renderer_, from);
    ASSERT_TRUE(leaves) << leaves.error().message;
    const Result<bench::PassCosts> costs = bench::passCosts(*renderer_, from, to, 20, false);
    ASSERT_TRUE(costs) << costs.error().message;
    EXPECT_TRUE(costs->settled);
    EXPECT_GT(costs->leaves, *leaves);
}

}  // namespace
}  // namespace orogen::app::test
