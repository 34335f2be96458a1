// Slope of the ground in a pixel, from one image: see terrain.frag, whose inputs must be in scope.
#ifndef OROGEN_GROUND_SLOPE_IMAGE_GLSL
#define OROGEN_GROUND_SLOPE_IMAGE_GLSL

vec2 groundSlope(vec2 uv) { return sampled(gradientTexture, uv).rg; }

#endif
