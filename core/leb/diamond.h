// Diamonds as points of the lattice that drawn vertices lie on.
//
// Two bisectors of one depth that share their base form a diamond (at the square's border, one alone does).  Splitting
// them puts a vertex into the middle of the base, and every point of the lattice but the square's corners is the middle
// of exactly one base: a diamond, a split and a vertex are one thing.  What depends on that point alone (an error, the
// weight of a morph) is the same for every triangle that touches it, at any depth and patch level.
//
// shaders/diamond.glsl computes the same.
#pragma once

#include "core/leb/leb.h"

namespace orogen::leb {

// The square's side in units of this lattice: 2^6 finer than that of leaves, for patches of up to 4^6 triangles.
// Points of this header are in these units.
constexpr int kDrawLatticeBits = kLatticeBits + 6;
constexpr std::uint32_t kDrawSide = 1u << kDrawLatticeBits;

constexpr bool isDiamond(Point p) { return ((p.x | p.y) & (kDrawSide - 1)) != 0; }  // false for the square's corners

// The largest power of two that divides both coordinates.  All of these want isDiamond(p); O(1).
std::uint32_t diamondUnit(Point p);
bool diamondIsDiagonal(Point p);  // the base is a diagonal of a cell; else it is parallel to an axis
int diamondDepth(Point p);        // of its triangles: 1 for the whole square's, 42 for the finest
Edge diamondBase(Point p);        // whose middle the point is

}  // namespace orogen::leb
