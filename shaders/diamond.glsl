// Diamonds as lattice points.  Twin of core/leb/diamond.h, which says what they are.
//
// On the Earth they are those of a face of the cube, whose points on an edge have their base on it.
//
// Must be in scope: core/gpu_layout.h.
#ifndef OROGEN_DIAMOND_GLSL
#define OROGEN_DIAMOND_GLSL

#include "shaders/lattice.glsl"
#include "shaders/leb.glsl"

// The unit of a point is the largest power of two that divides both coordinates: this is its exponent.  Not of (0, 0).
uint diamondUnitBits(uvec2 point) { return uint(findLSB(point.x | point.y)); }

// The corners of the square are in the middle of no base.
bool isDiamond(uvec2 point) { return ((point.x | point.y) & ((1u << kDrawLatticeBits) - 1u)) != 0u; }

// Both coordinates are odd multiples of the unit: the base is a diagonal.  Else it is parallel to an axis.
bool diamondIsDiagonal(uvec2 point) { return (((point.x & point.y) >> diamondUnitBits(point)) & 1u) != 0u; }

// Of the two triangles that share the base; the shallowest, of the whole square, has 1.
uint diamondDepth(uvec2 point)
{
    return 2u * (kDrawLatticeBits - 1u - diamondUnitBits(point)) + (diamondIsDiagonal(point) ? 1u : 2u);
}

// The base whose middle the point is, in canonical order.
LebEdge diamondBase(uvec2 point)
{
    uint bits = diamondUnitBits(point);
    uint unit = 1u << bits;
    LebEdge base;
    if (diamondIsDiagonal(point))
    {
        // The diagonal joins the corners with an even sum of coordinates, in sides of the cell; the whole square's is
        // the other one.
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
