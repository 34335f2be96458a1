#include "core/leb/diamond.h"

#include <bit>
#include <cassert>

namespace orogen::leb {

std::uint32_t diamondUnit(Point p)
{
    assert(isDiamond(p));
    return (p.x | p.y) & (0u - (p.x | p.y));
}

bool diamondIsDiagonal(Point p) { return (p.x & p.y & diamondUnit(p)) != 0; }

int diamondDepth(Point p)
{
    const int level = kDrawLatticeBits - 1 - std::countr_zero(diamondUnit(p));
    return 2 * level + (diamondIsDiagonal(p) ? 1 : 2);
}

Edge diamondBase(Point p)
{
    const std::uint32_t unit = diamondUnit(p), side = 2 * unit;
    if (!diamondIsDiagonal(p))
        return p.x & unit ? Edge{{p.x - unit, p.y}, {p.x + unit, p.y}} : Edge{{p.x, p.y - unit}, {p.x, p.y + unit}};
    // The diagonal joins the corners whose coordinates, in cell sides, have an even sum; that of the whole square is
    // the other one.
    const bool rising = (p.x / side + p.y / side) % 2 == 0 && side != kDrawSide;
    if (rising) return {{p.x - unit, p.y - unit}, {p.x + unit, p.y + unit}};
    return {{p.x - unit, p.y + unit}, {p.x + unit, p.y - unit}};
}

}  // namespace orogen::leb
