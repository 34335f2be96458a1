// The conformity check must find every kind of fault, and only faults.
#include "core/leb/conformity.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "core/cbt/cbt.h"
#include "tests/support/random.h"

namespace orogen::leb {
namespace {

std::string faultOf(const std::vector<Triangle>& triangles)
{
    ConformityCheck check;
    for (const Triangle& t : triangles)
        check.add(t);
    return check.finish();
}

Cbt randomMesh(unsigned seed, int edits)
{
    test::Random random(seed);
    Cbt tree(16, 2);
    for (int edit = 0; edit < edits; ++edit)
    {
        const NodeId leaf = tree.leaf(random.below(tree.leafCount()));
        splitConforming(tree, leaf);
        tree.reduce();
    }
    return tree;
}

std::vector<Triangle> trianglesOf(const Cbt& tree)
{
    std::vector<Triangle> triangles;
    forEachLeaf(tree, [&](NodeId leaf) { triangles.push_back(vertices(leaf)); });
    return triangles;
}

TEST(ConformityCheck, AcceptsAMeshInAnyOrder)
{
    std::vector<Triangle> triangles = trianglesOf(Cbt(16, 15));  // several blocks of edges
    EXPECT_EQ(faultOf(triangles), "");
    test::Random(1).shuffle(triangles);
    EXPECT_EQ(faultOf(triangles), "");
}

TEST(ConformityCheck, AcceptsTheUndividedSquare) { EXPECT_EQ(conformityFault(Cbt(6)), ""); }

TEST(ConformityCheck, CatchesABareSplit)
{
    int planted = 0;
    for (unsigned seed = 0; seed < 50; ++seed)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        Cbt tree = randomMesh(seed, 60);
        ASSERT_EQ(conformityFault(tree), "");
        const NodeId leaf = tree.leaf((seed * 7919u) % tree.leafCount());
        const bool splitsAlone = neighbours(leaf).edge == 0;  // at the border, a single split conforms
        tree.split(leaf);
        tree.reduce();
        EXPECT_EQ(conformityFault(tree).empty(), splitsAlone) << leaf;
        planted += !splitsAlone;
    }
    EXPECT_GT(planted, 20);
}

TEST(ConformityCheck, CatchesABareSplitInAnyBlock)
{
    for (const NodeId number : {3u, 5'000u, 20'000u, 32'000u})
    {
        Cbt tree(16, 15);
        NodeId leaf = tree.leaf(number);
        while (neighbours(leaf).edge == 0)
            ++leaf;
        tree.split(leaf);
        tree.reduce();
        EXPECT_NE(conformityFault(tree), "") << number;
    }
}

TEST(ConformityCheck, CatchesHolesOverlapsAndMovedCorners)
{
    const std::vector<Triangle> mesh = trianglesOf(randomMesh(7, 100));
    for (std::size_t i = 0; i < mesh.size(); ++i)
    {
        std::vector<Triangle> hole = mesh, overlap = mesh, moved = mesh, flat = mesh;
        hole.erase(hole.begin() + std::ptrdiff_t(i));
        overlap.push_back(mesh[i]);
        moved[i].apex.x += moved[i].apex.x > kSide / 2 ? -1u : 1u;
        flat[i].apex = flat[i].base0;
        EXPECT_NE(faultOf(hole).find("one side only"), std::string::npos) << faultOf(hole);
        EXPECT_NE(faultOf(overlap).find("two owners"), std::string::npos) << faultOf(overlap);
        EXPECT_NE(faultOf(moved), "");
        EXPECT_NE(faultOf(flat), "");
    }
}

// Two faults that cancel in every edge: one half twice, the other missing.
TEST(ConformityCheck, CatchesAPartThatCoversItselfTwice)
{
    std::vector<Triangle> twice = trianglesOf(Cbt(6, 1));
    twice.insert(twice.end(), twice.begin(), twice.end());
    EXPECT_NE(faultOf(twice), "");
    EXPECT_NE(faultOf({}), "");
}

// Independent rule: a mesh of leaves conforms exactly if the partner across the base of every inner node is also an
// inner node. Most of these trees do not conform.
TEST(ConformityCheck, AgreesWithTheRuleOfPartners)
{
    int conforming = 0;
    for (unsigned seed = 0; seed < 3'000; ++seed)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        test::Random random(seed);
        Cbt tree(6, 1);
        for (int edit = random.between(0, 7); edit > 0; --edit)
        {
            tree.split(tree.leaf(random.below(tree.leafCount())));
            tree.reduce();
        }
        bool expected = true;
        for (NodeId node = 2; node < 64; ++node)
        {
            const NodeId across = neighbours(node).edge;
            expected = expected && (!isInnerNow(tree, node) || across == 0 || isInnerNow(tree, across));
        }
        ASSERT_EQ(conformityFault(tree).empty(), expected);
        conforming += expected;
    }
    EXPECT_GT(conforming, 300);
    EXPECT_LT(conforming, 2'700);
}

}  // namespace
}  // namespace orogen::leb
