// Wide tree with every instruction set and any number of threads, against counts from its bits.
#include <algorithm>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/thread_pool.h"
#include "core/cbt/cbt.h"
#include "core/cbt/tree.h"
#include "core/cbt/word_kernels.h"
#include "tests/support/random.h"
#include "tests/support/random_tree.h"
#include "tests/support/shuffled_executor.h"
#include "tests/support/test_scale.h"

namespace orogen {
namespace {

using test::Random;

std::vector<std::uint32_t> wordsOf(const Cbt& tree) { return {tree.words().begin(), tree.words().end()}; }

// Returns the words with counts made bit by bit.
std::vector<std::uint32_t> wordsByBits(const Cbt& tree)
{
    std::vector<std::uint32_t> words = wordsOf(tree);
    const std::size_t half = words.size() / 2;
    std::fill(words.begin() + 1, words.begin() + std::ptrdiff_t(half), 0);
    for (NodeId bit = 0; bit < NodeId(1) << tree.maxDepth(); ++bit)
        if (tree.bit(bit))
            for (std::size_t node = (half + bit / 32) / 2; node >= 1; node /= 2)
                ++words[node];
    return words;
}

// Serial, thread pools, and threads that run stripes in random order.
std::vector<std::unique_ptr<Executor>> executors()
{
    std::vector<std::unique_ptr<Executor>> all;
    all.push_back(std::make_unique<SerialExecutor>());
    for (int threads = 1; threads <= 8; ++threads)
        all.push_back(std::make_unique<ThreadPool>(threads));
    for (int threads = 2; threads <= 4; ++threads)
        all.push_back(std::make_unique<test::ShuffledExecutor>(threads, 1));
    return all;
}

Cbt anyTree(Random& random, int maxDepth)
{
    const int initialDepth = random.between(0, maxDepth);
    return test::randomTree<Cbt>(random, maxDepth, initialDepth, random.between(20, 95));
}

TEST(ParallelTree, ReducesToTheSameWordsByEveryInstructionSetAndAnyThreads)
{
    const auto all = executors();
    for (int maxDepth = 6; maxDepth <= 20; ++maxDepth)
        for (unsigned seed = 0; seed < (maxDepth < 16 ? test::scaled(8u, 80u) : 1u); ++seed)
        {
            SCOPED_TRACE(testing::Message() << "D " << maxDepth << ", seed " << seed);
            Random random(seed + 1000 * unsigned(maxDepth));
            Cbt tree(maxDepth);
            for (NodeId node = 1; node < NodeId(1) << maxDepth; ++node)  // all counts are wrong until the reduction
                if (isLeafNow(tree, node) && random.chance(seed % 2 ? 95 : 70, 100)) tree.split(node);
            const std::vector<std::uint32_t> expected = wordsByBits(tree);
            for (const WordKernels* kernels : availableWordKernels())
                for (const auto& executor : all)
                {
                    Cbt copy = tree;
                    copy.reduce(*executor, *kernels);
                    ASSERT_EQ(wordsOf(copy), expected) << kernels->name;
                }
        }
}

void expectDecoded(const Cbt& tree, const std::vector<NodeId>& expected, Executor& executor)
{
    for (const WordKernels* kernels : availableWordKernels())
    {
        std::vector<NodeId> leaves(tree.leafCount() + 1, 0);  // one extra to detect writes past the end
        decodeLeaves(tree, std::span(leaves).first(tree.leafCount()), executor, *kernels);
        ASSERT_EQ(leaves.back(), 0u) << kernels->name;
        leaves.pop_back();
        ASSERT_EQ(leaves, expected) << kernels->name;
    }
}

TEST(ParallelTree, DecodesTheSameLeavesByEveryInstructionSetAndAnyThreads)
{
    const auto all = executors();
    for (int maxDepth = 6; maxDepth <= 20; ++maxDepth)
        for (unsigned seed = 0; seed < (maxDepth < 16 ? test::scaled(20u, 200u) : 2u); ++seed)
        {
            SCOPED_TRACE(testing::Message() << "D " << maxDepth << ", seed " << seed);
            Random random(seed + 1000 * unsigned(maxDepth));
            const Cbt tree = anyTree(random, maxDepth);
            const std::vector<NodeId> expected = test::leavesByBits(tree);
            for (const auto& executor : all)
                expectDecoded(tree, expected, *executor);
        }
}

// Executor that runs only one range of a loop.
struct OneRange final : Executor
{
    NodeId begin = 0, end = 0;
    void run(std::uint32_t, const Body& body) override { body(begin, end); }
};

TEST(ParallelTree, ARangeWritesItsOwnLeavesAlone)
{
    for (unsigned seed = 0; seed < test::scaled(60u, 1000u); ++seed)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        Random random(seed);
        const Cbt tree = anyTree(random, random.between(6, 15));
        std::vector<NodeId> expected = test::leavesByBits(tree);
        OneRange one;
        one.begin = random.below(tree.leafCount());
        one.end = one.begin + 1 + random.below(tree.leafCount() - one.begin);
        std::fill_n(expected.begin(), one.begin, 0);
        std::fill(expected.begin() + one.end, expected.end(), 0);
        for (const WordKernels* kernels : availableWordKernels())
        {
            std::vector<NodeId> leaves(tree.leafCount(), 0);
            decodeLeaves(tree, leaves, one, *kernels);
            ASSERT_EQ(leaves, expected) << kernels->name << ", " << one.begin << " to " << one.end;
        }
    }
}

TEST(ParallelTree, DecodesUniformTreesOfEveryDepth)
{
    SerialExecutor serial;
    ThreadPool three(3);
    for (int maxDepth = 6; maxDepth <= 16; ++maxDepth)
        for (int depth = 0; depth <= maxDepth; ++depth)
        {
            SCOPED_TRACE(testing::Message() << "D " << maxDepth << ", depth " << depth);
            const Cbt tree(maxDepth, depth);
            expectDecoded(tree, test::leavesByBits(tree), serial);
            expectDecoded(tree, test::leavesByBits(tree), three);
        }
}

TEST(ParallelTree, DecodesAFewDeepLeaves)
{
    Cbt tree(26);
    for (NodeId node = 1; node < NodeId(1) << 26; node = 2 * node + (node % 3 == 0))
        tree.split(node);
    tree.reduce();
    std::vector<NodeId> expected;
    forEachLeaf(tree, [&](NodeId leaf) { expected.push_back(leaf); });
    ASSERT_EQ(expected.size(), 27u);
    ThreadPool two(2);
    expectDecoded(tree, expected, two);
}

// Splits and merges at random; returns the changed bits, in leaf order or unordered.
std::vector<NodeId> change(Cbt& tree, Random& random, std::size_t count, bool ordered)
{
    std::vector<NodeId> bits;
    const std::vector<NodeId> leaves = leavesOf(tree);
    for (std::size_t i = 0; i < count; ++i)
    {
        const NodeId leaf = random.pick(leaves);
        if (!isLeafNow(tree, leaf)) continue;
        const bool splits = random.chance(1, 2) && depthOf(leaf) < tree.maxDepth();
        if (!splits && (leaf == 1 || !isLeafNow(tree, leaf ^ 1u))) continue;
        bits.push_back(firstBit(splits ? 2 * leaf + 1 : leaf | 1, tree.maxDepth()));
        splits ? tree.split(leaf) : tree.merge(leaf);
    }
    if (ordered) std::ranges::sort(bits);
    if (random.chance(1, 2) && !bits.empty()) bits.push_back(bits.front());  // a duplicate
    return bits;
}

TEST(ChangedReduction, LeavesTheWordsOfAFullOneByEveryWayAndAnyThreads)
{
    const auto all = executors();
    for (unsigned seed = 0; seed < test::scaled(60u, 2000u); ++seed)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        Random random(seed);
        Cbt tree = anyTree(random, random.between(6, 18));
        const Cbt before = tree;
        const std::vector<NodeId> bits = change(tree, random, random.below(seed % 3 == 0 ? 5000 : 30), seed % 2 == 0);
        Cbt full = tree;
        full.reduce();
        for (const ReductionWay way : {ReductionWay::kChosen, ReductionWay::kPaths, ReductionWay::kFull})
            for (const auto& executor : all)
            {
                Cbt copy = tree;
                ChangedReduction(
                    *executor, *random.pick(std::vector(availableWordKernels().begin(), availableWordKernels().end())))
                    .reduce(copy, bits, way);
                ASSERT_EQ(wordsOf(copy), wordsOf(full)) << "way " << int(way);
            }
    }
}

