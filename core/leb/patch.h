// How a leaf is drawn: as the triangles that splitting its subtree evenly, 2 levels a patch level, would give.
//
// A patch level of P shows of a leaf at depth d exactly the surface that leaves at depth d + 2P would show, so that an
// error or a weight that belongs to a diamond holds for it at any patch level.
#pragma once

#include <cstdint>
#include <vector>

namespace orogen::leb {

constexpr int kMaxPatchLevel = 6;

// A point of a patch: how far it lies from the leaf's apex towards base0 and base1, in 1 / 2^level of its legs.
struct PatchPoint
{
    std::uint8_t towardsBase0 = 0, towardsBase1 = 0;
    bool operator==(const PatchPoint&) const = default;
};

// As a bisector: its base is opposite the apex, and orientation is that of its depth.
struct PatchTriangle
{
    PatchPoint apex, base0, base1;
};

// All 4^level triangles, in the order of their nodes: those that lie together stand together.  level: 0 .. 6.
std::vector<PatchTriangle> patchTriangles(int level);

// All (2^level + 1)(2^level + 2) / 2 points.
std::vector<PatchPoint> patchPoints(int level);
// The place of a point among them.
std::size_t patchPointNumber(PatchPoint point);

}  // namespace orogen::leb
