// Heights of the data and of the ground at a point of the draw lattice (metres, unscaled).  They depend on the point
// alone; for tiles, also on the active tiles and the camera.  So all triangles that touch the point agree.
//
// Needs `frame`, `terrain`, surface.glsl and sampler2D heightTexture in scope.
#ifndef OROGEN_HEIGHTS_GLSL
#define OROGEN_HEIGHTS_GLSL

#include "shaders/tree/lattice.glsl"
#include "shaders/heights/heights_@heights.glsl"

#ifdef OROGEN_DETAIL
#include "shaders/heights/made_relief.glsl"
#endif

#include "shaders/heights/ground_@world.glsl"

#endif
