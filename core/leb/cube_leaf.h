// Longest-edge bisection of the cube's faces: a bisector as three words, and as an id.
//
// Every face has two roots that share its diagonal as their base: half 0 = (c00, c10, c01), half 1 = (c11, c01, c10),
// where c10 is the corner with the highest x and lowest y.  A bisector is a triangle (a, l, r) with the apex a and the
// base l-r.  With m the middle of the base, child 0 = (m, a, l) and child 1 = (m, r, a); all have the same orientation
// seen from outside.  Edges: 0 is a-l, 1 is r-a, 2 is l-r; around m, edge 0 of a child meets edge 1 of the next.  The
// corners are integers on the face down to kMostCubeDepth and one level below it.
//
// An id consists of a leading 1, four bits for the root 2 * face + half, and one bit per child on the way down.
#pragma once

#include <bit>
#include <cstdint>

#include "core/planet/cube_lattice.h"

namespace orogen::leb {

inline constexpr int kMostCubeDepth = 58;
inline constexpr std::uint32_t kCubeRoots = 2 * kCubeFaces;

using LeafId = std::uint64_t;

constexpr LeafId idOfRoot(std::uint32_t root) { return 16 + root; }
constexpr int depthOfId(LeafId id) { return int(std::bit_width(id)) - 5; }  // 0 for a root
constexpr std::uint32_t rootOfId(LeafId id) { return std::uint32_t(id >> depthOfId(id)) - 16; }

// Geometry of a bisector; its corners follow from the apex a and its orientation, `turn` quarter turns.  Even depths: l
// = a + L dir(turn), r = a + L dir(turn + 1) with legs L = 2^(30 - depth / 2) along the axes and dir = (1, 0), (0, 1),
// (-1, 0), (0, -1).  Odd depths: l = a + h diag(turn), r = a + h diag(turn + 1) with h = 2^(30 - (depth + 1) / 2) and
// diag = (1, 1), (-1, 1), (-1, -1), (1, -1).
struct CubeLeaf
{
    std::int32_t x = 0, y = 0;  // apex on the face
    std::uint32_t shape = 0;    // depth | turn << 6 | face << 8
    bool operator==(const CubeLeaf&) const = default;

    int depth() const { return int(shape & 63); }
    int turn() const { return int(shape >> 6 & 3); }
    int face() const { return int(shape >> 8); }
};

struct CubeTriangle
{
    CubePlace apex, left, right;
    bool operator==(const CubeTriangle&) const = default;
};

// Return the leaf of a root, child 0 or 1 of a leaf, and the parent of a leaf that is its child 0.
CubeLeaf rootLeaf(std::uint32_t root);
CubeLeaf childOf(const CubeLeaf& leaf, unsigned child);
CubeLeaf parentOfChild0(const CubeLeaf& child);
CubeTriangle cornersOf(const CubeLeaf& leaf);
CubeLeaf leafOfId(LeafId id);  // O(depth)

}  // namespace orogen::leb
