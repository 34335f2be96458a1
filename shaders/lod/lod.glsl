// Level of detail: measures how large a bisector (a triangle of the bisection, leb.glsl) appears.  Each measure is a
// function of one base edge, whose ends are in a canonical order.  So both triangles at the edge get equal verdicts
// (split, merge, keep).  For a merge the edge is the parent's base, so all four leaves of a diamond (diamond.glsl)
// agree.  Needs `frame`, `terrain`, surface.glsl, heights.glsl and leb.glsl in scope.
#ifndef OROGEN_LOD_GLSL
#define OROGEN_LOD_GLSL

#include "shaders/surface/error_pixels.glsl"

// Returns the longer side of the box around two points of a face (lattice units).
uint longerSide(Lattice p, Lattice q)
{
    uvec2 size = max(onSquare(p), onSquare(q)) - min(onSquare(p), onSquare(q));
    return max(size.x, size.y);
}

#include "shaders/lod/lod_@world.glsl"

#endif
