// Shades a level water surface (water.vert) and blends it over the picture.  The second output is the share of the
// picture that shows through.  Both outputs apply to display colours.
#include "shaders/frame.glsl"
#include "shaders/shading/cover.glsl"

layout(binding = kHeightTexture) uniform sampler2D heightTexture;
#include "shaders/heights/gradient_texture.glsl"
layout(binding = kLightTexture) uniform sampler2D lightTexture;

#include "shaders/shading/atmosphere.glsl"
#include "shaders/heights/height_texture.glsl"
#include "shaders/shading/mirror.glsl"

// Extinction in clear coastal water (1 / metre).
const vec3 kWaterExtinction = vec3(0.42, 0.105, 0.080);

struct WaterSurface
{
    vec3 normal;
    float variance;  // variance, along one axis, of the slopes of ripples too small for a pixel
};

float rippleHash(ivec2 p)
{
    uint h = uint(p.x) * 0x8da6b343u ^ uint(p.y) * 0xd8163841u;
    h = (h ^ (h >> 13)) * 0x5bd1e995u;
    return float((h ^ (h >> 15)) & 0xffffu) * (1.0 / 65535.0);
}

// Returns the derivatives, along the axes of `place` and per feature size, of value noise with features of `size`
// metres.  The noise's axes are rotated by `axis` (cosine, sine).
vec2 rippleSlope(vec2 place, float size, vec2 axis)
{
    vec2 p = vec2(dot(place, axis), dot(place, vec2(-axis.y, axis.x))) / size;
    vec2 i = floor(p), f = p - i;
    ivec2 k = ivec2(i);
    float a = rippleHash(k), b = rippleHash(k + ivec2(1, 0)), c = rippleHash(k + ivec2(0, 1));
    float twist = a - b - c + rippleHash(k + ivec2(1, 1));
    vec2 smoothed = f * f * (3.0 - 2.0 * f);
    vec2 slope = 6.0 * f * (1.0 - f) * (vec2(b - a, c - a) + twist * smoothed.yx);
    return slope.x * axis + slope.y * vec2(-axis.y, axis.x);
}

// Returns the surface with ripples of 9.1, 3.3 and 1.1 m.  Ripples smaller than about 2 pixels only widen reflections.
// `place`: metres along columns and rows; `footprint`: metres that a pixel covers.
WaterSurface ripples(vec2 place, float footprint)
{
    vec3 show = clamp(1.4 - 2.6 * footprint / vec3(9.1, 3.3, 1.1), 0.0, 1.0);
    vec2 slope = 0.020 * show.x * rippleSlope(place, 9.1, vec2(0.80, 0.60)) +
                 0.018 * show.y * rippleSlope(place, 3.3, vec2(-0.28, 0.96)) +
                 0.014 * show.z * rippleSlope(place, 1.1, vec2(0.60, -0.80));
    WaterSurface surface;
    surface.normal = normalize(vec3(-slope.x, slope.y, 1.0));
#ifdef OROGEN_LAKES
    surface.variance = 0.0030 + dot(1.0 - show * show, vec3(0.0012, 0.0010, 0.0008));
#else
    surface.variance = frame.waveVariance * (0.25 + dot(1.0 - show * show, vec3(0.30, 0.25, 0.20)));
#endif
    return surface;
}

// Returns the share of the bottom's light that passes `depth` metres of water down, and up again towards the eye.
// `toEye`: unit vector to the camera.
vec3 throughWater(float depth, vec3 toEye)
{
    float refracted = sqrt(1.0 - (1.0 - toEye.z * toEye.z) / 1.777);  // cosine of the ray in the water
    return exp(-kWaterExtinction * depth * (1.0 + 1.0 / refracted));
}

// Returns the radiance of water too deep for the bottom to show.  `sunlit`: visible share of the sun.  For the
// other parameters see ripples() and throughWater().
vec3 deepWater(vec3 toEye, vec2 place, float footprint, float sunlit)
{
    WaterSurface surface = ripples(place, footprint);
    vec3 bounced = reflect(-toEye, surface.normal), sunlight = sunColour() * sunlit;
    vec3 sky = mirroredSky(skyIrradiance(), sunlight, bounced.z, dot(bounced, frame.sunDirection.xyz));
    vec3 body = vec3(0.006, 0.024, 0.032) * (sunlight * max(frame.sunDirection.z, 0.0) + skyIrradiance());
    return mix(body, sky, waterFresnel(dot(surface.normal, toEye))) +
           sunGlint(surface.normal, surface.variance, vec3(0.0, 0.0, 1.0), toEye, sunlight);
}

// Returns the tint of water for map-like shadings.  `depth`: metres.
vec3 mapWater(float depth) { return mix(vec3(0.66, 0.81, 0.90), vec3(0.32, 0.52, 0.72), 1.0 - exp(-depth / 60.0)); }

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
