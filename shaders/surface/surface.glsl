// The surface that the triangulation lies on: a plane, or the Earth (OROGEN_EARTH).  Both define
//     vec3 surfaceRelative(Lattice point, float height)        metres from the camera along its east, north and up
//     vec3 surfaceFromLodCamera(Lattice point, float height)   from the camera that the triangulation was made for
//     vec3 surfaceUp(Lattice point), surfaceUpFromLodCamera(Lattice point)    the vertical there, unit, in these axes
// where heights are metres, scaled.
//
// Needs in scope: `frame`, `terrain`.
#ifndef OROGEN_SURFACE_GLSL
#define OROGEN_SURFACE_GLSL

#include "shaders/tree/lattice.glsl"
#ifdef OROGEN_EARTH
#include "shaders/surface/surface_ellipsoid.glsl"
#else
#include "shaders/surface/surface_plane.glsl"
#endif

#endif
