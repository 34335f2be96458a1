// Errors of triangles and bounds of the ground of one image (metres, unscaled).
//
// Must be in scope: `terrain`, surface.glsl, heights.glsl, leb.glsl, diamond.glsl.
#ifndef OROGEN_ERROR_IMAGE_GLSL
#define OROGEN_ERROR_IMAGE_GLSL

layout(binding = kErrorTexture) uniform usampler2DArray errorTexture;

uint errorCode(uint index)
{
    uint last = (1u << kErrorPageBits) - 1u;
    ivec3 texel = ivec3(index & last, (index >> kErrorPageBits) & last, index >> (2u * kErrorPageBits));
    return texelFetch(errorTexture, texel, 0).r;
}

#include "shaders/heights/diamond_error.glsl"
#include "shaders/heights/pyramid.glsl"

layout(binding = kRangeTexture) uniform sampler2D rangeTexture;

// Returns the lowest and the highest height of the data over a box (metres, unscaled).  Reads at most four cells of the
// pyramid, from the finest level whose cells are at least as large as the box.
vec2 groundRange(Lattice lowest, Lattice highest)
{
    vec2 a = surfaceTexel(lowest), b = surfaceTexel(highest);
    vec2 low = clamp(min(a, b), vec2(0.0), terrain.rasterSize.xy - 1.0);
    vec2 high = clamp(max(a, b), vec2(0.0), terrain.rasterSize.xy - 1.0);
    vec2 extent = abs(b - a);
    uint level = pyramidLevel(max(extent.x, extent.y), terrain.pyramidLevelCount);
    ivec4 where = terrain.pyramidLevels[level - 1u];
    ivec2 first = min(ivec2(pyramidCell(low.x, level), pyramidCell(low.y, level)), where.zw - 1);
    ivec2 last = min(ivec2(pyramidCell(high.x, level), pyramidCell(high.y, level)), where.zw - 1);

    vec2 range = vec2(1.0, 0.0);
    for (int i = 0; i < 4; ++i)
    {
        ivec2 cell = ivec2((i & 1) == 0 ? first.x : last.x, (i & 2) == 0 ? first.y : last.y);
        vec2 r = texelFetch(rangeTexture, where.xy + cell, 0).rg;
        range = vec2(min(range.x, r.x), max(range.y, r.y));
    }
    return vec2(heightOfCode(range.x), heightOfCode(range.y));
}

#endif
