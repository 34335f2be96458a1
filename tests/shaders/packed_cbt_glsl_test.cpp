// shaders/lab/packed_cbt.glsl, compiled as C++, against core.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "core/cbt/packed_cbt.h"
#include "core/cbt/tree.h"
#include "core/glsl_types.h"
#include "tests/support/random.h"

namespace orogen::test {
namespace {

using namespace orogen::gpu;

struct PackedTwin
{
    std::vector<uint> packedHeap;
#include "shaders/lab/packed_cbt.glsl"
};

void splitAtRandom(PackedCbt& tree, Random& random)
{
    for (const NodeId leaf : leavesOf(tree))
        if (random.chance(1, 2)) tree.split(leaf);
    tree.reduce();
}

PackedCbt randomTree(Random& random)
{
    PackedCbt tree(random.between(6, 12), random.between(0, 3));
    for (int i = random.between(0, 8); i > 0; --i)
        splitAtRandom(tree, random);
    return tree;
}

TEST(PackedCbtGlsl, AnswersEveryQueryAsCoreDoes)
{
    for (unsigned seed = 0; seed < 60; ++seed)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        Random random(seed);
        const PackedCbt tree = randomTree(random);
        PackedTwin twin{{tree.words().begin(), tree.words().end()}};
        ASSERT_EQ(twin.packedMaxDepth(), uint(tree.maxDepth()));
        for (uint node = 1; node < 2u << tree.maxDepth(); ++node)
        {
            ASSERT_EQ(twin.packedLeavesBelow(node), tree.leavesBelow(node)) << node;
            ASSERT_EQ(twin.packedIsLeaf(node), tree.isLeaf(node)) << node;
        }
        uint number = 0;
        forEachLeaf(tree, [&](NodeId leaf) { ASSERT_EQ(twin.packedLeaf(number++), leaf); });
    }
}

TEST(PackedCbtGlsl, WritesTheSameWordsAsCoreDoes)
{
    for (unsigned seed = 0; seed < 60; ++seed)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        Random random(seed);
        PackedCbt tree = randomTree(random);
        PackedTwin twin{{tree.words().begin(), tree.words().end()}};
        for (int round = 0; round < 10; ++round)
        {
            for (const NodeId leaf : leavesOf(tree))
            {
                if (!isLeafNow(tree, leaf)) continue;
                if (random.chance(1, 8)) tree.split(leaf), twin.packedSplit(leaf);
                if (random.chance(1, 8) && isLeafNow(tree, leaf) && isLeafNow(tree, leaf ^ 1u))
                    tree.merge(leaf), twin.packedMerge(leaf);
            }
            tree.reduce();
            for (int level = tree.maxDepth() - 1; level >= 0; --level)
                for (uint node = 1u << level; node < 2u << level; ++node)
                    twin.packedReduce(node);
            ASSERT_TRUE(std::ranges::equal(twin.packedHeap, tree.words())) << "round " << round;
        }
    }
}

}  // namespace
}  // namespace orogen::test
