// Shading of the sea.  Needs in scope: `frame`, air.glsl, earth_pattern.glsl.
#ifndef OROGEN_EARTH_SEA_GLSL
#define OROGEN_EARTH_SEA_GLSL

// Extinction in clear water (1 / metre).
const vec3 kSeaExtinction = vec3(0.42, 0.090, 0.066);

struct SeaSurface
{
    vec2 slope;      // along the face's x and y
    float variance;  // variance of slopes too small for a pixel
};

// Ripples of several sizes near the camera; those smaller than a pixel only widen reflections.
SeaSurface seaSurface(EarthPlace place, float footprint)
{
    vec3 show = vec3(cellsShown(footprint, 11), cellsShown(footprint, 9), cellsShown(footprint, 7));
    SeaSurface sea;
    sea.slope = 0.022 * show.x * latticeNoise(place, 11).yz + 0.020 * show.y * latticeNoise(place, 9).yz +
                0.016 * show.z * latticeNoise(place, 7).yz;
    sea.variance = 0.0022 + dot(1.0 - show * show, vec3(0.0110, 0.0060, 0.0030));
    return sea;
}

float seaFresnel(float cosine) { return 0.02 + 0.98 * pow(1.0 - clamp(cosine, 0.0, 1.0), 5.0); }

// Reflection of the sun: the Cook-Torrance model with a Gaussian distribution of slopes.
vec3 seaGlint(vec3 normal, float variance, vec3 up, vec3 toEye, vec3 sunlight)
{
    vec3 halfway = normalize(toEye + frame.sunDirection.xyz);
    float cosine = max(dot(halfway, normal), 1.0e-3), tangent2 = 1.0 / (cosine * cosine) - 1.0;
    float density = exp(-0.5 * tangent2 / variance) / (2.0 * variance);
    float spread = density / (4.0 * pow(max(cosine, 0.05), 4.0) * max(dot(up, toEye), 0.06));
    float mirrored = seaFresnel(dot(halfway, toEye)) * spread;
    return sunlight * 1.5 * mirrored / (1.5 + mirrored);  // compressed to what a display can show
}

// Reflected sky without an integral per pixel: waves blur it.
vec3 mirroredSky(float rise, float towardsSun, AirPlace place, vec3 sunlight)
{
    vec3 light = skylightAt(place);
    float horizon = exp(-3.0 * max(rise, 0.0)), glow = 0.10 + 0.30 * pow(max(towardsSun, 0.0), 6.0);
    return light * mix(vec3(0.42, 0.50, 0.66), vec3(1.15, 1.08, 0.95), horizon) + sunlight * (glow * horizon);
}

// Radiance of the sea, `depth` metres deep, over a floor of colour `bottom`.  `floorShade`: factor that hints at the
// floor's relief in deep water, as on maps.
vec3 seaRadiance(float depth, float floorShade, vec3 bottom, vec3 normal, float variance, vec3 up, vec3 toEye, AirPlace place, vec3 sunlight)
{
    float facing = max(dot(up, toEye), 1.0e-3), sunUp = max(dot(up, frame.sunDirection.xyz), 0.0);
    vec3 light = sunlight * sunUp + skylightAt(place);
    float refracted = sqrt(1.0 - (1.0 - facing * facing) / 1.777);  // cosine of the ray in the water
    vec3 seen = exp(-kSeaExtinction * depth * (1.0 + 1.0 / refracted));
    vec3 body = mix(vec3(0.0022, 0.0085, 0.0230), vec3(0.0085, 0.034, 0.050), exp(-depth / 900.0));
    body = mix(body, vec3(0.010, 0.048, 0.060), exp(-depth / 45.0)) * floorShade;
    float mirror = seaFresnel(dot(normal, toEye));
    vec3 bounced = reflect(-toEye, normal);
    vec3 below = mix(body, bottom, seen) * light;
    return mix(below, mirroredSky(dot(bounced, up), dot(bounced, frame.sunDirection.xyz), place, sunlight), mirror) + seaGlint(normal, variance, up, toEye, sunlight);
}

#endif
