// Level of detail: measures how large a bisector appears.  Each measure is a function of one base edge, whose ends are
// in a canonical order.  So both triangles at the edge, and all four leaves of a diamond (diamond.glsl), reach the same
// verdict (split, merge, keep).  Needs `frame`, `terrain`, surface.glsl, heights.glsl and leb.glsl in scope.
#ifndef OROGEN_LOD_GLSL
#define OROGEN_LOD_GLSL

#include "shaders/surface/error_pixels.glsl"

uint longerSide(Lattice p, Lattice q)
{
    uvec2 size = max(onSquare(p), onSquare(q)) - min(onSquare(p), onSquare(q));
    return max(size.x, size.y);
}

#include "shaders/lod/lod_@world.glsl"

#endif
