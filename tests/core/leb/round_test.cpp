// Round of split and merge: decisions, independence of order and threads, and conformity.
#include "core/leb/round.h"

#include <algorithm>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "core/leb/conformity.h"
#include "core/leb/leb.h"
#include "tests/support/lod_frames.h"
#include "tests/support/random.h"
#include "tests/support/round_oracle.h"
#include "tests/support/shuffled_executor.h"
#include "tests/support/test_scale.h"

namespace orogen::leb {
namespace {

using test::LodScene;
using test::Random;
using test::RoundOracle;

constexpr NodeId kUnlimited = 0x7fffffff;

RoundCounts runSerially(Cbt& tree, NodeId capacity, const Criterion& criterion)
{
    SerialExecutor serial;
    return runRound(tree, capacity, criterion, serial);
}

Criterion splitOnly(NodeId wanted)
{
    return [wanted](NodeId leaf) { return Wish{.split = leaf == wanted}; };
}
Wish mergeAll(NodeId) { return {.merge = true}; }
Wish splitAll(NodeId) { return {.split = true}; }

TEST(Round, SplitsAPairThatSharesItsBase)
{
    Cbt tree(10, 3);
    EXPECT_EQ(runSerially(tree, kUnlimited, splitOnly(8)), (RoundCounts{.requested = 2, .splits = 2}));
    EXPECT_EQ(leavesOf(tree), (std::vector<NodeId>{16, 17, 9, 10, 11, 12, 13, 14, 30, 31}));
    EXPECT_EQ(conformityFault(tree), "");
}

// For a single requested split deep below coarse leaves, each round splits the leaf on the way, and all that its path
// requires.
TEST(Round, ReachesALoneWishInARoundALevel)
{
    for (const int depth : {12, 20, 24})
    {
        Random random(1);
        for (int i = 0; i < (depth == 24 ? 20 : 200); ++i)
        {
            const NodeId wanted = 1u << depth | random.bits() >> (32 - depth);
            SCOPED_TRACE(testing::Message() << "node " << wanted);
            Cbt tree(depth, 1);
            const auto onTheWay = [&](NodeId leaf) { return Wish{.split = wanted >> (depth - depthOf(leaf)) == leaf}; };
            int rounds = 0;
            for (; rounds <= depth && !tree.isLeaf(wanted); ++rounds)
            {
                runSerially(tree, kUnlimited, onTheWay);
                ASSERT_EQ(conformityFault(tree), "") << "round " << rounds;
            }
            ASSERT_EQ(rounds, depth - 1);
        }
    }
}

TEST(Round, NeitherMergesTheHalvesNorSplitsTheDeepest)
{
    Cbt coarse(6, 1), deep(6, 6);
    EXPECT_EQ(runSerially(coarse, kUnlimited, mergeAll), RoundCounts{});
    EXPECT_EQ(runSerially(deep, kUnlimited, splitAll), RoundCounts{});
    EXPECT_EQ(deep.leafCount(), 64u);
}

TEST(Round, BringsAnyTreeDownToTheHalvesAndUpToTheLastLevel)
{
    Cbt tree(12, 12);
    for (int depth = 12; depth > 1; --depth)
    {
        const NodeId before = tree.leafCount();
        EXPECT_EQ(runSerially(tree, kUnlimited, mergeAll).merges, before / 2) << depth;
    }
    EXPECT_EQ(leavesOf(tree), (std::vector<NodeId>{2, 3}));
    for (int depth = 2; depth <= 12; ++depth)
    {
        const NodeId before = tree.leafCount();
        EXPECT_EQ(runSerially(tree, kUnlimited, splitAll).splits, before) << depth;
    }
    EXPECT_EQ(tree.leafCount(), 1u << 12);
}

TEST(Round, SplitWinsOverMerge)
{
    Cbt tree(8, 4);
    SerialExecutor serial;
    const RoundCounts counts = runRound(
        tree, kUnlimited, [](NodeId) { return Wish{.split = true, .merge = true}; }, serial);
    EXPECT_EQ(counts, (RoundCounts{.requested = 16, .splits = 16}));
}

TEST(Round, MergesAtTheLastLevelThoughItWouldSplit)
{
    Cbt tree(6, 6);
    SerialExecutor serial;
    EXPECT_EQ(runRound(
                  tree, kUnlimited, [](NodeId) { return Wish{.split = true, .merge = true}; }, serial)
                  .merges,
              32u);
}

TEST(Round, ALeafOnAPathDoesNotMerge)
{
    Cbt tree(10, 1);
    for (const NodeId leaf : {2u, 4u, 8u})  // the base of 17 is a leg of 9, so a split of 17 requires one of 9
        splitConforming(tree, leaf);
    tree.reduce();
    SerialExecutor serial;
    Round round(tree, serial);
    round.mark([](NodeId leaf) { return Wish{.split = depthOf(leaf) == 4, .merge = true}; });
    round.plan(kUnlimited);
    for (NodeId number = 0; number < round.leaves().size(); ++number)
        EXPECT_TRUE(Round::highest(round.flags(number), Round::kPin) < 0 || splitsOf(round.plans()[number]) > 0)
            << number;
}

TEST(Round, DecidesAsGeometryDoes)
{
    std::uint64_t merges = 0, refusals = 0;
    for (unsigned seed = 0; seed < 150; ++seed)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        Random random(seed);
        SerialExecutor serial;
        Cbt tree(random.between(6, 11), 1 + random.between(0, 3));
        for (int frame = 0; frame < 20; ++frame)
        {
            const LodScene scene(random, tree.maxDepth());
            const NodeId capacity = random.chance(1, 2) ? kUnlimited : tree.leafCount() + random.below(12);
            Round round(tree, serial);
            const std::vector<NodeId> leaves(round.leaves().begin(), round.leaves().end());
            const RoundOracle oracle(leaves, tree.maxDepth(), capacity, scene);
            round.mark(scene);
            const RoundCounts counts = round.plan(capacity);
            for (NodeId number = 0; number < leaves.size(); ++number)
            {
                ASSERT_EQ(RoundOracle::of(round.flags(number)), oracle.asked[number]) << "leaf " << leaves[number];
                ASSERT_EQ(round.plans()[number], oracle.plans[number]) << "leaf " << leaves[number];
            }
            ASSERT_EQ(counts, oracle.counts);
            round.apply();
            tree.reduce();
            ASSERT_EQ(tree.leafCount(), leaves.size() + counts.splits - counts.merges);
            merges += counts.merges;
            refusals += counts.refusals;
        }
    }
    EXPECT_GT(merges, 1'000u);
    EXPECT_GT(refusals, 1'000u);
}

// Reliability R6: results are equal for any order, number of threads and criterion.
TEST(RoundThorough, StaysConformingAndIdenticalInAnyOrderOnAnyThreads)
{
    const int frames = test::scaled(4'000, 200'000);
    constexpr int kThreads[] = {1, 2, 4};
    std::vector<std::unique_ptr<test::ShuffledExecutor>> executors;
    for (const int threads : kThreads)
        executors.push_back(std::make_unique<test::ShuffledExecutor>(threads, threads));

    std::uint64_t splits = 0, merges = 0, both = 0;
    Random random(1);
    std::vector<Cbt> trees(3, Cbt(6, 1));
    std::unique_ptr<LodScene> scene;
    for (int frame = 0; frame < frames; ++frame)
    {
        SCOPED_TRACE(testing::Message() << "frame " << frame << " from seed 1");
        if (frame % 200 == 0) trees.assign(3, Cbt(random.between(6, 12), 1 + random.between(0, 3)));
        if (frame % 10 == 0) scene = std::make_unique<LodScene>(random, trees[0].maxDepth());
        scene->nextFrame();
        const NodeId capacity = random.chance(3, 4) ? kUnlimited : trees[0].leafCount() + random.below(40);
        std::vector<RoundCounts> counts;
        for (int i = 0; i < 3; ++i)
            counts.push_back(runRound(trees[i], capacity, *scene, *executors[i]));
        for (int i = 1; i < 3; ++i)
        {
            ASSERT_EQ(counts[i], counts[0]) << kThreads[i] << " threads";
            ASSERT_TRUE(std::ranges::equal(trees[i].words(), trees[0].words())) << kThreads[i] << " threads";
        }
        ASSERT_EQ(conformityFault(trees[0]), "");
        splits += counts[0].splits;
        merges += counts[0].merges;
        both += counts[0].splits > 0 && counts[0].merges > 0;
    }
    EXPECT_GT(splits, std::uint64_t(frames));
    EXPECT_GT(merges, std::uint64_t(frames));
    EXPECT_GT(both, std::uint64_t(frames) / 4);
}

TEST(Round, SettlesUnderACriterionOfTheBaseEdge)
{
    for (unsigned seed = 0; seed < 300; ++seed)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        Random random(seed);
        Cbt tree(14, 1);
        for (int move = 0; move < 3; ++move)
        {
            const LodScene scene(random, 14);
            if (scene.scene() == test::Scene::kNoise || scene.scene() == test::Scene::kSparse) continue;
            RoundCounts last{.splits = 1};
            for (int round = 0; round < 60 && (last.splits || last.merges); ++round)
                last = runSerially(tree, kUnlimited, scene);
            ASSERT_EQ(last, RoundCounts{}) << "move " << move;
            for (const NodeId leaf : leavesOf(tree))  // every requested split was made
                ASSERT_FALSE(scene(leaf).split) << leaf;
        }
    }
}

// Priorities above a limit are served entirely, those below it are refused.
void expectCut(const Round& round, const RoundCounts& counts, const Cbt& tree, NodeId capacity)
{
    int lowestWhole = int(kPriorities), highestRefused = -1, partly = -1;
    for (NodeId number = 0; number < round.leaves().size(); ++number)
    {
        const std::uint32_t flags = round.flags(number);
        const std::uint32_t plan = std::uint32_t(round.plans()[number]);
        const bool done[] = {splitsOf(round.plans()[number]) > 0, plan > 3 && (plan & 4) != 0,
                             plan > 3 && (plan & 8) != 0};
        const int fields[] = {Round::kPin, Round::kChild0, Round::kChild1};
        for (int i = 0; i < 3; ++i)
        {
            const int priority = Round::highest(flags, fields[i]);
            ASSERT_TRUE(priority >= 0 || !done[i]) << "a split that nobody asked for";
            if (priority >= 0 && !done[i]) highestRefused = std::max(highestRefused, priority);
        }
        if (!done[0]) continue;
        const NodeId across = neighbours(round.leaves()[number]).edge;
        if ((flags & Round::kMarked) == 0 || across == 0) continue;
        ASSERT_GT(splitsOf(round.plans()[tree.leafNumber(across)]), 0u) << "a pair is served whole or not at all";
    }
    for (NodeId number = 0; number < round.leaves().size(); ++number)
        if (splitsOf(round.plans()[number]) > 0)
            lowestWhole = std::min(lowestWhole, Round::highest(round.flags(number), Round::kPin));
    partly = highestRefused;
    ASSERT_GE(lowestWhole, partly) << "a lower priority was served while a higher one was refused";
    ASSERT_EQ(counts.requested, counts.splits + counts.refusals);
    ASSERT_LE(round.leaves().size() + counts.splits, capacity);
}

TEST(Round, NeverExceedsTheCapacityAndServesWhatMattersFirst)
{
    for (unsigned seed = 0; seed < 400; ++seed)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        Random random(seed);
        const int depth = random.between(6, 12);
        const NodeId capacity = 2 + random.below(600);
        Cbt tree(depth, 1);
        SerialExecutor serial;
        for (int frame = 0; frame < 30; ++frame)
        {
            const LodScene scene(random, depth);
            Round round(tree, serial);
            round.mark(scene);
            const RoundCounts counts = round.plan(capacity);
            ASSERT_NO_FATAL_FAILURE(expectCut(round, counts, tree, capacity));
            round.apply();
            tree.reduce();
            ASSERT_EQ(conformityFault(tree), "");
        }
    }
}

// With two distant requested splits and room for one, priority decides, not the order of the leaves.
TEST(Round, AtCapacityPriorityDecidesAndNotTheLeafNumber)
{
    for (const NodeId wanted : {17u, 29u})
    {
        Cbt tree(10, 4);
        const NodeId other = wanted == 17 ? 29 : 17;
        ASSERT_NE(neighbours(wanted).edge, 0u);
        ASSERT_NE(neighbours(wanted).edge, other);
        ASSERT_NE(neighbours(other).edge, 0u);
        const auto wish = [&](NodeId leaf) {
            return Wish{.split = leaf == wanted || leaf == other, .priority = leaf == wanted ? 3u : 1u};
        };
        EXPECT_EQ(runSerially(tree, 18, wish), (RoundCounts{.requested = 4, .splits = 2, .refusals = 2}));
        EXPECT_FALSE(tree.isLeaf(wanted));
        EXPECT_TRUE(tree.isLeaf(other));
    }
}

// Leaves on a refused path may merge.
TEST(Round, WhatIsRefusedPinsNothing)
{
    Cbt tree(10, 6);
    const NodeId full = tree.leafCount();
    const auto wish = [](NodeId leaf) { return Wish{.split = leaf == 64, .merge = leaf != 64}; };
    const RoundCounts refused = runSerially(tree, full, wish);
    EXPECT_EQ(refused.splits, 0u);
    EXPECT_GT(refused.refusals, 0u);
    EXPECT_EQ(refused.merges, full / 2 - 2) << "all but the diamond of the leaf itself";
    EXPECT_EQ(conformityFault(tree), "");
}

}  // namespace
}  // namespace orogen::leb
