// Level of detail: measures how large a bisector appears.  Each measure is a function of one base edge, whose ends are
// in a canonical order.  So both triangles at the edge, and all four leaves of a diamond (diamond.glsl), reach the same
// verdict (split, merge, keep).  Needs `frame`, `terrain`, surface.glsl, heights.glsl and leb.glsl in scope.
#ifndef OROGEN_LOD_GLSL
#define OROGEN_LOD_GLSL

#include "shaders/surface/error_pixels.glsl"

// Height of an edge's end (metres, scaled).  `units`: the edge's longerSide(), which selects the level of tiles.
float lodHeight(Lattice point, uint units)
{
#ifdef OROGEN_EARTH
    return max(edgeHeight(point, int(units)), seaLevel()) * terrain.pixelSize.z;
#elif defined(OROGEN_TILES)
    return edgeHeight(point, int(units)) * terrain.pixelSize.z;
#else
    return groundHeight(point) * terrain.pixelSize.z;
#endif
}

uint longerSide(Lattice p, Lattice q)
{
    uvec2 size = max(onSquare(p), onSquare(q)) - min(onSquare(p), onSquare(q));
    return max(size.x, size.y);
}

#ifdef OROGEN_EARTH
#include "shaders/lod/lod_earth.glsl"
#else
#include "shaders/lod/lod_plane.glsl"
#endif

#endif
