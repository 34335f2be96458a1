// Both layouts of the tree, against each other and two independent models.
#include "core/cbt/cbt.h"

#include <bit>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "core/cbt/packed_cbt.h"
#include "core/cbt/tree.h"
#include "tests/support/random.h"
#include "tests/support/test_scale.h"
#include "tests/support/tree_oracle.h"

namespace orogen {
namespace {

using test::LeafSet;
using test::PointerTree;
using test::Random;

template <class Tree>
class TreeTest : public testing::Test
{
};
using Layouts = testing::Types<Cbt, PackedCbt>;
TYPED_TEST_SUITE(TreeTest, Layouts);

// Checks every query against the leaves from left to right.
template <class Tree>
void expectLeaves(const Tree& tree, const std::vector<NodeId>& expected)
{
    ASSERT_EQ(tree.leafCount(), expected.size());
    ASSERT_EQ(leavesOf(tree), expected);
    for (NodeId number = 0; number < expected.size(); ++number)
    {
        ASSERT_EQ(tree.leaf(number), expected[number]) << "number " << number;
        ASSERT_EQ(tree.leafNumber(expected[number]), number) << "leaf " << expected[number];
    }
}

TYPED_TEST(TreeTest, StartsUniformAtAnyDepth)
{
    for (int maxDepth = 6; maxDepth <= 13; ++maxDepth)
        for (int depth = 0; depth <= maxDepth; ++depth)
        {
            SCOPED_TRACE(testing::Message() << "D " << maxDepth << ", initial depth " << depth);
            std::vector<NodeId> expected;
            for (NodeId node = 1u << depth; node < 2u << depth; ++node)
                expected.push_back(node);
            const TypeParam tree(maxDepth, depth);
            EXPECT_EQ(tree.maxDepth(), maxDepth);
            expectLeaves(tree, expected);
        }
}

TYPED_TEST(TreeTest, AnswersForEveryNode)
{
    for (unsigned seed = 0; seed < 40; ++seed)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        Random random(seed);
        TypeParam tree(random.between(6, 10));
        LeafSet leaves;
        PointerTree pointers;
        for (int edit = random.between(0, 199); edit > 0; --edit)
        {
            const std::vector<NodeId> ordered = leaves.ordered();
            const NodeId leaf = random.pick(ordered);
            if (depthOf(leaf) == tree.maxDepth()) continue;
            tree.split(leaf), leaves.split(leaf), pointers.split(leaf);
        }
        tree.reduce();
        for (NodeId node = 1; node < 2u << tree.maxDepth(); ++node)
        {
            const std::size_t count = pointers.leavesBelow(node);
            ASSERT_EQ(tree.isLeaf(node), leaves.contains(node)) << node;
            ASSERT_EQ(isLeafNow(tree, node), leaves.contains(node)) << node;
            ASSERT_EQ(isInnerNow(tree, node), count > 1) << node;
            ASSERT_TRUE(count == 0 || tree.leavesBelow(node) == count) << node;
        }
    }
}

TYPED_TEST(TreeTest, CountsGoStaleAndBitsDoNot)
{
    TypeParam tree(8);
    tree.split(1);
    tree.split(3);
    EXPECT_EQ(tree.leafCount(), 1u);
    EXPECT_TRUE(tree.isLeaf(1));
    EXPECT_FALSE(isLeafNow(tree, 1));
    EXPECT_TRUE(isLeafNow(tree, 2));
    EXPECT_TRUE(isLeafNow(tree, 7));
    EXPECT_FALSE(isLeafNow(tree, 4)) << "below a leaf";
    tree.reduce();
    EXPECT_EQ(tree.leafCount(), 3u);
    EXPECT_TRUE(tree.isLeaf(7));
}

TYPED_TEST(TreeTest, LeavesTileTheField)
{
    TypeParam tree(9);
    for (const NodeId leaf : {1u, 2u, 5u, 11u, 3u, 7u, 15u, 31u, 63u, 127u, 255u})
        tree.split(leaf);
    tree.reduce();
    NodeId covered = 0;
    for (const NodeId leaf : leavesOf(tree))
    {
        EXPECT_EQ(firstBit(leaf, 9), covered) << leaf;
        covered += 1u << (9 - depthOf(leaf));
    }
    EXPECT_EQ(covered, 1u << 9);
}

TYPED_TEST(TreeTest, TheDeepestLeafDoesNotSplitAndTheRootDoesNotMerge)
{
    TypeParam tree(6, 6);
    for (NodeId leaf = 64; leaf < 128; ++leaf)
        tree.split(leaf);
    tree.reduce();
    EXPECT_EQ(tree.leafCount(), 64u);
    TypeParam root(6);
    root.merge(1);
    root.reduce();
    expectLeaves(root, {1});
}

TYPED_TEST(TreeTest, HoldsTheLargestDepth)
{
    TypeParam tree(kMaxTreeDepth);
    const NodeId last = 0x7fffffffu;  // the rightmost node of depth 30
    for (NodeId node = 1; node < last / 2; node = 2 * node + 1)
        tree.split(node);
    tree.split(last / 2);
    tree.split(2);
    tree.reduce();
    EXPECT_EQ(tree.leafCount(), 32u);
    EXPECT_EQ(tree.leaf(0), 4u);
    EXPECT_EQ(tree.leaf(31), last);
    EXPECT_EQ(tree.leafNumber(last - 1), 30u);
    EXPECT_TRUE(tree.isLeaf(last));
    EXPECT_FALSE(isLeafNow(tree, last / 2));
}

// ---- reliability R3: agreement with models ----

struct Models
{
    Cbt wide;
    PackedCbt packed;
    LeafSet leaves;
    PointerTree pointers;

