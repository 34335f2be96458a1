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

}  // namespace
}  // namespace orogen::app::test
