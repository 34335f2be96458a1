// shaders/lod/lod_round.glsl, compiled as C++, against core's round: flags, plans, counters and words, pass by pass.
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "core/leb/conformity.h"
#include "core/leb/round.h"
#include "tests/support/glsl_round.h"
#include "tests/support/glsl_twin.h"
#include "tests/support/lod_frames.h"
#include "tests/support/random.h"
#include "tests/support/shuffled_executor.h"
#include "tests/support/test_scale.h"

namespace orogen::test {
namespace {

static_assert(GlslTwin::kLodPriorities == leb::kPriorities && GlslTwin::kLodField == leb::Round::kField &&
              GlslTwin::kLodPin == leb::Round::kPin && GlslTwin::kLodChild0 == leb::Round::kChild0 &&
              GlslTwin::kLodChild1 == leb::Round::kChild1 && GlslTwin::kLodMarked == leb::Round::kMarked &&
              GlslTwin::kLodWantMerge == leb::Round::kWantMerge);
static_assert(GlslTwin::kLodKeep == uint(leb::Plan::kKeep) && GlslTwin::kLodSplit == uint(leb::Plan::kSplit) &&
              GlslTwin::kLodMerge == uint(leb::Plan::kMerge) && GlslTwin::kLodRefused == uint(leb::Plan::kRefused) &&
              (GlslTwin::kLodSplit | GlslTwin::kLodSplitChild0) == uint(leb::Plan::kSplitFirst) &&
              (GlslTwin::kLodSplit | GlslTwin::kLodSplitChild1) == uint(leb::Plan::kSplitSecond));

constexpr uint kUnlimited = 0x7fffffff;

GlslTwin twinOf(const Cbt& tree)
{
    GlslTwin twin({tree.words().begin(), tree.words().end()}, std::size_t(1) << tree.maxDepth());
    Random random(0);  // GPU buffers start with arbitrary contents: lodClear must suffice
    for (std::vector<uint>* buffer : {&twin.leafFlags, &twin.leafPlan, &twin.pairBits, &twin.pairPrefix})
        std::ranges::generate(*buffer, [&] { return random.bits(); });
    return twin;
}

leb::RoundCounts countsOf(GlslTwin& twin)
{
    return {.requested = twin.roundCounters[GlslTwin::kLodRequested],
            .splits = twin.roundCounters[GlslTwin::kLodSplits],
            .merges = twin.roundCounters[GlslTwin::kLodMerges],
            .refusals = twin.lodRefusals()};
}

// Returns the part of a field that is independent of the order of walks: its highest priority.
std::array<uint, 4> whatCounts(uint flags)
{
    using leb::Round;
    return {uint(Round::highest(flags, Round::kPin)), uint(Round::highest(flags, Round::kChild0)),
            uint(Round::highest(flags, Round::kChild1)), flags & (Round::kMarked | Round::kWantMerge)};
}

// Runs one round on both and compares after every pass.
void expectSameRound(Cbt& tree, GlslTwin& twin, uint capacity, const leb::Criterion& criterion, Executor& executor)
{
    SerialExecutor serial;
    leb::Round round(tree, serial);
    decodeTwin(twin, executor);
    ASSERT_TRUE(std::ranges::equal(round.leaves(), std::span(twin.leaves).first(tree.leafCount())));
    round.mark(criterion);
    markTwin(twin, capacity, criterion, executor);
    for (uint number = 0; number < tree.leafCount(); ++number)
        ASSERT_EQ(whatCounts(twin.leafFlags[number]), whatCounts(round.flags(number)))
            << "leaf " << twin.leaves[number];
    ASSERT_EQ(twin.roundCounters[GlslTwin::kLodCutGroups], twin.lodCapacityBinds(capacity) ? 1u : 0u);
    const leb::RoundCounts counts = round.plan(capacity);
    planTwin(twin, capacity, executor);
    for (uint number = 0; number < tree.leafCount(); ++number)
        ASSERT_EQ(twin.leafPlan[number], uint(round.plans()[number])) << "leaf " << twin.leaves[number];
    ASSERT_EQ(countsOf(twin), counts);
    round.apply();
    applyTwin(twin, executor);
    tree.reduce();
    reduceTwin(twin, executor);
    ASSERT_TRUE(std::ranges::equal(twin.heap, tree.words()));
}

// Reliability R6: takes a tree through a dozen frames of changing scenes.
TEST(LodRoundGlslThorough, DoesWhatCoreDoesInAnyOrderOnAnyThreads)
{
    const unsigned runs = scaled(350u, 50'000u);
    std::vector<std::unique_ptr<ShuffledExecutor>> executors;
    for (int threads = 2; threads <= 8; ++threads)
        executors.push_back(std::make_unique<ShuffledExecutor>(threads, threads));
    std::uint64_t merges = 0, refusals = 0;
    for (unsigned seed = 0; seed < runs; ++seed)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        Random random(seed);
        Cbt tree(random.between(6, 10), 1 + random.between(0, 4));
        GlslTwin twin = twinOf(tree);
        Executor& executor = *executors[seed % executors.size()];
        LodScene scene(random, tree.maxDepth());
        for (int frame = 0; frame < 12; ++frame)
        {
            if (frame % 4 == 0) scene = LodScene(random, tree.maxDepth());
            scene.nextFrame();
            const uint capacity = random.chance(1, 2) ? kUnlimited : tree.leafCount() + random.below(30);
            expectSameRound(tree, twin, capacity, scene, executor);
            if (HasFatalFailure()) return;
            merges += countsOf(twin).merges;
            refusals += countsOf(twin).refusals;
        }
        ASSERT_EQ(leb::conformityFault(tree), "");
    }
    EXPECT_GT(merges, 5u * runs);
    EXPECT_GT(refusals, 5u * runs);
}

// Uses more pairs than one word holds, and refuses from the middle of each word.
TEST(LodRoundGlsl, RefusesByRankAtEveryCapacity)
{
    for (const int depth : {5, 6})
        for (uint capacity = 1u << depth; capacity <= 2u << depth; ++capacity)
        {
            SCOPED_TRACE(testing::Message() << "depth " << depth << ", capacity " << capacity);
            Cbt tree(8, depth);
            GlslTwin twin = twinOf(tree);
            SerialExecutor serial;
            expectSameRound(
                tree, twin, capacity, [](NodeId) { return leb::Wish{.split = true}; }, serial);
            if (HasFatalFailure()) return;
            ASSERT_LE(tree.leafCount(), capacity);
            ASSERT_GE(tree.leafCount() + 1, capacity);
        }
}

TEST(LodRoundGlsl, PutsPrioritiesInOctaves)
{
    SerialExecutor serial;
    Cbt tree(6, 1);
    GlslTwin twin = twinOf(tree);
    const std::pair<float, uint> rows[] = {{0.0f, 0},   {0.7f, 0},    {1.0f, 0},    {1.99f, 0}, {2.0f, 1},
                                           {4.5f, 2},   {511.0f, 8},  {512.0f, 9},  {3e38f, 9}, {-4.0f, 2},
                                           {1e-40f, 0}, {1024.0f, 9}, {255.99f, 7}, {256.0f, 8}};
    for (const auto& [ratio, priority] : rows)
    {
        EXPECT_EQ(twin.lodPriority(ratio), priority) << ratio;
        EXPECT_EQ(leb::priorityOf(ratio), priority) << ratio;
    }
}

TEST(LodRoundGlsl, ClearsTheCountersOfATreeSmallerThanThem)
{
    Cbt tree(6, 1);
    GlslTwin twin = twinOf(tree);
    std::ranges::fill(twin.roundCounters, 77u);
    SerialExecutor serial;
    decodeTwin(twin, serial);
    EXPECT_EQ(twin.roundCounters, std::vector<uint>(GlslTwin::kLodCounters, 0u));
}

}  // namespace
}  // namespace orogen::test
