// The surface that the triangulation lies on: a plane, or the Earth.  Both define
//     vec3 surfaceRelative(Lattice point, float height)        metres from the camera along its east, north and up
//     vec3 surfaceFromLodCamera(Lattice point, float height)   from the camera that the triangulation was made for
//     vec3 surfaceUp(Lattice point), surfaceUpFromLodCamera(Lattice point)    the vertical there, unit, in these axes
//     float baseSag(Lattice vertex, LebEdge base)              sagitta of a base whose middle is the vertex (metres)
//     float baseMetres(Lattice vertex)                         lower bound of that base's length, without heights
// where heights are in metres, scaled: multiplied by the height scale terrain.pixelSize.z.
//
// Needs in scope: `frame`, `terrain`.
#ifndef OROGEN_SURFACE_GLSL
#define OROGEN_SURFACE_GLSL

#include "shaders/tree/lattice.glsl"
#include "shaders/tree/diamond.glsl"
#include "shaders/surface/surface_@world.glsl"

#endif
