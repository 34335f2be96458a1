// The ground in a pixel (pixel.glsl) on a plane: its sample coordinates.  Needs in scope: `frame`, `terrain`.
#ifndef OROGEN_PLANE_PIXEL_GLSL
#define OROGEN_PLANE_PIXEL_GLSL

#include "shaders/shading/pixel.glsl"

// Sample coordinates as of surfaceTexel() (surface_plane.glsl), and their change to the next pixel along x and y.
#ifdef OROGEN_SHADED_AS_DRAWN
layout(location = 1) in vec2 texel;
#else
vec2 texel;
#endif
vec2 texelAcross, texelAlong;

// Calls seePixel(), and sets the variables above.
void seePlane()
{
    seePixel();
    vec2 texels = terrain.texelFromLattice.xy / terrain.squareSize.y;  // texels per metre
#ifndef OROGEN_SHADED_AS_DRAWN
    vec2 units = (relative.xy + frame.cameraFraction.xy) / terrain.squareSize.y;
    texel = terrain.texelFromLattice.xy * (frame.cameraCell.xy + units) + terrain.texelFromLattice.zw;
#endif
    texelAcross = texels * relativeAcross.xy;
    texelAlong = texels * relativeAlong.xy;
}

#endif
