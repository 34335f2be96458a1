// The two uniform blocks of all passes of the renderer.
#ifndef OROGEN_FRAME_GLSL
#define OROGEN_FRAME_GLSL

#include "core/gpu_layout.h"

const int kFrustumPlanes = 5;  // planes used of frame.frustum; the far plane is at infinity, so the sixth is unused

#ifndef OROGEN_TAKES_UNIFORMS  // otherwise pixel_uniforms.glsl declares both
layout(std140, binding = kFrameBinding) uniform FrameBlock { FrameUniforms frame; };
layout(std140, binding = kTerrainBinding) uniform TerrainBlock { TerrainUniforms terrain; };
#endif

// The middle of the pixel that is shaded, from the picture's lower left.
#ifdef OROGEN_COMPUTE
layout(location = 0) uniform uvec2 shadedRows;  // first row, and the row after the last
#define PIXEL_MIDDLE (vec2(gl_GlobalInvocationID.xy + uvec2(0u, shadedRows.x)) + 0.5)
#else
#define PIXEL_MIDDLE gl_FragCoord.xy
#endif

#endif
