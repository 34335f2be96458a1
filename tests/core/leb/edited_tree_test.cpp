// Properties that an edited tree reports of its mesh, against the mesh itself.
#include "core/leb/edited_tree.h"

#include <gtest/gtest.h>

#include "core/leb/conformity.h"
#include "tests/support/random.h"
#include "tests/support/test_scale.h"

namespace orogen::leb {
namespace {

template <class Tree>
class EditedTrees : public testing::Test
{
};
using Layouts = testing::Types<Cbt, PackedCbt>;
TYPED_TEST_SUITE(EditedTrees, Layouts);

TYPED_TEST(EditedTrees, KnowWhatTheMeshShows)
{
    test::Random random(3);
    int conforming = 0, torn = 0;
    for (int round = 0; round < 200; ++round)
    {
        const int depth = random.between(6, 11), initial = random.between(0, depth);
        EditedTree<TypeParam> edited(depth, initial);
        const bool keepsTogether = random.chance(1, 2);
        for (int i = 0; i < 40; ++i)
        {
            Edit edit{EditKind(random.below(4)), 1 + random.below(NodeId(2) << depth)};
            if (keepsTogether) edit.kind = random.chance(1, 2) ? EditKind::kSplitConforming : EditKind::kMergeDiamond;
            if (random.chance(3, 4)) edit.node = edited.tree().leaf(random.below(edited.tree().leafCount()));
            (void)!edited.apply(edit);
            edited.reduce();
            TypeParam whole = edited.tree();
            whole.reduce();
            ASSERT_TRUE(std::ranges::equal(whole.words(), edited.tree().words())) << "the counts";
            ASSERT_EQ(edited.leafHash(), leafHash(whole));
            ASSERT_EQ(edited.conforming(), conformityFault(whole).empty()) << "round " << round << " edit " << i;
            (edited.conforming() ? conforming : torn) += 1;
        }
    }
    EXPECT_GT(conforming, 1'000);
    EXPECT_GT(torn, 1'000);
}

// Enough changes that all counts are recomputed.
TYPED_TEST(EditedTrees, ReduceWhateverHasChanged)
{
    EditedTree<TypeParam> edited(12, 4);
    for (NodeId node = 16; node < 2048; ++node)
        ASSERT_TRUE(edited.apply({EditKind::kSplit, node}));
    edited.reduce();
    EXPECT_EQ(edited.tree().leafCount(), 2048u);
    EXPECT_EQ(edited.leafHash(), hashOfDepth(11));
    EXPECT_TRUE(edited.conforming());
    EXPECT_TRUE(std::ranges::equal(edited.tree().words(), TypeParam(12, 11).words()));
}

TYPED_TEST(EditedTrees, BeginWithEveryLeafOfADepth)
{
    for (int depth = 6; depth <= 12; ++depth)
        for (int initial = 0; initial <= depth; ++initial)
        {
            TypeParam split(depth);
            for (NodeId node = 1; node < NodeId(1) << initial; ++node)
                split.split(node);
            split.reduce();
            ASSERT_TRUE(std::ranges::equal(split.words(), TypeParam(depth, initial).words()))
                << depth << ' ' << initial;
        }
}

TEST(HashOfDepth, IsTheSumOverItsNodes)
{
    for (int depth = 0; depth <= (test::longTests() ? kMaxTreeDepth : 20); ++depth)
    {
        std::uint64_t sum = 0;
        for (NodeId node = NodeId(1) << depth; node < NodeId(2) << depth; ++node)
            sum += hashOfLeaf(node);
        EXPECT_EQ(hashOfDepth(depth), sum) << depth;
    }
}

}  // namespace
}  // namespace orogen::leb