TEST(ChangedReduction, IsRightOnBothSidesOfTheSwitchAndSwitchesOnce)
{
    SerialExecutor serial;
    ThreadPool two(2);
    for (const int maxDepth : {6, 9, 13, 17, 20})
    {
        const ChangedReduction chooser(serial);
        const std::size_t nodes = std::size_t(1) << (maxDepth - 6);
        std::size_t switchAt = 0;
        while (!chooser.prefersFull(maxDepth, switchAt))
            ASSERT_LE(++switchAt, nodes) << "never full";
        EXPECT_GT(switchAt, 0u) << "full where nothing changed";
        EXPECT_TRUE(chooser.prefersFull(maxDepth, nodes));
        for (const std::size_t count : {switchAt - 1, switchAt, switchAt + 1})
            for (Executor* executor : {static_cast<Executor*>(&serial), static_cast<Executor*>(&two)})
            {
                SCOPED_TRACE(testing::Message() << "D " << maxDepth << ", changes " << count << " of " << switchAt);
                Cbt tree(maxDepth, maxDepth);
                Random random(count);
                std::vector<NodeId> bits(count);
                for (NodeId& bit : bits)
                {
                    bit = random.below(NodeId(1) << maxDepth) | 1;
                    tree.merge((NodeId(1) << maxDepth) + bit);
                }
                const std::vector<std::uint32_t> expected = wordsByBits(tree);
                ChangedReduction reduction(*executor);
                const bool full = reduction.reduce(tree, bits);
                EXPECT_TRUE(count >= 256 || full == (count >= switchAt));  // larger sets are estimated from samples
                ASSERT_EQ(wordsOf(tree), expected);
            }
    }
}

