// The ground seen in a pixel, from its depth, and a histogram of one value per pixel.  Needs core/gpu_layout.h in
// scope.
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

// Returns the direction of a pixel's ray, scaled to a forward distance of 1 metre.
vec3 rayThrough(ivec2 pixel)
{
    vec2 ndc = (vec2(pixel) + view.lens.xy) * 2.0 * view.viewport.zw - 1.0;
    return (view.relativeFromClip * vec4(ndc, 0.0, 1.0)).xyz;
}

// Finds the point of the ground in a pixel, relative to the camera (metres).  Returns false for the sky.
bool groundPoint(ivec2 pixel, out vec3 relative)
{
    relative = vec3(0.0);
    float depth = texelFetch(depthTexture, pixel, 0).r;  // sample 0
    if (depth <= 0.0) return false;
    relative = rayThrough(pixel) * (view.lens.w / depth);  // distance = near plane / depth, as depth is reversed
    return true;
}

// Counts a pixel's value in its histogram bin (see PixelTally).  The first and the last bin have no outer limit.
void addToTally(float pixels)
{
    uint bits = floatBitsToUint(max(pixels, 0.0));
    if (bits > tally.largest) atomicMax(tally.largest, bits);
    uint step = bits >> 16u;
    atomicAdd(tallyBins[step < kTallyFirstStep ? 0u : min(step - kTallyFirstStep + 1u, kTallyBins - 1u)], 1u);
}

#endif
