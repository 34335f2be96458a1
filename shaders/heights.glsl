// The data's height at a point of the draw lattice: metres, unscaled.  A function of the point, of the camera where the
// terrain is in tiles, and of what is resident, so that all triangles that touch the point agree.
// Needs in scope: `frame`, `terrain`, surface.glsl, sampler2D heightTexture.
#ifndef OROGEN_HEIGHTS_GLSL
#define OROGEN_HEIGHTS_GLSL

#include "shaders/lattice.glsl"
#include "shaders/heights_image.glsl"

#ifdef OROGEN_TILES
#include "shaders/heights_tiles.glsl"
#else
float dataHeight(Lattice lattice) { return heightAt(surfaceTexel(lattice)); }
#endif

#ifdef OROGEN_DETAIL
#include "shaders/made_relief.glsl"
#endif

// What is drawn: with the relief that is made below the samples' spacing, where it is shown, and on the Earth no lower
// than the sea: metres, unscaled.
#ifdef OROGEN_EARTH
float seaLevel() { return earth.sea.y > 0.0 ? earth.sea.x / terrain.pixelSize.z : -1.0e30; }

float groundHeight(Lattice point)
{
    float sea = seaLevel();
    precise float height = dataHeight(point);
#ifdef OROGEN_DETAIL
    if (height > sea) height += detailHeight(point, height - sea);
#endif
    return max(height, sea);
}
#else
float groundHeight(Lattice point)
{
#ifdef OROGEN_DETAIL
    return dataHeight(point) + detailHeight(point);
#else
    return dataHeight(point);
#endif
}
#endif

#endif
