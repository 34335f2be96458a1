// The criterion `error`: how large the error of a base appears (pixels), and bounds of the ground over boxes.  Both
// triangles at a base compute the same value, since it is a function of the base's middle.
//
// Must be in scope: `frame`, `terrain`, surface.glsl, heights.glsl, leb.glsl.
#ifndef OROGEN_ERROR_PIXELS_GLSL
#define OROGEN_ERROR_PIXELS_GLSL

#include "shaders/tree/diamond.glsl"
#include "shaders/heights/error_@heights.glsl"

// Error of data and procedural detail together.  Both are the largest errors over a leaf's triangles, and independent,
// so that they are hardly ever reached at one point with one sign: the root of the sum of squares.
float withDetailError(float data, float detail) { return sqrt(data * data + detail * detail); }

#include "shaders/surface/error_pixels_@world.glsl"

#endif
