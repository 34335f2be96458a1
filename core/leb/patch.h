// Patch that a leaf is drawn as: the triangles of its subtree, evenly split by 2 levels per patch level.
//
// A leaf at depth d with patch level P shows exactly the surface of leaves at depth d + 2P.  So an error or a weight of
// a diamond is valid at any patch level.
#pragma once

#include <cstdint>
#include <vector>

namespace orogen::leb {

constexpr int kMaxPatchLevel = 6;

// Point of a patch: distances from the leaf's apex towards base0 and base1, in 1 / 2^level of its legs.
struct PatchPoint
{
    std::uint8_t towardsBase0 = 0, towardsBase1 = 0;
    bool operator==(const PatchPoint&) const = default;
};

// Bisector within the patch: base opposite the apex, orientation as for its depth.
struct PatchTriangle
{
    PatchPoint apex, base0, base1;
};

// Returns all 4^level triangles in node order, which is spatially coherent.  level: 0 .. 6.
std::vector<PatchTriangle> patchTriangles(int level);

// Returns all (2^level + 1)(2^level + 2) / 2 points.
std::vector<PatchPoint> patchPoints(int level);
// Returns the index of a point in patchPoints().
std::size_t patchPointNumber(PatchPoint point);

}  // namespace orogen::leb
