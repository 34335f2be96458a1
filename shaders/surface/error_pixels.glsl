// The criterion `error`: how large the error of a base appears (pixels), and bounds of the ground over boxes.  Both
// triangles at a base compute the same value, since it is a function of the base's middle.
//
// Must be in scope: `frame`, `terrain`, surface.glsl, heights.glsl, leb.glsl.
#ifndef OROGEN_ERROR_PIXELS_GLSL
#define OROGEN_ERROR_PIXELS_GLSL

#include "shaders/tree/diamond.glsl"
#include "shaders/heights/error_@heights.glsl"

// Returns the error of data and procedural detail together: the root of the sum of their squares.  Each is the largest
// error over a leaf's triangles.  The two are independent, so they hardly ever occur at one point with equal signs.
float withDetailError(float data, float detail) { return sqrt(data * data + detail * detail); }

#include "shaders/surface/error_pixels_@world.glsl"

#endif
