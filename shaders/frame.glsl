// The two uniform blocks that every pass of the renderer sees.
#ifndef OROGEN_FRAME_GLSL
#define OROGEN_FRAME_GLSL

#include "core/gpu_layout.h"

const int kFrustumPlanes = 5;  // of frame.frustum: the far plane lies at infinity, and the sixth is unused

layout(std140, binding = kFrameBinding) uniform FrameBlock { FrameUniforms frame; };
layout(std140, binding = kTerrainBinding) uniform TerrainBlock { TerrainUniforms terrain; };

#endif
