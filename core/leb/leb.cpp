#include "core/leb/leb.h"

#include <bit>
#include <cassert>
#include <cstddef>

namespace orogen::leb {
namespace {

NodeId childOf(NodeId node, NodeId bit) { return node == 0 ? 0 : 2 * node + bit; }

Point middle(Point a, Point b) { return {(a.x + b.x) / 2, (a.y + b.y) / 2}; }

}  // namespace

Neighbours neighbours(NodeId node)
{
    assert(node > 0);
    if (node == 1) return {};
    if (node <= 3) return {0, 0, node ^ 1};
    const NodeId parent = node / 2;
    const Neighbours n = neighbours(parent);
    // The new edge lies between the children; each half of the parent's base faces a child of the node across it.
    if (node % 2 == 0) return {node + 1, childOf(n.edge, 1), childOf(n.right, 1)};
    return {childOf(n.edge, 0), node - 1, childOf(n.left, 0)};
}

Triangle vertices(NodeId node)
{
    assert(node > 1);
    int level = depthOf(node) - 1;
    const bool second = (node >> level) % 2 == 1;
    Triangle t = second ? Triangle{{kSide, kSide}, {kSide, 0}, {0, kSide}} : Triangle{{0, 0}, {0, kSide}, {kSide, 0}};
    while (level-- > 0)
    {
        const Point apex = middle(t.base0, t.base1);
        t = (node >> level) % 2 == 0 ? Triangle{apex, t.base0, t.apex} : Triangle{apex, t.apex, t.base1};
    }
    return t;
}

Edge makeEdge(Point a, Point b) { return a < b ? Edge{a, b} : Edge{b, a}; }

Edge baseEdge(const Triangle& triangle) { return makeEdge(triangle.base0, triangle.base1); }

Edge parentBaseEdge(NodeId node)
{
    assert(node > 3);
    return baseEdge(vertices(node / 2));
}

std::uint32_t diamondUnit(Point p)
{
    assert(isDiamond(p));
    return (p.x | p.y) & (0u - (p.x | p.y));
}

bool diamondIsDiagonal(Point p) { return (p.x & p.y & diamondUnit(p)) != 0; }

int diamondDepth(Point p)
{
    const int level = kDrawLatticeBits - 1 - std::countr_zero(diamondUnit(p));
    return 2 * level + (diamondIsDiagonal(p) ? 1 : 2);
}

Edge diamondBase(Point p)
{
    const std::uint32_t unit = diamondUnit(p), side = 2 * unit;
    if (!diamondIsDiagonal(p))
        return p.x & unit ? Edge{{p.x - unit, p.y}, {p.x + unit, p.y}} : Edge{{p.x, p.y - unit}, {p.x, p.y + unit}};
    // The diagonal joins the corners whose coordinates, in cell sides, have an even sum.  In the whole square it joins
    // the other two corners.
    const bool rising = (p.x / side + p.y / side) % 2 == 0 && side != kDrawSide;
    if (rising) return {{p.x - unit, p.y - unit}, {p.x + unit, p.y + unit}};
    return {{p.x - unit, p.y + unit}, {p.x + unit, p.y - unit}};
}

namespace {

PatchPoint middle(PatchPoint a, PatchPoint b)
{
    return {std::uint8_t((a.towardsBase0 + b.towardsBase0) / 2), std::uint8_t((a.towardsBase1 + b.towardsBase1) / 2)};
}

// Bisects `times` times, in the vertex order of vertices().
void bisect(const PatchTriangle& t, int times, std::vector<PatchTriangle>& triangles)
{
    if (times == 0)
    {
        triangles.push_back(t);
        return;
    }
    const PatchPoint apex = middle(t.base0, t.base1);
    bisect({apex, t.base0, t.apex}, times - 1, triangles);
    bisect({apex, t.apex, t.base1}, times - 1, triangles);
}

}  // namespace

std::vector<PatchTriangle> patchTriangles(int level)
{
    assert(0 <= level && level <= kMaxPatchLevel);
    const auto side = std::uint8_t(1u << level);
    std::vector<PatchTriangle> triangles;
    triangles.reserve(std::size_t(1) << (2 * level));
    bisect({{0, 0}, {side, 0}, {0, side}}, 2 * level, triangles);
    return triangles;
}

// Returns rows of points parallel to the base, from the apex on.
std::vector<PatchPoint> patchPoints(int level)
{
    assert(0 <= level && level <= kMaxPatchLevel);
    std::vector<PatchPoint> points;
    for (int row = 0; row <= 1 << level; ++row)
        for (int towardsBase1 = 0; towardsBase1 <= row; ++towardsBase1)
            points.push_back({std::uint8_t(row - towardsBase1), std::uint8_t(towardsBase1)});
    return points;
}

std::size_t patchPointNumber(PatchPoint point)
{
    const std::size_t row = std::size_t(point.towardsBase0) + point.towardsBase1;
    return row * (row + 1) / 2 + point.towardsBase1;
}

// Descends to the bisector whose split inserts the point.
PatchOffset patchEnd(PatchPoint point, int level)
{
    const auto squared = [&](PatchPoint from) {
        const int a = from.towardsBase0 - point.towardsBase0, b = from.towardsBase1 - point.towardsBase1;
        return a * a + b * b;
    };
    const auto side = std::uint8_t(1u << level);
    PatchTriangle t{{0, 0}, {side, 0}, {0, side}};
    for (int splits = 0; splits < 2 * level; ++splits)
    {
        const PatchPoint apex = middle(t.base0, t.base1);
        if (apex == point)
            return {std::int8_t(t.base0.towardsBase0 - point.towardsBase0),
                    std::int8_t(t.base0.towardsBase1 - point.towardsBase1)};
        t = squared(t.base0) <= squared(t.base1) ? PatchTriangle{apex, t.base0, t.apex}
                                                 : PatchTriangle{apex, t.apex, t.base1};
    }
    return {};
}

}  // namespace orogen::leb
