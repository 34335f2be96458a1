// The criterion `error`: how large the error of a base's triangles appears (pixels).  Also bounds of the ground's
// height over boxes.  Both triangles at a base compute the same value, because it is a function of the base's middle.
//
// Must be in scope: `frame`, `terrain`, surface.glsl, heights.glsl, leb.glsl.
#ifndef OROGEN_ERROR_PIXELS_GLSL
#define OROGEN_ERROR_PIXELS_GLSL

#include "shaders/tree/diamond.glsl"
#include "shaders/heights/error_@heights.glsl"

// Returns the error of data and procedural detail together, the root of the sum of their squares.  Both errors are
// maxima over a leaf's triangles.  They are independent, so both hardly ever occur at one point with equal signs.
float withDetailError(float data, float detail) { return sqrt(data * data + detail * detail); }

#include "shaders/surface/error_pixels_@world.glsl"

#endif
