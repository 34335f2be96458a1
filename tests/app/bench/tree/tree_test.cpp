// Tests that tree experiments measure what they document, and detect wrong results.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "app/bench/tree/tree_algorithms.h"
#include "app/bench/tree/tree_experiments.h"
#include "core/base/thread_pool.h"
#include "core/cbt/packed_cbt.h"
#include "core/cbt/tree.h"
#include "core/leb/conformity.h"
#include "tests/support/random.h"
#include "tests/support/random_tree.h"
#include "tests/support/shuffled_executor.h"

namespace orogen {
namespace {

namespace bench = app::bench;

const bench::TrialOptions kShort = {.leastRounds = 2, .mostRounds = 2};

// ---- the paper's algorithms ----

TEST(PaperTree, HasTheWordsOfThePackedTreeByAnyThreads)
{
    for (unsigned seed = 0; seed < 30; ++seed)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        test::Random random(seed);
        const int depth = random.between(6, 13);
        PackedCbt packed = test::randomTree<PackedCbt>(random, depth, random.between(0, depth), 60);
        bench::PaperTree paper(packed);
        for (const NodeId leaf : leavesOf(packed))
            if (leaf % 2 == 1 && random.chance(1, 3))
            {
                packed.split(leaf);
                paper.split(leaf);
            }
        packed.reduce();
        bench::PaperTree byWords = paper;
        byWords.reduceByWords();
        ASSERT_TRUE(std::ranges::equal(byWords.words(), packed.words())) << "by words";
        test::ShuffledExecutor executor(1 + int(seed % 4), seed);
        paper.reduce(executor);
        ASSERT_TRUE(std::ranges::equal(paper.words(), packed.words()));
        std::vector<NodeId> leaves(packed.leafCount());
        ASSERT_EQ(paper.scanBits(leaves), leaves.size());
        ASSERT_EQ(leaves, test::leavesByBits(packed));
    }
}

// ---- experiments ----

void expectChecked(const Result<std::vector<bench::TreeRow>>& measured, std::size_t count)
{
    ASSERT_TRUE(measured);
    const std::vector<bench::TreeRow>& rows = *measured;
    ASSERT_EQ(rows.size(), count);
    for (const bench::TreeRow& row : rows)
    {
        EXPECT_TRUE(row.timing.checked && row.timing.equal) << row.variant;
        EXPECT_EQ(row.timing.rounds, 2) << row.variant;
    }
    EXPECT_EQ(rows[0].ratio, 1);
}

TEST(Experiments, EveryVariantIsRightOnEveryFill)
{
    for (const bench::Fill fill : {bench::Fill::kFull, bench::Fill::kQuarter, bench::Fill::kRandom})
    {
        SCOPED_TRACE(nameOf(fill));
        const bench::TreeParameters parameters{.depth = 12, .fill = fill, .trials = kShort};
        std::vector<bench::ReductionVariant> reductions;
        std::vector<bench::DecodeVariant> decodes;
        std::vector<bench::ChangeVariant> changes;
        for (const int threads : {1, 3})
            for (const WordKernels* kernels : availableWordKernels())
            {
                for (int i = 0; i < 5; ++i)
                    reductions.push_back({bench::Reduction(i), threads, kernels});
                for (int i = 0; i < 4; ++i)
                    decodes.push_back({bench::Decode(i), threads, kernels});
                for (int i = 0; i < 3; ++i)
                    changes.push_back({ReductionWay(i), threads, kernels});
            }
        expectChecked(measureReductions(parameters, reductions), reductions.size());
        expectChecked(measureDecodes(parameters, decodes), decodes.size());
        for (const std::size_t count : {1u, 20u, 300u})
            expectChecked(measureChanges(parameters, count, changes), changes.size());
    }
}

// Adds one to the count of one node, a defect that the experiment must report.
void miscount(const std::uint32_t* words, std::uint32_t* deepest, std::uint32_t* middle, std::uint32_t* highest,
              std::size_t size)
{
    findWordKernels("portable")->countThreeLevels(words, deepest, middle, highest, size);
    ++deepest[size / 2];
}
void miscountPairs(const std::uint32_t* words, std::uint32_t* counts, std::size_t size)
{
    findWordKernels("portable")->countPairs(words, counts, size);
    ++counts[size / 2];
}
NodeId* misplace(const std::uint32_t* words, std::size_t size, NodeId node, NodeId* out)
{
    NodeId* const end = findWordKernels("portable")->decode(words, size, node, out);
    ++*out;
    return end;
}

TEST(Experiments, SeeAWrongCountAndAWrongLeaf)
{
    WordKernels wrong = *findWordKernels("portable");
    wrong.countThreeLevels = miscount;
    wrong.countPairs = miscountPairs;
    wrong.decode = misplace;
    const bench::TreeParameters parameters{.depth = 12, .trials = kShort};
    for (const bench::Reduction reduction : {bench::Reduction::kWide, bench::Reduction::kOnePass})
    {
        const std::vector<bench::TreeRow> rows =
            *measureReductions(parameters, {{}, {.reduction = reduction, .kernels = &wrong}});
        ASSERT_EQ(rows.size(), 2u);
        EXPECT_TRUE(rows[0].timing.equal);
        EXPECT_FALSE(rows[1].timing.equal) << rows[1].variant;
    }
    EXPECT_FALSE(measureDecodes(parameters, {{.kernels = &wrong}})->at(0).timing.equal);
    EXPECT_FALSE(measureChanges(parameters, 3, {{.way = ReductionWay::kFull, .kernels = &wrong}})->at(0).timing.equal);
}

TEST(Experiments, UpdatesOfEveryWayEndInTheSameConformingLeaves)
{
    std::vector<bench::UpdateVariant> variants;
    for (const int threads : {1, 2, 5})
        for (int way = 0; way < 3; ++way)
            variants.push_back({bench::UpdateWay(way), threads});
    expectChecked(measureUpdates({.depth = 13, .trials = kShort}, variants), variants.size());
}

TEST(Updates, AlternatingFramesConformAndDependOnNoOrder)
{
    for (unsigned seed = 0; seed < 12; ++seed)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        test::Random random(seed);
        Cbt serialTree(11, 4), shuffledTree(11, 4);
        SerialExecutor serial;
        test::ShuffledExecutor shuffled(1 + int(seed % 5), seed);
        for (int frame = 0; frame < 24; ++frame)
        {
            const bench::Focus focus{.x = random.unit(), .y = random.unit(), .depth = 11, .share = 0.15};
            alternatingFrame(serialTree, frame, focus, serial);
            alternatingFrame(shuffledTree, frame, focus, shuffled);
            ASSERT_TRUE(std::ranges::equal(serialTree.words(), shuffledTree.words())) << "frame " << frame;
            ASSERT_EQ(leb::conformityFault(serialTree), "") << "frame " << frame;
        }
    }
}

