// Shades a level water surface (water.vert) and blends it over the picture.  The second output is the share of the
// picture that shows through.  Both outputs apply to display colours.
#include "shaders/frame.glsl"
#include "shaders/shading/cover.glsl"

layout(binding = kHeightTexture) uniform sampler2D heightTexture;
#include "shaders/heights/gradient_texture.glsl"
layout(binding = kLightTexture) uniform sampler2D lightTexture;

#include "shaders/shading/atmosphere.glsl"
#include "shaders/heights/height_texture.glsl"
#include "shaders/shading/water.glsl"

const float kUnknownDepth = 9.0;  // metres: assumed depth where the elevation model has the water's surface

layout(location = 0) in vec3 relative;
layout(location = 1) in vec2 texel;

#ifdef OROGEN_LAKES
layout(binding = kLakeTexture) uniform sampler2D lakeTexture;

layout(location = 2) flat in float level;

const float kOtherLake = 2.0;  // metres: deeper ground belongs to another, lower lake within this lake's rectangle
#endif

layout(location = 0, index = 0) out vec4 colour;
layout(location = 0, index = 1) out vec4 through;

void main()
{
#ifndef OROGEN_LAKES
    float level = cover.sea.x;
#endif
    float depth = max(level - heightAt(texel) * terrain.pixelSize.z, 0.0);
#ifdef OROGEN_LAKES
    float share = texture(lakeTexture, texel / (terrain.rasterSize.xy - 1.0)).r;
    float edge = max(fwidth(share), 1.0e-3);
    float covered = depth > kOtherLake ? 0.0 : clamp((share - 0.5) / edge + 0.5, 0.0, 1.0);
    depth = kUnknownDepth * smoothstep(0.4, 1.0, share);
#else
    float submerged = depth;
    float rise = length(texture(gradientTexture, (texel + 0.5) * terrain.rasterSize.zw).rg);
    depth = max(depth, kUnknownDepth * (1.0 - smoothstep(0.0, 0.004, rise)));
    // Outside the raster the sea becomes 2 cm deeper per metre.
    vec2 outside = max(max(-texel, texel - (terrain.rasterSize.xy - 1.0)), 0.0) * terrain.pixelSize.xy;
    depth += 0.02 * max(outside.x, outside.y);
    float covered = 1.0;
    float floorShows = 1.0 - smoothstep(2.0, 30.0, submerged + outside.x + outside.y);
#endif

#ifdef OROGEN_WATER_MAP
    colour = vec4(mapWater(depth), 1.0);
    vec3 seen = vec3(0.12);
#else
    float distance = length(relative);
    vec3 toEye = relative / -distance;
    toEye.z = max(toEye.z, 1.0e-4);
    float footprint = distance / frame.pixelsPerRadian / sqrt(max(toEye.z, 0.02));
    vec2 light = texture(lightTexture, (texel + 0.5) * terrain.rasterSize.zw).rg;
#ifndef OROGEN_LAKES
    light.r = mix(1.0, light.r, floorShows);  // the light map has the shadows on the floor, not those on the surface
#endif
    vec3 deep = deepWater(toEye, texel * terrain.pixelSize.xy, footprint, light.r);
    vec3 offset = vec3(relative.xy, level - frame.cameraCell.z - frame.cameraFraction.z);
    colour = vec4(displayed(throughTheAir(deep, bentDown(offset))), 1.0);
    vec3 seen = throughWater(depth, toEye) * (1.0 - waterFresnel(toEye.z));
#endif
    seen = 1.0 - covered * (1.0 - seen);
    colour.rgb *= 1.0 - seen;
    through = vec4(seen, 1.0);
}
