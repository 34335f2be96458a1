// The criterion `error`: how large the error of a base appears (pixels), and bounds of the ground over boxes.  Both
// triangles at a base compute the same value, since it is a function of the base's middle.
//
// Must be in scope: `frame`, `terrain`, surface.glsl, heights.glsl, leb.glsl.
#ifndef OROGEN_ERROR_PIXELS_GLSL
#define OROGEN_ERROR_PIXELS_GLSL

#include "shaders/tree/diamond.glsl"
#ifdef OROGEN_TILES
#include "shaders/heights/tile_error.glsl"
#else
layout(binding = kRangeTexture) uniform sampler2D rangeTexture;
#include "shaders/heights/pyramid.glsl"
#include "shaders/heights/error_image.glsl"
#include "shaders/heights/diamond_error.glsl"
#endif

#ifdef OROGEN_EARTH
#include "shaders/surface/error_pixels_earth.glsl"
#else
#include "shaders/surface/error_pixels_plane.glsl"
#endif

#endif