TEST(Updates, RoundsThatReduceWhatChangedAreRounds)
{
    Cbt full(12, 3), changed(12, 3);
    ThreadPool executor(3);
    ChangedReduction reduction(executor);
    for (int frame = 0; frame < 40; ++frame)
    {
        const bench::Focus focus{.x = 0.02 * frame, .y = 0.6, .depth = 12};
        const leb::RoundCounts a = leb::runRound(full, ~NodeId(0), focus, executor);
        const leb::RoundCounts b = incrementalRound(changed, focus, executor, reduction);
        ASSERT_EQ(a, b) << "frame " << frame;
        ASSERT_TRUE(std::ranges::equal(full.words(), changed.words())) << "frame " << frame;
    }
}

// The paper says that leaves may be found and changed in one pass. That holds in its layout and for the tree alone. For
// a conforming mesh, and where more than one level is read from the bits, the result depends on the order.
TEST(Updates, OnlyASnapshotFreesThemFromOrder)
{
    using bench::FusedLayout;
    using bench::OneFrame;
    const auto count = [](OneFrame kind, FusedLayout layout) {
        return countOrderDependence(kind, layout, 12, 12, 4, 1);
    };
    for (const OneFrame kind : {OneFrame::kRound, OneFrame::kAlternating})
    {
        EXPECT_EQ(count(kind, FusedLayout::kWide).differing, 0);
        EXPECT_EQ(count(kind, FusedLayout::kWide).faulty, 0);
    }
    EXPECT_EQ(count(OneFrame::kFusedPlain, FusedLayout::kPacked).differing, 0);
    EXPECT_GT(count(OneFrame::kFusedPlain, FusedLayout::kWide).differing, 0);
    for (const FusedLayout layout : {FusedLayout::kPacked, FusedLayout::kWide})
    {
        const bench::OrderDependence found = count(OneFrame::kFusedConforming, layout);
        EXPECT_GT(found.differing, 0);
        EXPECT_GT(found.faulty, 0);
        EXPECT_EQ(found.frames, 12);
    }
}

}  // namespace
}  // namespace orogen
