// Diamonds, as points of the lattice of drawn vertices.
//
// Two bisectors of one depth that share their base form a diamond (at the square's border it has only one).  Splitting
// them puts a vertex into the middle of the base.  Every lattice point except the square's corners is the middle of
// exactly one base, so diamond, split and vertex are one thing.  A value that depends on that point alone (an error, a
// morph weight) is equal for every triangle that touches it, at any depth and patch level.
//
// shaders/diamond.glsl computes the same.
#pragma once

#include "core/leb/leb.h"

namespace orogen::leb {

// Side of the square in units of this lattice: 2^6 finer than the leaf lattice, for patches of up to 4^6 triangles. All
// points in this header are in these units.
constexpr int kDrawLatticeBits = kLatticeBits + 6;
constexpr std::uint32_t kDrawSide = 1u << kDrawLatticeBits;

constexpr bool isDiamond(Point p) { return ((p.x | p.y) & (kDrawSide - 1)) != 0; }  // false for the square's corners

// Returns the largest power of two that divides both coordinates.  These functions require isDiamond(p); O(1).
std::uint32_t diamondUnit(Point p);
bool diamondIsDiagonal(Point p);  // base is a diagonal of a cell, not parallel to an axis
int diamondDepth(Point p);        // depth of its triangles: 1 (whole square) to 42
Edge diamondBase(Point p);        // base with middle p

}  // namespace orogen::leb
