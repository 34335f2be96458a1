// What lies over the ground, as settings have it.
#ifndef OROGEN_COVER_GLSL
#define OROGEN_COVER_GLSL

#include "core/gpu_layout.h"

layout(std140, binding = kCoverBinding) uniform CoverBlock { CoverUniforms cover; };

#endif
