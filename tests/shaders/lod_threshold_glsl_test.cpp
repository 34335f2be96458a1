// shaders/lod/lod_threshold.glsl, compiled as C++, controls core's round: speed and result of the thresholds'
// convergence.
#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include "core/cbt/tree.h"
#include "core/leb/conformity.h"
#include "core/leb/leb.h"
#include "core/leb/round.h"
#include "tests/support/threshold_twin.h"

namespace orogen::test {
namespace {

enum class Ground
{
    kFlat,   // an edge's length over its distance
    kHigh,   // as kFlat, seen from far above: large parts of the tree change at one threshold
    kRough,  // random by place, some of it far above the rest, with a smaller exponent
};

struct Eye
{
    double x = 0.3, y = 0.4, height = 0.05, turn = 0.5;
    Ground ground = Ground::kFlat;

    double pixels(NodeId node) const
    {
        const leb::Edge base = leb::baseEdge(leb::vertices(node));
        const double scale = 0.5 / leb::kSide;
        const double bx = (base.low.x + base.high.x) * scale, by = (base.low.y + base.high.y) * scale;
        const double away = std::hypot(bx - x, by - y, height);
        const double length = std::exp2(-0.5 * (depthOf(node) - 2));
        if (ground != Ground::kRough) return 30 * length / away;
        const double worth = std::exp(2 * std::sin(17 * bx + 5 * by) + std::sin(71 * bx - 43 * by));
        return 15 * worth * std::pow(length, 1.6) / away;
    }
    bool sees(NodeId node) const  // half of all nodes
    {
        const leb::Triangle t = leb::vertices(node);
        const double bx = double(t.apex.x) / leb::kSide - x, by = double(t.apex.y) / leb::kSide - y;
        return bx * std::cos(turn) + by * std::sin(turn) > 0;
    }
};

Eye eyeOver(Ground ground)
{
    Eye eye{.ground = ground};
    if (ground == Ground::kHigh) eye.height = 3;
    return eye;
}

// A tree with controlled thresholds, one round a frame.
struct Controlled
{
    Cbt tree{18, 1};
    ThresholdOracle thresholds{};
    uint drawn = 0;
    leb::RoundCounts counts;

    // Runs a frame; false if the round changed neither leaves nor thresholds.
    bool frame(const Eye& eye)
    {
        SerialExecutor serial;
        const float split = thresholds.splitInEffect(), merge = thresholds.mergeInEffect();
        const NodeId before = tree.leafCount();
        const auto wish = [&](NodeId leaf) {
            const double own = eye.pixels(leaf);
            return leb::Wish{own > split, leaf > 3 && eye.pixels(leaf / 2) < merge,
                             leb::priorityOf(float(own) / split)};
        };
        counts = leb::runRound(tree, thresholds.capacity, wish, serial);
        const bool moved = thresholds.afterRound(before, counts, drawn);
        drawn = 0;
        forEachLeaf(tree, [&](NodeId leaf) { drawn += eye.sees(leaf); });
        return counts.splits + counts.merges != 0 || moved;
    }

