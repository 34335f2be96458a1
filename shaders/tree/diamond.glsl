// Diamonds: two triangles that share a base.  A diamond is named by the point of the draw lattice in the middle of its
// base.  core/leb/leb.h does the same on the CPU.  On the Earth a diamond lies on a face of the cube; if the middle is
// on an edge of the face, the whole base is.
//
// Must be in scope: lattice.glsl.
#ifndef OROGEN_DIAMOND_GLSL
#define OROGEN_DIAMOND_GLSL

#include "shaders/tree/leb.glsl"

// Returns log2 of the point's unit, the largest power of two that divides both coordinates.  Undefined for (0, 0).
uint diamondUnitBits(uvec2 point) { return uint(findLSB(point.x | point.y)); }

// Returns false for the corners of the square, which are not the middle of any base.
bool isDiamond(uvec2 point) { return ((point.x | point.y) & ((1u << kDrawLatticeBits) - 1u)) != 0u; }

// Returns whether the base is a diagonal, and not parallel to an axis.  It is a diagonal if both coordinates are odd
// multiples of the unit.
bool diamondIsDiagonal(uvec2 point) { return (((point.x & point.y) >> diamondUnitBits(point)) & 1u) != 0u; }

// Returns the depth of the two triangles that share the base; 1 for those of the whole square.
uint diamondDepth(uvec2 point)
{
    return 2u * (kDrawLatticeBits - 1u - diamondUnitBits(point)) + (diamondIsDiagonal(point) ? 1u : 2u);
}

// Returns the base whose middle is `point`, in canonical order.
LebEdge diamondBase(uvec2 point)
{
    uint bits = diamondUnitBits(point);
    uint unit = 1u << bits;
    LebEdge base;
    if (diamondIsDiagonal(point))
    {
        // A cell is a square of side 2 `unit` around the point.  Its diagonal joins the two corners with an even
        // coordinate sum (in cells).  Only the diagonal of the whole square joins the other two corners.
        bool rising = ((((point.x >> bits) >> 1u) + ((point.y >> bits) >> 1u)) & 1u) == 0u && bits + 1u != kDrawLatticeBits;
        base.low = uvec2(point.x - unit, rising ? point.y - unit : point.y + unit);
        base.high = uvec2(point.x + unit, rising ? point.y + unit : point.y - unit);
        return base;
    }
    uvec2 along = ((point.x >> bits) & 1u) != 0u ? uvec2(unit, 0u) : uvec2(0u, unit);
    base.low = point - along;
    base.high = point + along;
    return base;
}

#endif
