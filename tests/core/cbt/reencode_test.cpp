// Re-encoding, truncation and the hash of the leaves, against sets of node numbers.
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "core/cbt/cbt.h"
#include "core/cbt/packed_cbt.h"
#include "core/cbt/tree.h"
#include "tests/support/random.h"

namespace orogen {
namespace {

using test::Random;

template <class Tree>
Tree randomTree(unsigned seed)
{
    Random random(seed);
    Tree tree(random.between(6, 13), random.between(0, 3));
    for (int edit = random.between(0, 150); edit > 0; --edit)
    {
        tree.split(tree.leaf(random.below(tree.leafCount())));
        tree.reduce();
    }
    return tree;
}

template <class Tree>
std::set<NodeId> leafSet(const Tree& tree)
{
    const std::vector<NodeId> leaves = leavesOf(tree);
    return {leaves.begin(), leaves.end()};
}

std::set<NodeId> withAncestorsAt(const std::set<NodeId>& leaves, int depth)
{
    std::set<NodeId> cut;
    for (NodeId leaf : leaves)
    {
        while (leaf >= NodeId(2) << depth)
            leaf /= 2;
        cut.insert(leaf);
    }
    return cut;
}

template <class Tree>
class Reencoding : public testing::Test
{
};
using Layouts = testing::Types<Cbt, PackedCbt>;
TYPED_TEST_SUITE(Reencoding, Layouts);

TYPED_TEST(Reencoding, RaisingKeepsTheLeavesAndLoweringTakesAncestors)
{
    for (unsigned seed = 0; seed < 100; ++seed)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        const TypeParam tree = randomTree<TypeParam>(seed);
        for (int depth = 6; depth <= 15; ++depth)
        {
            const TypeParam other = reencoded(tree, depth);
            ASSERT_EQ(other.maxDepth(), depth);
            ASSERT_EQ(leafSet(other), withAncestorsAt(leafSet(tree), depth)) << "depth " << depth;
            ASSERT_TRUE(depth < tree.maxDepth() || leafSet(other) == leafSet(tree));
        }
    }
}

TYPED_TEST(Reencoding, TruncatesAtAnyDepthAndFindsTheDeepestThatFits)
{
    for (unsigned seed = 0; seed < 100; ++seed)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        const TypeParam tree = randomTree<TypeParam>(seed);
        std::vector<NodeId> sizes;
        for (int depth = 0; depth <= tree.maxDepth(); ++depth)
        {
            const TypeParam cut = truncated(tree, depth);
            ASSERT_EQ(cut.maxDepth(), tree.maxDepth());
            ASSERT_EQ(leafSet(cut), withAncestorsAt(leafSet(tree), depth)) << "depth " << depth;
            sizes.push_back(cut.leafCount());
        }
        for (NodeId capacity = 1; capacity <= tree.leafCount() + 1; ++capacity)
        {
            int deepest = 0;
            for (int depth = 0; depth <= tree.maxDepth(); ++depth)
                if (sizes[std::size_t(depth)] <= capacity) deepest = depth;
            ASSERT_EQ(depthThatFits(tree, capacity), deepest) << "capacity " << capacity;
        }
    }
}

TYPED_TEST(Reencoding, TheHashKnowsTheLeavesAndNothingElse)
{
    std::set<std::uint64_t> hashes;
    std::set<std::set<NodeId>> sets;
    for (unsigned seed = 0; seed < 300; ++seed)
    {
        const TypeParam tree = randomTree<TypeParam>(seed);
        ASSERT_EQ(leafHash(tree), leafHash(reencoded<Cbt>(tree, 14, 14)));
        ASSERT_EQ(leafHash(tree), leafHash(reencoded<PackedCbt>(tree, 13, 13)));
        hashes.insert(leafHash(tree));
        sets.insert(leafSet(tree));
    }
    EXPECT_EQ(hashes.size(), sets.size());
    EXPECT_GT(sets.size(), 250u);
}

}  // namespace
}  // namespace orogen
