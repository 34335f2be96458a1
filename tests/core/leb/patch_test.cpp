// Patch of a leaf against the nodes from bisecting the leaf.

#include <map>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/leb/leb.h"

namespace orogen::leb {
namespace {

Point placed(const Triangle& leaf, PatchPoint p, int level)
{
    const auto side = std::uint32_t(1) << level;
    const auto mixed = [&](std::uint32_t apex, std::uint32_t base0, std::uint32_t base1) {
        return (apex * (side - p.towardsBase0 - p.towardsBase1) + base0 * p.towardsBase0 + base1 * p.towardsBase1) >>
               level;
    };
    return {mixed(leaf.apex.x, leaf.base0.x, leaf.base1.x), mixed(leaf.apex.y, leaf.base0.y, leaf.base1.y)};
}

class Patch : public testing::TestWithParam<int>
{
};

TEST_P(Patch, IsTheLeafsSubtreeInTheOrderOfItsNodes)
{
    const int level = GetParam();
    const std::vector<PatchTriangle> triangles = patchTriangles(level);
    ASSERT_EQ(triangles.size(), std::size_t(1) << (2 * level));
    for (const NodeId leaf : {2u, 3u, 5u, 12u, 77u, 1023u})
        for (std::size_t i = 0; i < triangles.size(); ++i)
        {
            const Triangle t = vertices(leaf);
            const Triangle found{placed(t, triangles[i].apex, level), placed(t, triangles[i].base0, level),
                                 placed(t, triangles[i].base1, level)};
            ASSERT_EQ(found, vertices(NodeId((leaf << (2 * level)) + i))) << leaf << " triangle " << i;
        }
}

TEST_P(Patch, NumbersItsPoints)
{
    const std::vector<PatchPoint> points = patchPoints(GetParam());
    const std::size_t side = std::size_t(1) << GetParam();
    ASSERT_EQ(points.size(), (side + 1) * (side + 2) / 2);
    for (std::size_t i = 0; i < points.size(); ++i)
        ASSERT_EQ(patchPointNumber(points[i]), i);
}

// Every vertex of the patch but its corners is the middle of the base of a bisector at some depth within it.
TEST_P(Patch, KnowsTheBaseThatAPointIsTheMiddleOf)
{
    const int level = GetParam();
    std::map<std::pair<int, int>, std::set<std::pair<int, int>>> ends;
    for (int coarser = 0; coarser < level; ++coarser)
        for (const PatchTriangle& t : patchTriangles(coarser))
        {
            const auto note = [&](PatchPoint a, PatchPoint b) {
                const int scale = 1 << (level - coarser);
                const int x = (a.towardsBase0 - b.towardsBase0) * scale / 2,
                          y = (a.towardsBase1 - b.towardsBase1) * scale / 2;
                const std::pair at(b.towardsBase0 * scale + x, b.towardsBase1 * scale + y);
                ends[at].insert({std::pair(x, y), std::pair(-x, -y)});
            };
            note(t.base0, t.base1);  // and the bases of its halves
            note(t.apex, t.base0);
            note(t.apex, t.base1);
        }
    std::size_t inserted = 0;
    for (const PatchPoint point : patchPoints(level))
    {
        const PatchOffset end = patchEnd(point, level);
        const auto made = ends.find({point.towardsBase0, point.towardsBase1});
        SCOPED_TRACE(std::to_string(point.towardsBase0) + ", " + std::to_string(point.towardsBase1));
        if (made == ends.end())
        {
            EXPECT_EQ(end, PatchOffset());
            continue;
        }
        EXPECT_EQ(made->second.count({end.towardsBase0, end.towardsBase1}), 1u);
        ++inserted;
    }
    EXPECT_EQ(inserted + 3, patchPoints(level).size());
}

INSTANTIATE_TEST_SUITE_P(Level, Patch, testing::Range(0, kMaxPatchLevel + 1));

}  // namespace
}  // namespace orogen::leb
