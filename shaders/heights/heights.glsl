// The data's height at a point of the draw lattice (metres, unscaled).  It depends on the point alone; for tiles, also
// on the active tiles and the camera.  So all triangles that touch the point agree.  Needs `frame`, `terrain`,
// surface.glsl and sampler2D heightTexture in scope.
#ifndef OROGEN_HEIGHTS_GLSL
#define OROGEN_HEIGHTS_GLSL

#include "shaders/tree/lattice.glsl"
#include "shaders/heights/heights_image.glsl"

#ifdef OROGEN_TILES
#include "shaders/heights/heights_tiles.glsl"
#else
float dataHeight(Lattice lattice) { return heightAt(surfaceTexel(lattice)); }
#endif

#ifdef OROGEN_DETAIL
#include "shaders/heights/made_relief.glsl"
#endif

// Drawn height (metres, unscaled): data plus procedural detail, where it is shown; on the Earth at least the sea level.
#ifdef OROGEN_EARTH
float seaLevel() { return earth.sea.y > 0.0 ? earth.sea.x / terrain.pixelSize.z : -1.0e30; }

float groundHeight(Lattice point)
{
    float sea = seaLevel();
    precise float height = dataHeight(point);
#ifdef OROGEN_DETAIL
    height += detailHeight(point, height - sea);
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
