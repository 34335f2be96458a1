// The data's height at a point of the draw lattice: metres, unscaled.  A function of the point, of the camera where the
// terrain is in tiles, and of what is resident, so that all triangles that touch the point agree.
// Needs in scope: `frame`, `terrain`, surface_plane.glsl, sampler2D heightTexture.
#ifndef OROGEN_HEIGHTS_GLSL
#define OROGEN_HEIGHTS_GLSL

#include "shaders/heights_image.glsl"

#ifdef OROGEN_TILES
#include "shaders/heights_tiles.glsl"
#else
float dataHeight(ivec2 lattice) { return heightAt(surfaceTexel(lattice)); }
#endif

#ifdef OROGEN_DETAIL
#include "shaders/made_relief.glsl"
#endif

// With the relief that is made below the samples' spacing, where it is shown: metres, unscaled.
float groundHeight(ivec2 lattice)
{
#ifdef OROGEN_DETAIL
    return dataHeight(lattice) + detailHeight(lattice);
#else
    return dataHeight(lattice);
#endif
}

#endif