// The cost follows the number of touched nodes, which is small for adjacent changes.
TEST(ChangedReduction, CountsNodesNotChanges)
{
    SerialExecutor serial;
    ChangedReduction reduction(serial);
    Cbt tree(20, 20);
    std::vector<NodeId> together, apart;
    for (NodeId i = 0; i < 4000; ++i)
    {
        together.push_back(2 * i + 1);
        apart.push_back((i * 262 + 1) % (1u << 20) | 1u);
    }
    ASSERT_TRUE(reduction.prefersFull(20, together.size()));
    for (const NodeId bit : together)
        tree.merge((NodeId(1) << 20) + bit);
    EXPECT_FALSE(reduction.reduce(tree, together));
    EXPECT_EQ(wordsOf(tree), wordsByBits(tree));
    for (const NodeId bit : apart)
        tree.merge((NodeId(1) << 20) + bit);
    EXPECT_TRUE(reduction.reduce(tree, apart));
    EXPECT_EQ(wordsOf(tree), wordsByBits(tree));
}

TEST(ParallelTree, HoldsADeepTree)
{
    constexpr int kDepth = 26;
    Cbt tree(kDepth, 20);
    Random random(26);
    std::vector<NodeId> bits;
    for (NodeId leaf = 1u << 20; leaf < 1u << 21; ++leaf)
        if (random.chance(1, 100))
        {
            NodeId node = leaf;
            while (depthOf(node) < kDepth)
            {
                bits.push_back(firstBit(2 * node + 1, kDepth));
                tree.split(node);
                node = 2 * node + random.below(2);
            }
        }
    const std::vector<std::uint32_t> expected = wordsByBits(tree);
    ThreadPool two(2);
    for (const ReductionWay way : {ReductionWay::kChosen, ReductionWay::kPaths, ReductionWay::kFull})
    {
        Cbt copy = tree;
        ChangedReduction(two).reduce(copy, bits, way);
        ASSERT_EQ(wordsOf(copy), expected) << int(way);
    }
    tree.reduce();
    std::vector<NodeId> leaves;
    forEachLeaf(tree, [&](NodeId leaf) { leaves.push_back(leaf); });
    expectDecoded(tree, leaves, two);
}

TEST(WordKernels, EndWithThePortableSetAndAreFoundByName)
{
    EXPECT_STREQ(availableWordKernels().back()->name, "portable");
    EXPECT_EQ(&bestWordKernels(), availableWordKernels().front());
    for (const WordKernels* kernels : availableWordKernels())
        EXPECT_EQ(findWordKernels(kernels->name), kernels);
    EXPECT_EQ(findWordKernels("sse9"), nullptr);
}

}  // namespace
}  // namespace orogen