    explicit Models(int depth) : wide(depth), packed(depth) {}

    template <class Edit>
    void forAll(Edit&& edit)
    {
        edit(wide), edit(packed), edit(leaves), edit(pointers);
    }
    // Makes one legal edit, if the leaf allows it.
    void edit(NodeId leaf, bool splitting)
    {
        if (splitting && depthOf(leaf) < wide.maxDepth()) forAll([&](auto& tree) { tree.split(leaf); });
        if (!splitting && leaves.canMerge(leaf)) forAll([&](auto& tree) { tree.merge(leaf); });
    }
    void reduceAndCompare(Random& random)
    {
        wide.reduce();
        packed.reduce();
        const std::vector<NodeId> expected = leaves.ordered();
        ASSERT_EQ(pointers.ordered(), expected) << "the two models disagree";
        ASSERT_EQ(leavesOf(wide), expected);
        ASSERT_EQ(leavesOf(packed), expected);
        const NodeId number = random.below(NodeId(expected.size()));
        ASSERT_EQ(wide.leaf(number), expected[number]);
        ASSERT_EQ(packed.leaf(number), expected[number]);
        ASSERT_EQ(wide.leafNumber(expected[number]), number);
        ASSERT_EQ(packed.leafNumber(expected[number]), number);
        const NodeId node = 1 + random.below((2u << wide.maxDepth()) - 1);
        ASSERT_EQ(wide.leavesBelow(node), packed.leavesBelow(node)) << node;
        ASSERT_EQ(wide.isLeaf(node), leaves.contains(node)) << node;
        ASSERT_EQ(packed.isLeaf(node), leaves.contains(node)) << node;
    }
};

int randomDepth(Random& random)
{
    const std::uint32_t kind = random.below(1000);
    return kind < 800 ? random.between(6, 8) : kind < 990 ? random.between(9, 10) : random.between(11, 20);
}

void editAtRandom(unsigned seed, int rounds)
{
    Random random(seed);
    Models models(randomDepth(random));
    const std::uint32_t splitsIn8 = 3 + random.below(4);
    for (int round = 0; round < rounds; ++round)
    {
        const std::vector<NodeId> snapshot = models.leaves.ordered();  // edits of a round use its initial leaves
        for (int edits = random.between(1, 4); edits > 0; --edits)
        {
            const NodeId leaf = random.pick(snapshot);
            if (models.leaves.contains(leaf)) models.edit(leaf, random.chance(splitsIn8, 8));
        }
        models.reduceAndCompare(random);
        if (testing::Test::HasFatalFailure()) return;
    }
}

TEST(TreeAgainstModelsThorough, RandomEditsInBothLayouts)
{
    const unsigned sequences = test::scaled(10'000u, 1'000'000u);
    for (unsigned seed = 0; seed < sequences; ++seed)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        editAtRandom(seed, 100);
        if (HasFatalFailure()) return;
    }
}

// ---- reliability R4: small trees, exhaustively ----

// Runs all legal sequences of at most `length` edits after those in `edits`, replaying a tree for each.
struct Exhaustive
{
    int initialDepth;
    std::vector<std::pair<NodeId, bool>> edits{};
    std::uint64_t sequences = 0;

    void run(int length)
    {
        Models models(6);
        for (NodeId node = 1; node < 1u << initialDepth; ++node)
            models.edit(node, true);
        for (const auto& [leaf, splitting] : edits)
            models.edit(leaf, splitting);
        Random random(sequences++);
        models.reduceAndCompare(random);
        if (length == 0 || testing::Test::HasFatalFailure()) return;
        for (const NodeId leaf : models.leaves.ordered())
            for (const bool splitting : {true, false})
            {
                if (splitting ? depthOf(leaf) == 6 : leaf % 2 == 0 || !models.leaves.canMerge(leaf)) continue;
                edits.emplace_back(leaf, splitting);
                run(length - 1);
                edits.pop_back();
            }
    }
};

TEST(TreeAgainstModelsThorough, AllShortEditSequencesOfTheSmallestTree)
{
    Exhaustive fromRoot{.initialDepth = 0};
    fromRoot.run(test::scaled(6, 8));
    EXPECT_GT(fromRoot.sequences, 1'000u);
    Exhaustive fromBelowTheWords{.initialDepth = 5};  // last level, at the maximum depth
    fromBelowTheWords.run(test::scaled(2, 3));
    EXPECT_GT(fromBelowTheWords.sequences, 2'000u);
}

}  // namespace
}  // namespace orogen
