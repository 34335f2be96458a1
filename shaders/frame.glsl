// The two uniform blocks of all passes of the renderer.
#ifndef OROGEN_FRAME_GLSL
#define OROGEN_FRAME_GLSL

#include "core/gpu_layout.h"

const int kFrustumPlanes = 5;  // planes used of frame.frustum; the far plane is at infinity, so the sixth is unused

layout(std140, binding = kFrameBinding) uniform FrameBlock { FrameUniforms frame; };
layout(std140, binding = kTerrainBinding) uniform TerrainBlock { TerrainUniforms terrain; };

#endif
