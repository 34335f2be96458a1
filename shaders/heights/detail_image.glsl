// Roughness and slopes of the data of one image, for detail_plane.glsl.
//
// Must be in scope: `terrain`, surface_plane.glsl, and roughnessOfCode() of made_relief.glsl, which includes this file.
#ifndef OROGEN_DETAIL_IMAGE_GLSL
#define OROGEN_DETAIL_IMAGE_GLSL

#include "shaders/heights/gradient_texture.glsl"


// Roughness codes.  A texel of level l holds the maximum of 2^l x 2^l samples; the last texels of rows and columns also
// cover the remaining samples.
layout(binding = kRoughnessTexture) uniform sampler2D roughnessTexture;

float roughnessOfSample(ivec2 sampleAt, int level)
{
    return roughnessOfCode(texelFetch(roughnessTexture, sampleAt, level).r);
}

// Returns the cell of samples at a lattice point: x, y: its north-western sample; z, w: its south-eastern sample.
// `part`: position in the cell, 0 ... 1.
ivec4 samplesAround(ivec2 lattice, out vec2 part)
{
    ivec2 last = ivec2(terrain.rasterSize.xy) - 1;
    precise vec2 t = clamp(surfaceTexel(lattice), vec2(0.0), vec2(last));
    ivec2 low = min(ivec2(t), max(last - 1, ivec2(0)));
    part = t - vec2(low);
    return ivec4(low, min(low + 1, last));
}

float roughnessAt(ivec2 lattice)
{
    precise vec2 f;
    ivec4 at = samplesAround(lattice, f);
    float nw = roughnessOfSample(at.xy, 0), ne = roughnessOfSample(at.zy, 0);
    float sw = roughnessOfSample(at.xw, 0), se = roughnessOfSample(at.zw, 0);
    precise float rough = mix(mix(nw, ne, f.x), mix(sw, se, f.x), f.y);
    return rough;
}

vec3 reliefOfSample(ivec2 sampleAt)
{
    return vec3(roughnessOfSample(sampleAt, 0), texelFetch(gradientTexture, sampleAt, 0).rg);
}

vec3 reliefAt(ivec2 lattice)
{
    precise vec2 f;
    ivec4 at = samplesAround(lattice, f);
    vec3 nw = reliefOfSample(at.xy), ne = reliefOfSample(at.zy), sw = reliefOfSample(at.xw), se = reliefOfSample(at.zw);
    precise vec3 relief = mix(mix(nw, ne, f.x), mix(sw, se, f.x), f.y);
    return relief;
}

float roughestBetween(ivec2 low, ivec2 high)
{
    vec2 last = terrain.rasterSize.xy - 1.0;
    vec2 a = clamp(surfaceTexel(low), vec2(0.0), last), b = clamp(surfaceTexel(high), vec2(0.0), last);
    ivec2 first = ivec2(min(a, b)), end = min(ivec2(max(a, b)) + 1, ivec2(last));
    int intervals = max(end.x - first.x, end.y - first.y);
    int level = clamp(findMSB(uint(max(intervals - 1, 0))) + 1, 0, textureQueryLevels(roughnessTexture) - 1);
    ivec2 most = max(ivec2(terrain.rasterSize.xy) >> level, ivec2(1)) - 1;  // textureSize() may require a uniform level
    first = min(first >> level, most);
    end = min(end >> level, most);
    float rough = 0.0;
    for (int y = first.y; y <= end.y; ++y)
        for (int x = first.x; x <= end.x; ++x)
            rough = max(rough, roughnessOfSample(ivec2(x, y), level));
    return rough;
}

// Returns bounds of the bilinear function through the samples: see detail_plane.glsl.  For a box of more than 2 x 2
// cells, or one that leaves the raster, they follow from the largest roughness alone.
vec3 roughnessAcross(ivec2 low, ivec2 high, float units)
{
    vec2 a = surfaceTexel(low), b = surfaceTexel(high), last = terrain.rasterSize.xy - 1.0;
    vec2 west = min(a, b), east = max(a, b);
    ivec2 first = ivec2(floor(west)), cells = ivec2(floor(east)) - first + 1;
    vec2 wide = units * abs(terrain.texelFromLattice.xy);  // extent of a triangle (samples)
    float samples = max(wide.x, wide.y);
    if (any(greaterThan(cells, ivec2(2))) || any(lessThan(first, ivec2(0))) || any(greaterThan(east, last)))
    {
        float most = roughestBetween(low, high);
        return vec3(most, most * min(2.0 * samples, 1.0), most * min(samples + 0.5 * samples * samples, 1.0));
    }
    mat3 r;  // columns of samples; the last one repeats where there is no second cell
    ivec2 end = min(first + cells, ivec2(last));
    for (int i = 0; i < 9; ++i) r[i % 3][i / 3] = roughnessOfSample(min(first + ivec2(i % 3, i / 3), end), 0);
    vec3 across = max(abs(r[1] - r[0]), abs(r[2] - r[1]));
    vec3 rowsA = abs(vec3(r[0].y, r[1].y, r[2].y) - vec3(r[0].x, r[1].x, r[2].x));
    vec3 rowsB = abs(vec3(r[0].z, r[1].z, r[2].z) - vec3(r[0].y, r[1].y, r[2].y));
    vec3 along = max(rowsA, rowsB);
    vec3 kinkX = cells.x > 1 ? abs(r[0] - 2.0 * r[1] + r[2]) : vec3(0.0);
    vec3 kinkY = vec3(0.0);
    if (cells.y > 1) for (int i = 0; i < 3; ++i) kinkY[i] = abs(r[i].x - 2.0 * r[i].y + r[i].z);
    vec3 west2 = r[1] - r[0], east2 = r[2] - r[1];
    float twist = max(max(abs(west2.y - west2.x), abs(west2.z - west2.y)), max(abs(east2.y - east2.x), abs(east2.z - east2.y)));
    float change = max(across.x, max(across.y, across.z)) * wide.x + max(along.x, max(along.y, along.z)) * wide.y;
    float bend = 0.25 * (max(kinkX.x, max(kinkX.y, kinkX.z)) * wide.x + max(kinkY.x, max(kinkY.y, kinkY.z)) * wide.y +
                         twist * wide.x * wide.y);
    float most = 0.0;
    if (cells.x == 1 && cells.y == 1)
    {
        vec2 l = west - vec2(first), h = east - vec2(first);
        vec2 north = mix(vec2(r[0].x), vec2(r[1].x), vec2(l.x, h.x)), south = mix(vec2(r[0].y), vec2(r[1].y), vec2(l.x, h.x));
        vec2 upper = mix(north, south, l.y), lower = mix(north, south, h.y);
        most = max(max(upper.x, upper.y), max(lower.x, lower.y));
    }
    else
    {
        vec3 largest = max(r[0], max(r[1], r[2]));
        most = max(largest.x, max(largest.y, largest.z));
    }
    return vec3(most, min(change, most), min(bend, most));
}

#endif
