// Lists the pixels of a multisampled picture in which samples lie on several surfaces of the ground: only these are
// shaded once a sample (edges.vert).  On one surface depth is linear, and changes within a pixel by no more than between
// neighbouring pixels.
#include "shaders/frame.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(binding = kDepthTexture) uniform sampler2DMS depthTexture;
// Arguments of glDrawArraysIndirect, whose first is kEdgeVertices a pixel, and pixels as x | y << 16.
layout(std430, binding = kEdgesBinding) buffer EdgesBlock { uint edgeArguments[4]; uint edges[]; };

float depthAt(ivec2 pixel, int s) { return texelFetch(depthTexture, clamp(pixel, ivec2(0), ivec2(frame.viewport.xy) - 1), s).r; }

void main()
{
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pixel, ivec2(frame.viewport.xy)))) return;
    float farthest = 1.0e30, nearest = 0.0;
    for (int s = 0; s < OROGEN_SAMPLES; ++s)
    {
        float depth = depthAt(pixel, s);
        if (depth <= 0.0) continue;
        farthest = min(farthest, depth);
        nearest = max(nearest, depth);
    }
    if (nearest <= farthest) return;  // no ground, or one depth
    float here = depthAt(pixel, 0);
    vec2 before = vec2(depthAt(pixel - ivec2(1, 0), 0), depthAt(pixel - ivec2(0, 1), 0));
    vec2 after = vec2(depthAt(pixel + ivec2(1, 0), 0), depthAt(pixel + ivec2(0, 1), 0));
    vec2 change = min(abs(before - here), abs(after - here));
    if (nearest - farthest > 1.0 * (change.x + change.y) + 1.0e-3 * nearest)
        edges[atomicAdd(edgeArguments[0], kEdgeVertices) / kEdgeVertices] = uint(pixel.x) | uint(pixel.y) << 16;
}
