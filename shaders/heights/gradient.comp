// Computes slopes in a box of samples by central differences (metres per metre towards east and north).  If `level` is
// not 0, computes that level of their mipmap instead, in which each texel is the mean of four.
#include "shaders/frame.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = kHeightTexture) uniform sampler2D heightTexture;
layout(rg16f, binding = 0) uniform writeonly image2D gradients;
layout(binding = kGradientTexture) uniform sampler2D finerGradients;
layout(location = 0) uniform ivec4 box;         // first column and row, and those after the last
layout(location = 2) uniform int level;         // level of the mipmap; 0: slopes of the heights
layout(location = 1) uniform vec2 slopeOfCode;  // metres per metre, for a difference of one code over two intervals

// Returns the code (height as an integer) of a sample, 0 ... 65535.  Differences of codes are exact.
float codeAt(ivec2 p)
{
    ivec2 last = ivec2(terrain.rasterSize.xy) - 1;
    return floor(texelFetch(heightTexture, clamp(p, ivec2(0), last), 0).r * 65535.0 + 0.5);
}

// Rounds to a half float as halfOf() does (core/base/half_float.h).  The rounding of image stores depends on the
// driver, but procedural detail needs exactly the slopes that the CPU computes.
float rounded(float slope) { return uintBitsToFloat((floatBitsToUint(slope) + 0x1000u) & ~0x1fffu); }

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy) + box.xy;
    if (any(greaterThanEqual(p, box.zw))) return;
    if (level > 0)
    {
        ivec2 last = textureSize(finerGradients, level - 1) - 1;
        vec2 sum = vec2(0.0);
        for (int i = 0; i < 4; ++i)
            sum += texelFetch(finerGradients, min(2 * p + ivec2(i & 1, i >> 1), last), level - 1).rg;
        imageStore(gradients, p, vec4(0.25 * sum, 0.0, 0.0));
        return;
    }
    ivec2 size = ivec2(terrain.rasterSize.xy);
    // Differences are one-sided at the border, where they span one sample interval instead of two.
    vec2 wider = mix(vec2(1.0), vec2(2.0), equal(min(p + 1, size - 1) - max(p - 1, ivec2(0)), ivec2(1)));
    float east = slopeOfCode.x * wider.x * (codeAt(p + ivec2(1, 0)) - codeAt(p - ivec2(1, 0)));
    float north = slopeOfCode.y * wider.y * (codeAt(p - ivec2(0, 1)) - codeAt(p + ivec2(0, 1)));
    imageStore(gradients, p, vec4(rounded(east), rounded(north), 0.0, 0.0));
}
