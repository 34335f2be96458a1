// The surface that the triangulation lies on: a plane, or the Earth.  surface_plane.glsl and surface_earth.glsl define
//     vec3 surfaceRelative(Lattice point, float height)        metres from the camera along its east, north and up
//     vec3 surfaceFromLodCamera(Lattice point, float height)   surfaceRelative() of the LOD camera
//     vec3 surfaceUp(Lattice point)                            the vertical at the point, unit, in the camera's axes
//     vec3 surfaceUpFromLodCamera(Lattice point)               surfaceUp() in the axes of the LOD camera
//     float baseSag(Lattice vertex, LebEdge base)              sagitta of a base whose middle is the vertex (metres)
//     float baseMetres(Lattice vertex)                         lower bound of that base's length (metres), at height 0
// where heights are in metres, scaled: multiplied by the height scale terrain.pixelSize.z.  The LOD camera is the one
// that the triangulation was made for.  It stays where it was while the level of detail is frozen.
//
// Needs in scope: `frame`, `terrain`.
#ifndef OROGEN_SURFACE_GLSL
#define OROGEN_SURFACE_GLSL

#include "shaders/tree/lattice.glsl"
#include "shaders/tree/diamond.glsl"
#include "shaders/surface/surface_@world.glsl"

#endif
