// Computes the light map by marching over the elevation model.  A texel has the visible share of the sun or the moon
// (red) and of the sky (green).  Runs in slices of rows when the terrain, the height scale or the sun changes, and
// in boxes around changed heights.
#include "shaders/frame.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = kHeightTexture) uniform sampler2D heightTexture;
layout(rg8, binding = 0) uniform image2D lightMap;
layout(location = 0) uniform ivec2 firstTexel;  // first texel of this dispatch
layout(location = 1) uniform int withSky;  // 0: keeps the stored share of the sky
layout(location = 2) uniform vec3 towardsLight;  // unit vector towards the sun or the moon: east, north, up
layout(location = 3) uniform int withShadows;  // 0: no relief hides the light

const int kSkyDirections = 8;
const int kSkySteps = 9;

// Returns the texture coordinates of a place.  Places are metres east and north of the map's north-western corner.
vec2 uvOf(vec2 place) { return place * vec2(1.0, -1.0) / (terrain.pixelSize.xy * terrain.rasterSize.xy); }

// Returns the height at a place (metres, scaled); `step` is unused.
float heightAt(vec2 place, float step)
{
    return (terrain.heights.x + terrain.heights.y * textureLod(heightTexture, uvOf(place), 0.0).r) * terrain.pixelSize.z;
}

#include "shaders/shading/shadow.glsl"

// Returns the visible share of the sky: the mean of 1 - sin(elevation of the horizon) over kSkyDirections directions.
// `cell`: metres between texels.
float skyShare(vec2 place, float height, float cell)
{
    float open = 0.0;
    for (int d = 0; d < kSkyDirections; ++d)
    {
        float angle = (float(d) + 0.5) * 6.2831853 / float(kSkyDirections);
        vec2 along = vec2(cos(angle), sin(angle));
        float horizon = 0.0;
        for (int s = 0; s < kSkySteps; ++s)
        {
            float distance = cell * exp2(0.75 * float(s));
            horizon = max(horizon, (heightAt(place + along * distance, distance) - height) / distance);
        }
        open += 1.0 - horizon * inversesqrt(1.0 + horizon * horizon);
    }
    return open / float(kSkyDirections);
}

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy) + firstTexel;
    ivec2 size = imageSize(lightMap);
    if (p.x >= size.x || p.y >= size.y) return;
    vec2 place = (vec2(p) + 0.5) / vec2(size) * vec2(1.0, -1.0) * terrain.pixelSize.xy * terrain.rasterSize.xy;
    float height = heightAt(place, 0.0);
    float cell = max(terrain.pixelSize.x * terrain.rasterSize.x / float(size.x), terrain.pixelSize.y * terrain.rasterSize.y / float(size.y));
    float sky = withSky != 0 ? skyShare(place, height, cell) : imageLoad(lightMap, p).g;
    float sun = towardsLight.z <= -0.02 ? 0.0 : withShadows != 0 ? sunShare(place, height, terrain.heights.w, cell, towardsLight) : 1.0;
    imageStore(lightMap, p, vec4(sun, sky, 0.0, 0.0));
}
