// Lists the pixels of a multisampled picture whose samples lie on several surfaces of the ground.  Only these pixels
// are shaded once per sample (edges.vert).  On one surface depth is linear on the screen, so it changes within a pixel
// by no more than between neighbouring pixels.
#include "shaders/frame.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(binding = kDepthTexture) uniform sampler2DMS depthTexture;
layout(location = 0) uniform int sampleCount;  // samples per pixel

// Arguments of glDrawArraysIndirect, whose vertex count is kEdgeVertices per pixel; list of pixels as x | y << 16.
layout(std430, binding = kEdgesBinding) buffer EdgesBlock { uint edgeArguments[4]; uint edges[]; };

// Largest difference of depth between samples of one surface, as a share of the change of depth to the neighbours.  At
// the usual places, up to four samples are at most 3/4 pixel apart on each axis; the rest is a margin.  Eight samples
// are up to 7/8 pixel apart, so some pixels are listed needlessly.  A ridge one pixel wide has share 1: it is listed.
const float kWithin = 0.85;

// Returns the change of depth from a pixel to that one of two opposite neighbours whose depth is closer.  Ignores
// neighbours outside the picture.  `here`: depth of the pixel in the sample `ofSample`.
float changeTowards(ivec2 pixel, ivec2 step, int ofSample, float here)
{
    ivec2 last = ivec2(frame.viewport.xy) - 1;
    bool before = all(greaterThanEqual(pixel - step, ivec2(0))), after = all(lessThanEqual(pixel + step, last));
    float first = before ? abs(texelFetch(depthTexture, pixel - step, ofSample).r - here) : here;
    float second = after ? abs(texelFetch(depthTexture, pixel + step, ofSample).r - here) : here;
    return min(first, second);
}

void main()
{
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pixel, ivec2(frame.viewport.xy)))) return;
    float farthest = 1.0e30, nearest = 0.0;
    int ground = 0;  // a sample that shows ground
    for (int s = 0; s < sampleCount; ++s)
    {
        float depth = texelFetch(depthTexture, pixel, s).r;
        if (depth <= 0.0) continue;
        farthest = min(farthest, depth);
        nearest = max(nearest, depth);
        ground = s;
    }
    if (nearest <= farthest) return;  // no sample shows ground, or all have one depth
    float here = texelFetch(depthTexture, pixel, ground).r;
    float change = changeTowards(pixel, ivec2(1, 0), ground, here) + changeTowards(pixel, ivec2(0, 1), ground, here);
    if (nearest - farthest > kWithin * change + 1.0e-3 * nearest)
        edges[atomicAdd(edgeArguments[0], kEdgeVertices) / kEdgeVertices] = uint(pixel.x) | uint(pixel.y) << 16;
}
