// The ground in a pixel (pixel.glsl) on a plane: its sample coordinates.  Needs in scope: `frame`, `terrain`.
#ifndef OROGEN_PLANE_PIXEL_GLSL
#define OROGEN_PLANE_PIXEL_GLSL

#include "shaders/shading/pixel.glsl"

// Sample coordinates as of surfaceTexel() (surface_plane.glsl), and their change to the next pixel along x and y.
vec2 texel;
vec2 texelAcross, texelAlong;

// Calls seePixel(), and sets the variables above.
void seePlane()
{
    seePixel();
    float perMetre = 1.0 / terrain.squareSize.y;
    vec2 texels = terrain.texelFromLattice.xy * perMetre;  // texels per metre
    vec2 units = (relative.xy + frame.cameraFraction.xy) * perMetre;
    texel = terrain.texelFromLattice.xy * (frame.cameraCell.xy + units) + terrain.texelFromLattice.zw;
    texelAcross = texels * relativeAcross.xy;
    texelAlong = texels * relativeAlong.xy;
}

#endif
