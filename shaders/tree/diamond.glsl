// Diamonds: two triangles that share a base, named by the lattice point in its middle.  Twin of core/leb/leb.h.  On the
// Earth they lie on a face of the cube; the base of a point on the face's edge lies on that edge.
//
// Must be in scope: lattice.glsl.
#ifndef OROGEN_DIAMOND_GLSL
#define OROGEN_DIAMOND_GLSL

#include "shaders/tree/leb.glsl"

// Returns the exponent of the point's unit, the largest power of two that divides both coordinates.  Undefined for (0,
// 0).
uint diamondUnitBits(uvec2 point) { return uint(findLSB(point.x | point.y)); }

// Returns false for the corners of the square, which are not the middle of any base.
bool isDiamond(uvec2 point) { return ((point.x | point.y) & ((1u << kDrawLatticeBits) - 1u)) != 0u; }

// Returns true if both coordinates are odd multiples of the unit: the base is a diagonal. Otherwise it is parallel to
// an axis.
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
        // A cell is a square of 2^(bits + 1) units around the point.  Its diagonal joins the two corners with an even
        // coordinate sum (in cells); only the diagonal of the whole square joins the other two.
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
