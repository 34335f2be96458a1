// Computes the share of the sun that shows over the relief in each texel of the region around the camera (region.glsl).
#include "shaders/earth/region.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = kLightTexture) uniform sampler2DArray heights;
layout(binding = 0, r8) uniform writeonly image2DArray shares;

layout(location = 0) uniform int firstRow;
layout(location = 1) uniform int level;
layout(location = 2) uniform float base;   // width of level 0 (metres)
layout(location = 3) uniform vec4 sun;     // xyz: direction to the sun (region axes); w: highest ground (metres)

// Returns the height in the finest level, from `level` on, that contains the place and has cells not much finer than
// the step; a very low height outside all levels.
float heightAt(vec2 place, float step)
{
    float farthest = max(abs(place.x), abs(place.y)), cells = float(textureSize(heights, 0).x);
    int at = level;
    for (int i = 0; i < kRegionLevels - 1; ++i)
    {
        bool coarser = farthest > 0.49 * regionWidth(base, at) || regionWidth(base, at) * 3.0 < step * cells;
        if (coarser && at < kRegionLevels - 1) ++at;
    }
    float width = regionWidth(base, at);
    return farthest > 0.5 * width ? -1.0e5 : textureLod(heights, vec3(place / width + 0.5, float(at)), 0.0).r;
}

#include "shaders/shading/shadow.glsl"

void main()
{
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy) + ivec2(0, firstRow);
    int side = imageSize(shares).x;
    if (texel.y >= side) return;
    float cell = regionWidth(base, level) / float(side);
    vec2 place = (vec2(texel) + 0.5 - 0.5 * float(side)) * cell;
    float height = texelFetch(heights, ivec3(texel, level), 0).r;
    bool up = sun.z + dot(place, sun.xy) / kAirRadius > -0.02;  // the vertical tilts away from the region's centre
    imageStore(shares, ivec3(texel, level), vec4(!up ? 0.0 : sunShare(place, height, sun.w, cell, sun.xyz)));
}
