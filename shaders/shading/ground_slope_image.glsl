// Slope of the ground in a pixel (metres per metre, unscaled), for a terrain stored as one image.  terrain.frag
// includes this file, and its inputs must be in scope.
#ifndef OROGEN_GROUND_SLOPE_IMAGE_GLSL
#define OROGEN_GROUND_SLOPE_IMAGE_GLSL

vec2 groundSlope(vec2 uv) { return sampled(gradientTexture, uv).rg; }

#endif
