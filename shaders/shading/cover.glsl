// Settings of overlays on the ground: sea, contour lines and imagery.
#ifndef OROGEN_COVER_GLSL
#define OROGEN_COVER_GLSL

#include "core/gpu_layout.h"

layout(std140, binding = kCoverBinding) uniform CoverBlock { CoverUniforms cover; };

#endif
