// The data's height at a point of the draw lattice: metres, unscaled.  A function of the point and of what is resident,
// so that all triangles that touch the point agree.
// Needs in scope: `terrain`, surface_plane.glsl; sampler2D heightTexture, or with OROGEN_TILES what heights_tiles.glsl needs.
#ifndef OROGEN_HEIGHTS_GLSL
#define OROGEN_HEIGHTS_GLSL

#include "shaders/heights_image.glsl"

float dataHeight(ivec2 lattice) { return heightAt(surfaceTexel(lattice)); }

#endif
