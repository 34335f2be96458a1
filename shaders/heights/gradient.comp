// Computes slopes when a terrain is loaded: central differences, metres per metre towards east and north.
#include "shaders/frame.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = kHeightTexture) uniform sampler2D heightTexture;
layout(rg16f, binding = 0) uniform writeonly image2D gradients;
layout(location = 0) uniform int firstRow;

float sampleAt(ivec2 p)
{
    ivec2 last = ivec2(terrain.rasterSize.xy) - 1;
    return terrain.heights.x + terrain.heights.y * texelFetch(heightTexture, clamp(p, ivec2(0), last), 0).r;
}

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy) + ivec2(0, firstRow);
    ivec2 size = ivec2(terrain.rasterSize.xy);
    if (p.x >= size.x || p.y >= size.y) return;
    // One-sided at the border: the span there is one sample instead of two.
    float spanX = float(min(p.x + 1, size.x - 1) - max(p.x - 1, 0));
    float spanY = float(min(p.y + 1, size.y - 1) - max(p.y - 1, 0));
    float east = (sampleAt(p + ivec2(1, 0)) - sampleAt(p - ivec2(1, 0))) / max(spanX * terrain.pixelSize.x, 1.0e-6);
    float north = (sampleAt(p - ivec2(0, 1)) - sampleAt(p + ivec2(0, 1))) / max(spanY * terrain.pixelSize.y, 1.0e-6);
    imageStore(gradients, p, vec4(east, north, 0.0, 0.0));
}