    // Number of frames until one changes nothing; `most` if there is none.
    int settle(const Eye& eye, int most)
    {
        thresholds.control.turns = 0;
        for (int frames = 0; frames < most; ++frames)
            if (!frame(eye) && frames > 0) return frames;
        return most;
    }
};

TEST(LodThreshold, ScalesByPowersOfTwo)
{
    ThresholdTwin twin;
    EXPECT_EQ(twin.lodScale(0), 1.0f);
    EXPECT_EQ(twin.lodScale(512), 4.0f);
    EXPECT_EQ(twin.lodScale(-256), 0.5f);
    for (int shift = -2000; shift <= 5120; ++shift)
        ASSERT_NEAR(twin.lodScale(shift) / std::exp2(shift / 256.0), 1.0, 1e-6) << shift;
}

TEST(LodThreshold, ReachesALimitAndDoesNotPassIt)
{
    ThresholdTwin twin;
    for (const float from : {0.1f, 0.5f, 1.0f, 7.0f, 7.3f, 63.0f, 64.0f})
        for (const float limit : {0.1f, 0.5f, 1.0f, 32.0f, 64.0f})
        {
            const int shift = twin.lodShiftTo(from, limit);
            EXPECT_LE(from * twin.lodScale(shift), limit) << from << " to " << limit;
            EXPECT_GT(from * twin.lodScale(shift + 1), limit) << from << " to " << limit;
        }
}

TEST(LodThreshold, LogarithmsRiseWithTheCount)
{
    ThresholdTwin twin;
    int before = twin.lodLog2(1);
    EXPECT_EQ(before, 0);
    for (uint count = 2; count < 5000; ++count)
    {
        const int now = twin.lodLog2(count);
        ASSERT_GE(now, before);
        ASSERT_NEAR(now / 256.0, std::log2(count), 0.09);
        before = now;
    }
    EXPECT_EQ(twin.lodLog2(0x80000000u), 31 * 256);
}

// Starts with a threshold far too high or too low, on any ground.
TEST(LodThreshold, ATriangleBudgetIsMetWithin120FramesFromAnyStart)
{
    for (const Ground ground : {Ground::kFlat, Ground::kRough})
        for (const int start : {-900, 0, 700})
            for (const uint target : {500u, 2000u})
            {
                SCOPED_TRACE(testing::Message()
                             << "ground " << int(ground) << ", from shift " << start << " to " << target);
                const Eye eye = eyeOver(ground);
                Controlled run;
                run.thresholds.control.shift = start;
                run.thresholds.target = 1;  // keeps the start's shift
                for (int i = 0; i < 18; ++i)
                {
                    run.thresholds.control.turns = ThresholdTwin::kLodMostTurns;
                    run.frame(eye);
                }
                ASSERT_EQ(run.thresholds.control.shift, start);
                run.thresholds.target = target;
                EXPECT_LT(run.settle(eye, 121), 120);
                EXPECT_NEAR(run.drawn, target, 0.03 * target);
                EXPECT_EQ(run.thresholds.mergeInEffect(),
                          ThresholdTwin::kLodTightMerge * run.thresholds.splitInEffect());
                EXPECT_EQ(leb::conformityFault(run.tree), "");
                const int shift = run.thresholds.control.shift;
                for (int i = 0; i < 20; ++i)
                    ASSERT_FALSE(run.frame(eye)) << "a tree at rest stays so";
                EXPECT_EQ(run.thresholds.control.shift, shift);
            }
}

// If no threshold gives the requested count, the search must still end, near it.
TEST(LodThreshold, AGroundThatLeapsIsLeftAlone)
{
    const Eye eye = eyeOver(Ground::kHigh);
    for (const uint target : {300u, 1000u})
    {
        Controlled run;
        run.thresholds.split = run.thresholds.drawn = 1;
        run.thresholds.merge = 0.4f;
        run.thresholds.target = target;
        EXPECT_LT(run.settle(eye, 121), 120) << target;
        EXPECT_NEAR(run.drawn, target, 0.1 * target);
    }
}

TEST(LodThreshold, ABudgetFollowsASlowFlight)
{
    for (const Ground ground : {Ground::kFlat, Ground::kRough})
    {
        Eye eye = eyeOver(ground);
        Controlled run;
        run.thresholds.target = 2000;
        run.settle(eye, 120);
        for (int i = 0; i < 150; ++i)
        {
            eye.x += 0.00025;
            run.thresholds.control.turns = 0;
            run.frame(eye);
            EXPECT_NEAR(run.drawn, 2000, 60) << "ground " << int(ground) << ", frame " << i;
        }
    }
}

TEST(LodThreshold, ABudgetOutOfReachStopsAtTheBounds)
{
    const Eye eye = eyeOver(Ground::kFlat);
    Controlled few, many;
    few.thresholds.target = 1;
    EXPECT_LT(few.settle(eye, 121), 120);
    EXPECT_LE(few.thresholds.splitInEffect(), 64.0f);
    EXPECT_GT(few.thresholds.splitInEffect(), 63.8f);
    many.thresholds.target = 100'000'000;
    EXPECT_LT(many.settle(eye, 121), 120);
    EXPECT_GE(many.thresholds.splitInEffect(), 0.5f);
    EXPECT_LT(many.thresholds.splitInEffect(), 0.502f);
}

TEST(LodThreshold, ABudgetThatIsTakenBackLeavesWhatIsSet)
{
    const Eye eye = eyeOver(Ground::kFlat);
    for (const uint target : {300u, 30'000u})
    {
        Controlled run;
        run.thresholds.target = target;
        run.settle(eye, 120);
        ASSERT_NE(run.thresholds.control.shift, 0);
        run.thresholds.target = 0;
        EXPECT_LT(run.settle(eye, 121), 60);
        EXPECT_EQ(run.thresholds.control.shift, 0);
    }
}

// A full tree: finally no split is refused, little capacity is unused, and the result does not depend on the start.
TEST(LodThreshold, AFullTreeSettlesWhereAFreshOneDoes)
{
    for (const Ground ground : {Ground::kFlat, Ground::kHigh, Ground::kRough})
        for (const NodeId capacity : {1000u, 3000u})
        {
            SCOPED_TRACE(testing::Message() << "ground " << int(ground) << ", capacity " << capacity);
            const Eye eye = eyeOver(ground);
            Eye other = eye;
            other.x = 0.8, other.y = 0.7;
            Controlled run;
            run.thresholds.capacity = capacity;
            run.thresholds.split = 0.2f;
            run.thresholds.merge = 0.08f;
            float fresh = 0;
            for (int jump = 0; jump < 3; ++jump)
            {
                EXPECT_LT(run.settle(eye, 121), 120);
                EXPECT_EQ(run.counts.refusals, 0u);
                EXPECT_LE(run.tree.leafCount(), capacity);
                EXPECT_GE(run.tree.leafCount(), capacity * 9 / 10);
                if (jump == 0) fresh = run.thresholds.splitInEffect();
                EXPECT_NEAR(run.thresholds.splitInEffect() / fresh, 1, 0.05) << "jump " << jump;
                EXPECT_LT(run.settle(other, 121), 120);
            }
            EXPECT_EQ(leb::conformityFault(run.tree), "");
        }
}

TEST(LodThreshold, ATreeThatIsNotFullIsLeftAtWhatIsSet)
{
    const Eye eye = eyeOver(Ground::kFlat);
    Controlled run;
    run.settle(eye, 120);
    EXPECT_EQ(run.thresholds.control.shift, 0);
    EXPECT_EQ(run.thresholds.splitInEffect(), 7.0f);
    EXPECT_EQ(run.thresholds.mergeInEffect(), 3.0f);
}

TEST(LodThreshold, TheMorphFollowsSlowly)
{
    ThresholdTwin twin;
    EXPECT_EQ(twin.lodFollow(0, 100), 3);
    EXPECT_EQ(twin.lodFollow(99, 100), 100);
    EXPECT_EQ(twin.lodFollow(100, -100), 97);
    EXPECT_LE(twin.lodScale(3), 1.01f);
}

}  // namespace
}  // namespace orogen::test
