// Longest-edge bisection of the unit square by the nodes of a binary tree; its diamonds, and the patches that are
// drawn.
//
// A bisector is a node of depth 1 .. 30: a right isosceles triangle of area 2^-depth with a base (its longest edge), an
// apex opposite, and two legs.  Nodes 2 and 3 are the halves of the square on either side of the diagonal (0,1)-(1,0).
// A split joins the apex to the midpoint of the base, which becomes the apex of both children.  Child 0 keeps base0,
// child 1 keeps base1; a child's base is one of the parent's legs.  Dupuy's libleb uses the same convention, so its
// trees stay conforming here.  shaders/tree/leb.glsl computes the same.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <vector>

#include "core/cbt/tree.h"

namespace orogen::leb {

// Side of the square in lattice units.  Vertices down to depth 31 are exact integers in 0 .. kSide.
constexpr int kLatticeBits = 15;
constexpr std::uint32_t kSide = 1u << kLatticeBits;

struct Point
{
    std::uint32_t x = 0, y = 0;
    bool operator==(const Point&) const = default;
    // Written out because GCC 12 at -O1 drops stores to the operands with a defaulted <=> (ipa-modref).
    bool operator<(const Point& other) const { return x != other.x ? x < other.x : y < other.y; }
};

// Corners of a bisector: clockwise (y up) at odd depths, counter-clockwise at even ones.
struct Triangle
{
    Point apex, base0, base1;
    bool operator==(const Triangle&) const = default;
};

// Edge in canonical order, low <= high by x, then y, so that its two sides compare equal.
struct Edge
{
    Point low, high;
    bool operator==(const Edge&) const = default;
    bool operator<(const Edge& other) const { return low != other.low ? low < other.low : high < other.high; }
};

// Nodes of equal depth across each edge, 0 at the square's border.  They may be inner nodes or not exist.
struct Neighbours
{
    NodeId left = 0;   // across the leg apex-base1
    NodeId right = 0;  // across the leg apex-base0
    NodeId edge = 0;   // across the base, which both share
    bool operator==(const Neighbours&) const = default;
};

Neighbours neighbours(NodeId node);  // O(depth); empty for the root
Triangle vertices(NodeId node);      // O(depth); node > 1
Edge makeEdge(Point a, Point b);
Edge baseEdge(const Triangle& triangle);

// Returns the base of the parent.  All four leaves of a diamond share it, and so take the same merge decision.
Edge parentBaseEdge(NodeId node);  // node > 3

// Returns the splits that keep the mesh conforming when `node` splits: the leaf, the partner on its base, and
// recursively what must split for those to exist.  The order makes each a leaf when it is split.  Uses the current
// bits.  In a conforming mesh at most 2 (D + 1) nodes, where D is the depth of `node`.
template <class Tree>
std::vector<NodeId> forcedSplits(const Tree& tree, NodeId node);

template <class Tree>
void splitConforming(Tree& tree, NodeId leaf)
{
    for (NodeId node : forcedSplits(tree, leaf))
        tree.split(node);
}

// Returns the leaves that merge when `leaf` and its sibling are replaced by their parent without a T-junction.  They
// are these two and the two across the parent's base; at the border, only these two.  Empty unless all of them are
// leaves now.
template <class Tree>
std::vector<NodeId> mergingDiamond(const Tree& tree, NodeId leaf);

// Merges the diamond of `leaf`.  Returns false, without change, if that is impossible.
template <class Tree>
bool mergeDiamond(Tree& tree, NodeId leaf)
{
    const std::vector<NodeId> diamond = mergingDiamond(tree, leaf);
    for (NodeId node : diamond)
        if (node % 2 == 1) tree.merge(node);
    return !diamond.empty();
}

namespace detail {

// Appends the splits that make `node` inner.  Terminates: parents are shallower, and the partner of a partner is listed
// already.
template <class Tree>
void appendSplits(const Tree& tree, NodeId node, std::vector<NodeId>& splits)
{
    if (node == 0 || isInnerNow(tree, node) || std::ranges::find(splits, node) != splits.end()) return;
    appendSplits(tree, node / 2, splits);
    splits.push_back(node);
    appendSplits(tree, neighbours(node).edge, splits);
}

}  // namespace detail

template <class Tree>
std::vector<NodeId> forcedSplits(const Tree& tree, NodeId node)
{
    assert(isLeafNow(tree, node));
    std::vector<NodeId> splits;
    if (depthOf(node) < tree.maxDepth()) detail::appendSplits(tree, node, splits);
    return splits;
}

template <class Tree>
std::vector<NodeId> mergingDiamond(const Tree& tree, NodeId leaf)
{
    assert(isLeafNow(tree, leaf));
    if (leaf == 1) return {};
    std::vector<NodeId> diamond{leaf & ~NodeId(1), leaf | 1};
    if (const NodeId across = neighbours(leaf / 2).edge) diamond.insert(diamond.end(), {2 * across, 2 * across + 1});
    const bool whole = std::ranges::all_of(diamond, [&](NodeId node) { return isLeafNow(tree, node); });
    return whole ? diamond : std::vector<NodeId>{};
}

// ---- diamonds, as points of the lattice of drawn vertices ----
//
// Two bisectors of one depth that share their base form a diamond; at the square's border one bisector does.  Splitting
// them puts a vertex into the middle of the base.  Every lattice point except the square's corners is the middle of
// exactly one base, so diamonds, splits and vertices correspond one to one.  A value that depends on the point alone
// (an error, a morph weight) is equal for every triangle that touches it, at any depth and patch level.
//
// shaders/tree/diamond.glsl computes the same.

// Side of the square in units of this lattice: 2^6 finer than the leaf lattice, for patches of up to 4^6 triangles.
// All points of diamonds are in these units.
constexpr int kDrawLatticeBits = kLatticeBits + 6;
constexpr std::uint32_t kDrawSide = 1u << kDrawLatticeBits;

constexpr bool isDiamond(Point p) { return ((p.x | p.y) & (kDrawSide - 1)) != 0; }  // false for the square's corners

// Returns the largest power of two that divides both coordinates.  This and the next functions require isDiamond(p);
// O(1).
std::uint32_t diamondUnit(Point p);
bool diamondIsDiagonal(Point p);  // base is a diagonal of a cell, not parallel to an axis
int diamondDepth(Point p);        // depth of its triangles: 1 (whole square) to 42
Edge diamondBase(Point p);        // base with middle p

// ---- patches of small triangles, one drawn for each leaf ----
//
// A leaf at depth d with patch level P shows exactly the surface of leaves at depth d + 2P.  So an error or a weight of
// a diamond is valid at any patch level.

constexpr int kMaxPatchLevel = 6;

// Point of a patch: distances from the leaf's apex towards base0 and base1, in 1 / 2^level of its legs.
struct PatchPoint
{
    std::uint8_t towardsBase0 = 0, towardsBase1 = 0;
    bool operator==(const PatchPoint&) const = default;
};

// Bisector within the patch.  Its orientation follows from its depth, as for Triangle.
struct PatchTriangle
{
    PatchPoint apex, base0, base1;
};

// Signed difference of two points of a patch.
struct PatchOffset
{
    std::int8_t towardsBase0 = 0, towardsBase1 = 0;
    bool operator==(const PatchOffset&) const = default;
};

// Returns all 4^level triangles in node order, which is spatially coherent.  level: 0 .. 6.
std::vector<PatchTriangle> patchTriangles(int level);

// Returns all (2^level + 1)(2^level + 2) / 2 points.
std::vector<PatchPoint> patchPoints(int level);
// Returns the index of a point in patchPoints().
std::size_t patchPointNumber(PatchPoint point);
// Returns the offset from a point to one end of the base whose middle it is; the other end has the opposite offset.
// Zero for the corners of the patch.  O(level).
PatchOffset patchEnd(PatchPoint point, int level);

}  // namespace orogen::leb
