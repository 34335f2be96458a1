// shaders/tree/cbt.glsl and shaders/tree/leb.glsl, compiled as C++, against core.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "core/cbt/cbt.h"
#include "core/cbt/tree.h"
#include "core/leb/leb.h"
#include "tests/support/glsl_round.h"
#include "tests/support/glsl_twin.h"
#include "tests/support/random.h"
#include "tests/support/shuffled_executor.h"

namespace orogen::test {
namespace {

GlslTwin twinOf(const Cbt& tree) { return GlslTwin({tree.words().begin(), tree.words().end()}, 1); }

Cbt randomTree(Random& random)
{
    Cbt tree(random.between(6, 12), random.between(0, 3));
    for (int edit = random.between(0, 200); edit > 0; --edit)
        tree.splitCounted(tree.leaf(random.below(tree.leafCount())));
    return tree;
}

TEST(CbtGlsl, AnswersEveryQueryAsCoreDoes)
{
    for (unsigned seed = 0; seed < 60; ++seed)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        Random random(seed);
        const Cbt tree = randomTree(random);
        GlslTwin twin = twinOf(tree);
        ASSERT_EQ(twin.cbtMaxDepth(), uint(tree.maxDepth()));
        ASSERT_EQ(twin.cbtWordCount() * 2, tree.words().size());
        ASSERT_EQ(twin.cbtLeafCount(), tree.leafCount());
        ASSERT_FALSE(twin.cbtIsLeaf(0));
        for (uint node = 1; node < 2u << tree.maxDepth(); ++node)
        {
            ASSERT_EQ(twin.cbtDepth(node), uint(depthOf(node)));
            ASSERT_EQ(twin.cbtFirstBit(node), firstBit(node, tree.maxDepth()));
            ASSERT_EQ(twin.cbtLeavesBelow(node), tree.leavesBelow(node)) << node;
            ASSERT_EQ(twin.cbtIsLeaf(node), tree.isLeaf(node)) << node;
        }
        uint number = 0;
        forEachLeaf(tree, [&](NodeId leaf) {
            ASSERT_EQ(twin.cbtLeaf(number), leaf);
            ASSERT_EQ(twin.cbtLeafNumber(leaf), number++);
        });
    }
}

TEST(CbtGlsl, WritesTheSameWordsAsCoreDoes)
{
    for (unsigned seed = 0; seed < 60; ++seed)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        Random random(seed);
        Cbt tree = randomTree(random);
        GlslTwin twin = twinOf(tree);
        for (int round = 0; round < 20; ++round)
        {
            for (const NodeId leaf : leavesOf(tree))
            {
                if (!isLeafNow(tree, leaf)) continue;
                if (random.chance(1, 8)) tree.split(leaf), twin.cbtSplit(leaf);
                if (random.chance(1, 8) && isLeafNow(tree, leaf) && isLeafNow(tree, leaf ^ 1u))
                    tree.merge(leaf), twin.cbtMerge(leaf);
            }
            SerialExecutor serial;
            tree.reduce();
            reduceTwin(twin, serial);
            ASSERT_TRUE(std::ranges::equal(twin.heap, tree.words())) << "round " << round;
        }
    }
}

TEST(CbtGlsl, HoldsTheLargestDepth)
{
    Cbt tree(kMaxTreeDepth);
    const NodeId last = 0x7fffffffu;
    for (NodeId node = 1; node <= last / 2; node = 2 * node + 1)
        tree.split(node);
    for (NodeId node = 2; node <= last / 4; node *= 2)
        tree.split(node);
    tree.reduce();
    GlslTwin twin = twinOf(tree);
    uint number = 0;
    forEachLeaf(tree, [&](NodeId leaf) {
        ASSERT_EQ(twin.cbtLeaf(number), leaf);
        ASSERT_EQ(twin.cbtLeafNumber(leaf), number++);
        ASSERT_TRUE(twin.cbtIsLeaf(leaf));
        ASSERT_FALSE(twin.cbtIsLeaf(leaf / 2));
    });
    twin.cbtMerge(last);
    twin.cbtSplit(1u << 29);
    tree.merge(last);
    tree.split(1u << 29);
    ASSERT_TRUE(std::ranges::equal(twin.heap, tree.words()));
}

TEST(CbtGlsl, SelectsTheBitOfEveryRank)
{
    GlslTwin twin = twinOf(Cbt(6));
    Random random(1);
    for (int i = 0; i < 10'000; ++i)
    {
        const uint word = i < 32 ? 1u << i : i == 32 ? 0xffffffffu : random.bits() & random.bits();
        uint rank = 0;
        for (uint bit = 0; bit < 32; ++bit)
            ASSERT_TRUE((word >> bit & 1u) == 0 || twin.cbtSelect(word, rank++) == bit) << word;
    }
}

// ---- leb.glsl ----

leb::Point pointOf(uvec2 p) { return {p.x, p.y}; }
leb::Edge edgeOf(const GlslTwin::LebEdge& e) { return {pointOf(e.low), pointOf(e.high)}; }

void expectSameBisector(GlslTwin& twin, NodeId node)
{
    const GlslTwin::LebNeighbours n = twin.lebNeighbours(node);
    ASSERT_EQ((leb::Neighbours{n.left, n.right, n.edge}), leb::neighbours(node)) << node;
    ASSERT_EQ(n.node, node);
    if (node < 2) return;
    const GlslTwin::LebTriangle t = twin.lebVertices(node);
    const leb::Triangle expected = leb::vertices(node);
    ASSERT_EQ((leb::Triangle{pointOf(t.apex), pointOf(t.base0), pointOf(t.base1)}), expected) << node;
    ASSERT_EQ(edgeOf(twin.lebBaseEdge(t)), leb::baseEdge(expected)) << node;
    ASSERT_TRUE(node < 4 || edgeOf(twin.lebParentBaseEdge(node, t)) == leb::parentBaseEdge(node)) << node;
}

TEST(LebGlsl, HasTheBisectorsOfCore)
{
    GlslTwin twin = twinOf(Cbt(6));
    static_assert(GlslTwin::kLebLatticeBits == leb::kLatticeBits);
    for (NodeId node = 1; node < 1u << 14; ++node)
        expectSameBisector(twin, node);
    Random random(1);
    for (int i = 0; i < 20'000; ++i)
        expectSameBisector(twin, (1u << 30 | random.bits() >> 2) >> random.below(16));
}

TEST(LebGlsl, BoxesTheDiamondOfABase)
{
    GlslTwin twin = twinOf(Cbt(6));
    Random random(1);
    for (int i = 0; i < 20'000; ++i)
    {
        const NodeId node = i < 5'000 ? NodeId(i + 2) : 1u << 29 | random.bits() >> 3;
        const NodeId across = leb::neighbours(node).edge;
        leb::Point low{leb::kSide, leb::kSide}, high{0, 0};
        for (const NodeId half : {node, across == 0 ? node : across})
            for (const leb::Triangle t = leb::vertices(half); const leb::Point p : {t.apex, t.base0, t.base1})
            {
                low = {std::min(low.x, p.x), std::min(low.y, p.y)};
                high = {std::max(high.x, p.x), std::max(high.y, p.y)};
            }
        const GlslTwin::LebBox box = twin.lebDiamond(twin.lebBaseEdge(twin.lebVertices(node)));
        ASSERT_EQ(pointOf(box.low), low) << node;
        ASSERT_EQ(pointOf(box.high), high) << node;
    }
}

}  // namespace
}  // namespace orogen::test
