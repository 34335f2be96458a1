// What is seen in each pixel of the picture, from its depth, and a tally of one number a pixel.
// Needs in scope: core/gpu_layout.h.
#ifndef OROGEN_GROUND_POINTS_GLSL
#define OROGEN_GROUND_POINTS_GLSL

layout(local_size_x = 8, local_size_y = 8) in;

layout(std140, binding = kGroundViewBinding) uniform GroundViewBlock { GroundView view; };
layout(std430, binding = kTallyBinding) buffer TallyBlock { PixelTally tally; uint tallyBins[]; };
#ifdef OROGEN_MULTISAMPLED
layout(binding = kDepthTexture) uniform sampler2DMS depthTexture;
#else
layout(binding = kDepthTexture) uniform sampler2D depthTexture;
#endif

// Through a pixel, to where the depth is that of the near plane's distance over 1.
vec3 rayThrough(ivec2 pixel)
{
    vec2 ndc = (vec2(pixel) + view.lens.xy) * 2.0 * view.viewport.zw - 1.0;
    return (view.relativeFromClip * vec4(ndc, 0.0, 1.0)).xyz;
}

// The point of the ground in this pixel, relative to the camera; false: the sky.
bool groundPoint(ivec2 pixel, out vec3 relative)
{
    relative = vec3(0.0);
    float depth = texelFetch(depthTexture, pixel, 0).r;  // of sample 0
    if (depth <= 0.0) return false;
    relative = rayThrough(pixel) * (view.lens.w / depth);  // the near plane's distance over the reversed depth
    return true;
}

// Bins are as wide as 1 / 128 of the power of two below them; the first one holds what is smaller than all, the last what
// is larger.
void addToTally(float pixels)
{
    uint bits = floatBitsToUint(max(pixels, 0.0));
    if (bits > tally.largest) atomicMax(tally.largest, bits);
    uint step = bits >> 16u;
    atomicAdd(tallyBins[step < kTallyFirstStep ? 0u : min(step - kTallyFirstStep + 1u, kTallyBins - 1u)], 1u);
}

#endif
