#include "core/leb/patch.h"

#include <cassert>
#include <cstddef>

namespace orogen::leb {
namespace {

PatchPoint middle(PatchPoint a, PatchPoint b)
{
    return {std::uint8_t((a.towardsBase0 + b.towardsBase0) / 2), std::uint8_t((a.towardsBase1 + b.towardsBase1) / 2)};
}

// Bisects in the vertex order of vertices() in leb.cpp.
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

// Returns rows of points at equal distance from the apex.
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

}  // namespace orogen::leb
