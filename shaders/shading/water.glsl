// Shading of water: calm lakes with OROGEN_LAKES, otherwise a sea.  Needs FrameUniforms `frame` and atmosphere.glsl in
// scope.
#ifndef OROGEN_WATER_GLSL
#define OROGEN_WATER_GLSL

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

// Returns the slope, along the axes of `place`, of value noise with features of `size` metres.  The noise's axes are
// rotated by `axis` (cosine, sine).
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

// Returns the surface with ripples of 9.1, 3.3 and 1.1 m.  Ripples smaller than a pixel only widen reflections.
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

#endif
