// The draw lattice of a square: see lattice.glsl.
#ifndef OROGEN_LATTICE_PLANE_GLSL
#define OROGEN_LATTICE_PLANE_GLSL

#include "core/gpu_layout.h"

#define Lattice ivec2
const uint kDrawLatticeBits = kLeafLatticeBits + kPatchBits;

uvec2 onSquare(Lattice point) { return uvec2(point); }
Lattice beside(Lattice point, uvec2 place)
{
    point = ivec2(place);
    return point;
}
Lattice canonicalPlace(Lattice point) { return point; }
bool latticeBefore(Lattice p, Lattice q) { return p.x < q.x || (p.x == q.x && p.y < q.y); }

#endif
