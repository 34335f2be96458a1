// Longest-edge bisection against plain geometry: positions in doubles, neighbours by comparing edges.
#include "core/leb/leb.h"

#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/cbt/cbt.h"
#include "core/cbt/packed_cbt.h"
#include "core/leb/conformity.h"
#include "tests/support/random.h"
#include "tests/support/test_scale.h"

namespace orogen::leb {
namespace {

struct Place
{
    double x, y;
    auto operator<=>(const Place&) const = default;
};
using Side = std::pair<Place, Place>;

Place placeOf(Point p) { return {std::ldexp(p.x, -kLatticeBits), std::ldexp(p.y, -kLatticeBits)}; }
double squaredLength(Place a, Place b) { return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y); }
double area(const Triangle& t)
{
    const Place a = placeOf(t.apex), b = placeOf(t.base0), c = placeOf(t.base1);
    return std::abs((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)) / 2;
}
Side side(Point a, Point b) { return std::minmax(placeOf(a), placeOf(b)); }

void expectRightIsosceles(NodeId node)
{
    const Triangle t = vertices(node);
    const Place a = placeOf(t.apex), b = placeOf(t.base0), c = placeOf(t.base1);
    EXPECT_EQ(area(t), std::ldexp(1.0, -depthOf(node))) << node;
    EXPECT_EQ(squaredLength(a, b), squaredLength(a, c)) << node;
    EXPECT_EQ(squaredLength(b, c), 2 * squaredLength(a, b)) << node;
}

TEST(Bisection, HalvesAreTheSquareOnEitherSideOfOneDiagonal)
{
    EXPECT_EQ(vertices(2), (Triangle{{0, 0}, {0, kSide}, {kSide, 0}}));
    EXPECT_EQ(vertices(3), (Triangle{{kSide, kSide}, {kSide, 0}, {0, kSide}}));
}

TEST(Bisection, ASplitJoinsTheApexToTheMiddleOfTheBase)
{
    for (NodeId node = 2; node < 1u << 13; ++node)
    {
        expectRightIsosceles(node);
        const Triangle parent = vertices(node), first = vertices(2 * node), second = vertices(2 * node + 1);
        const Point middle{(parent.base0.x + parent.base1.x) / 2, (parent.base0.y + parent.base1.y) / 2};
        ASSERT_EQ(first, (Triangle{middle, parent.base0, parent.apex})) << node;
        ASSERT_EQ(second, (Triangle{middle, parent.apex, parent.base1})) << node;
    }
}

TEST(Bisection, VerticesAreExactDownToTheLastLevel)
{
    test::Random random(1);
    for (int i = 0; i < 20'000; ++i)
        expectRightIsosceles(1u << 30 | random.bits() >> 2);
}

TEST(Bisection, NeighboursShareTheEdgeTheyAreNamedAfter)
{
    for (int depth = 1; depth <= 11; ++depth)
    {
        std::multimap<Side, NodeId> bases, legs;
        for (NodeId node = 1u << depth; node < 2u << depth; ++node)
        {
            const Triangle t = vertices(node);
            bases.emplace(side(t.base0, t.base1), node);
            legs.emplace(side(t.apex, t.base0), node);
            legs.emplace(side(t.apex, t.base1), node);
        }
        const auto other = [](const std::multimap<Side, NodeId>& owners, const Side& edge, NodeId node) {
            NodeId found = 0;
            for (auto [at, end] = owners.equal_range(edge); at != end; ++at)
                if (at->second != node) found = at->second;
            return found;
        };
        for (NodeId node = 1u << depth; node < 2u << depth; ++node)
        {
            const Triangle t = vertices(node);
            const Neighbours expected{.left = other(legs, side(t.apex, t.base1), node),
                                      .right = other(legs, side(t.apex, t.base0), node),
                                      .edge = other(bases, side(t.base0, t.base1), node)};
            ASSERT_EQ(neighbours(node), expected) << node;
        }
    }
}

TEST(Bisection, DeepNeighboursNameEachOther)
{
    test::Random random(2);
    for (int i = 0; i < 20'000; ++i)
    {
        const NodeId node = 1u << 30 | random.bits() >> 2;
        const Neighbours n = neighbours(node);
        for (const NodeId across : {n.left, n.right, n.edge})
        {
            if (across == 0) continue;
            ASSERT_EQ(depthOf(across), 30);
            const Neighbours back = neighbours(across);
            ASSERT_EQ((back.left == node) + (back.right == node) + (back.edge == node), 1) << node << " " << across;
        }
        ASSERT_TRUE(n.edge == 0 || baseEdge(vertices(n.edge)) == baseEdge(vertices(node))) << node;
    }
}

TEST(Bisection, ADiamondHasOneParentBase)
{
    for (NodeId parent = 2; parent < 1u << 11; ++parent)
    {
        const NodeId across = neighbours(parent).edge;
        const Edge base = baseEdge(vertices(parent));
        EXPECT_LT(base.low, base.high);
        for (const NodeId family : {parent, across})
            for (const NodeId leaf : {2 * family, 2 * family + 1})
                ASSERT_TRUE(family == 0 || parentBaseEdge(leaf) == base) << leaf;
    }
}

// ---- conforming edits ----

template <class Tree>
class ConformingEdits : public testing::Test
{
};
using Layouts = testing::Types<Cbt, PackedCbt>;
TYPED_TEST_SUITE(ConformingEdits, Layouts);

// Returns the splits that conformity forces, from geometry alone: a triangle must be bisected while a corner of another
// lies inside one of its edges.
std::set<NodeId> refineUntilConforming(std::set<NodeId> leaves, NodeId split)
{
    const auto bisect = [&](NodeId node) {
        leaves.erase(node);
        leaves.insert({2 * node, 2 * node + 1});
    };
    bisect(split);
    for (;;)
    {
        std::set<Place> corners;
        for (const NodeId leaf : leaves)
            for (const Triangle t = vertices(leaf); const Point p : {t.apex, t.base0, t.base1})
                corners.insert(placeOf(p));
        std::vector<NodeId> hanging;
        for (const NodeId leaf : leaves)
        {
            const Triangle t = vertices(leaf);
            const auto middle = [](Point a, Point b) {
                return Place{(placeOf(a).x + placeOf(b).x) / 2, (placeOf(a).y + placeOf(b).y) / 2};
            };
            // In a bisection mesh, the first corner inside an edge is its midpoint.
            if (corners.contains(middle(t.base0, t.base1)) || corners.contains(middle(t.apex, t.base0)) ||
                corners.contains(middle(t.apex, t.base1)))
                hanging.push_back(leaf);
        }
        if (hanging.empty()) return leaves;
        for (const NodeId leaf : hanging)
            bisect(leaf);
    }
}

TYPED_TEST(ConformingEdits, ASplitTakesExactlyWhatConformityForces)
{
    for (unsigned seed = 0; seed < 200; ++seed)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        test::Random random(seed);
        TypeParam tree(10, 1 + int(seed % 3));
        for (int edit = 0; edit < 25; ++edit)
        {
            const std::vector<NodeId> before = leavesOf(tree);
            const NodeId leaf = random.pick(before);
            if (depthOf(leaf) == 10) continue;
            const std::size_t forced = forcedSplits(tree, leaf).size();
            splitConforming(tree, leaf);  // the counts are stale until here
            tree.reduce();
            const std::vector<NodeId> after = leavesOf(tree);
            ASSERT_EQ(std::set(after.begin(), after.end()), refineUntilConforming({before.begin(), before.end()}, leaf))
                << "leaf " << leaf;
            ASSERT_EQ(after.size(), before.size() + forced);
        }
    }
}

TYPED_TEST(ConformingEdits, ForcedSplitsComeInAnOrderInWhichEachIsALeaf)
{
    TypeParam tree(20);
    splitConforming(tree, 1);
    for (NodeId leaf = 2; leaf < 1u << 19; leaf *= 2)
    {
        const std::vector<NodeId> splits = forcedSplits(tree, leaf);
        EXPECT_LE(splits.size(), 42u);
        for (const NodeId node : splits)
        {
            ASSERT_TRUE(isLeafNow(tree, node)) << node << " for " << leaf;
            tree.split(node);
        }
        ASSERT_TRUE(isInnerNow(tree, leaf));
    }
    tree.reduce();
    EXPECT_EQ(conformityFault(tree), "");
}

TYPED_TEST(ConformingEdits, AMergeTakesTheWholeDiamondOrNothing)
{
    TypeParam tree(8);
    for (const NodeId node : {1u, 2u, 3u, 4u, 7u, 8u, 15u})
        tree.split(node);  // 8 and 15 share their base; 16, 17, 30 and 31 surround its midpoint
    tree.reduce();
    ASSERT_EQ(neighbours(8).edge, 15u);
    ASSERT_EQ(conformityFault(tree), "");
    EXPECT_EQ(mergingDiamond(tree, 17), (std::vector<NodeId>{16, 17, 30, 31}));
    EXPECT_FALSE(mergeDiamond(tree, 9)) << "its sibling 8 is split";
    EXPECT_TRUE(mergeDiamond(tree, 31));
    tree.reduce();
    EXPECT_EQ(leavesOf(tree), (std::vector<NodeId>{8, 9, 5, 6, 14, 15}));
    EXPECT_EQ(conformityFault(tree), "");
    EXPECT_TRUE(mergeDiamond(tree, 8)) << "at the border the pair is alone";
    tree.reduce();
    EXPECT_EQ(leavesOf(tree), (std::vector<NodeId>{4, 5, 6, 14, 15}));
    EXPECT_EQ(conformityFault(tree), "");
}

TYPED_TEST(ConformingEdits, WholeTreesComeDownToTheRoot)
{
    TypeParam tree(9, 9);
    for (int rounds = 0; tree.leafCount() > 1; ++rounds)
    {
        ASSERT_LE(rounds, 9);
        for (const NodeId leaf : leavesOf(tree))
            if (isLeafNow(tree, leaf)) mergeDiamond(tree, leaf);
        tree.reduce();
        ASSERT_EQ(conformityFault(tree), "");
    }
}

TYPED_TEST(ConformingEdits, TruncationAndRaisingStayConforming)
{
    for (unsigned seed = 0; seed < 10; ++seed)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        test::Random random(seed);
        TypeParam tree(14, 1);
        for (int edit = 0; edit < 300; ++edit)
        {
            const NodeId leaf = tree.leaf(random.below(tree.leafCount()));
            if (isLeafNow(tree, leaf)) splitConforming(tree, leaf);
            tree.reduce();
        }
        for (int depth = 6; depth <= 18; ++depth)
            ASSERT_EQ(conformityFault(reencoded(tree, depth)), "") << depth;
        for (int depth = 1; depth <= 14; ++depth)
            ASSERT_EQ(conformityFault(truncated(tree, depth)), "") << depth;
    }
}

// Reliability R5: meshes grow and shrink by conforming edits; every stage is judged by positions alone.
TEST(ConformityThorough, HoldsThroughRandomEdits)
{
    const std::uint64_t goal = test::scaled<std::uint64_t>(20'000'000, 1'000'000'000);
    std::uint64_t judged = 0;
    for (unsigned seed = 0; judged < goal; ++seed)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        test::Random random(seed);
        Cbt tree(12 + int(seed % 12), 1 + int(seed % 8));
        for (int stage = 0; stage < 12; ++stage)
        {
            const std::vector<NodeId> leaves = leavesOf(tree);
            const bool shrinking = stage % 4 == 3;
            const std::uint32_t chance = 1 + random.below(4);
            for (const NodeId leaf : leaves)
            {
                if (!random.chance(chance, 5) || !isLeafNow(tree, leaf)) continue;
                if (shrinking) mergeDiamond(tree, leaf);
                if (!shrinking && leaves.size() < 400'000) splitConforming(tree, leaf);
            }
            tree.reduce();
            ASSERT_EQ(conformityFault(tree), "") << "stage " << stage;
            judged += tree.leafCount();
        }
    }
    RecordProperty("triangles", std::to_string(judged));
}

}  // namespace
}  // namespace orogen::leb
