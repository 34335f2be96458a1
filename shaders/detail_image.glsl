// How rough the data of one image are, for detail.glsl.  Needs TerrainUniforms `terrain` and surface_plane.glsl in scope.
#ifndef OROGEN_DETAIL_IMAGE_GLSL
#define OROGEN_DETAIL_IMAGE_GLSL

// Codes of samples; level l has the largest of 2^l x 2^l samples, and the last ones hold what is left.
layout(binding = kRoughnessTexture) uniform sampler2D roughnessTexture;

float roughnessOfSample(ivec2 sampleAt, int level)
{
    return roughnessOfCode(texelFetch(roughnessTexture, sampleAt, level).r);
}

float roughnessAt(ivec2 lattice)
{
    ivec2 last = ivec2(terrain.rasterSize.xy) - 1;
    precise vec2 t = clamp(surfaceTexel(lattice), vec2(0.0), vec2(last));
    ivec2 low = min(ivec2(t), max(last - 1, ivec2(0))), high = min(low + 1, last);
    precise vec2 f = t - vec2(low);
    float nw = roughnessOfSample(low, 0), ne = roughnessOfSample(ivec2(high.x, low.y), 0);
    float sw = roughnessOfSample(ivec2(low.x, high.y), 0), se = roughnessOfSample(high, 0);
    precise float rough = mix(mix(nw, ne, f.x), mix(sw, se, f.x), f.y);
    return rough;
}

float roughestBetween(ivec2 low, ivec2 high)
{
    vec2 last = terrain.rasterSize.xy - 1.0;
    vec2 a = clamp(surfaceTexel(low), vec2(0.0), last), b = clamp(surfaceTexel(high), vec2(0.0), last);
    ivec2 first = ivec2(min(a, b)), end = min(ivec2(max(a, b)) + 1, ivec2(last));
    int intervals = max(end.x - first.x, end.y - first.y);
    int level = clamp(findMSB(uint(max(intervals - 1, 0))) + 1, 0, textureQueryLevels(roughnessTexture) - 1);
    ivec2 most = max(ivec2(terrain.rasterSize.xy) >> level, ivec2(1)) - 1;  // textureSize() may want one level for all
    first = min(first >> level, most);
    end = min(end >> level, most);
    float rough = 0.0;
    for (int y = first.y; y <= end.y; ++y)
        for (int x = first.x; x <= end.x; ++x)
            rough = max(rough, roughnessOfSample(ivec2(x, y), level));
    return rough;
}

#endif
