// The Earth's atmosphere from the ground to space: single scattering by air and haze along a line of sight.  One table
// of its integral (air_table.glsl) serves the sky, the aerial perspective of ground and sea, and the limb seen from
// space: they join.
//
// It is evaluated where the ellipsoid is scaled to a sphere (AirUniforms): lines stay straight, and heights are off by
// 0.3 % at most.  The optical depth towards the sun is Schueler's approximation of Chapman's function (GPU Gems 3, "An
// Approximation to the Chapman Grazing-Incidence Function for Atmospheric Scattering", 2012).  Multiple scattering is
// approximated by a constant share of single scattering: without it the sky at dusk would be black.
#ifndef OROGEN_AIR_GLSL
#define OROGEN_AIR_GLSL

#include "core/gpu_layout.h"

layout(std140, binding = kAirBinding) uniform AirBlock { AirUniforms air; };

const float kAirRadius = 6378137.0;  // metres
const float kAirHeight = 8000.0, kHazeHeight = 1300.0;              // scale heights (metres)
const vec3 kAirScattering = vec3(5.8e-6, 13.5e-6, 33.1e-6);         // Rayleigh scattering at sea level (1 / metre)
const vec3 kOzone = vec3(0.013, 0.038, 0.0018);                     // vertical optical depth of the layer; 20 km up
const vec3 kHazeColour = vec3(0.86, 1.0, 1.15);                     // extinction by haze relative to green
const float kHazeScatters = 0.93;                                   // share of extinction that is scattering
const vec3 kSunlight = vec3(3.62, 3.42, 3.28);                      // radiance of white ground in it, above the air
const float kScatteredAgain = 0.080;                                // isotropic share of the light arriving at a place

const float kSunGlare = 0.35;                                       // sine of the angle to the sun where its glare ends

// A place on a line of sight, in the space where the ellipsoid is a sphere.
struct AirPlace
{
    vec3 up;       // unit, from the Earth's centre
    float height;  // metres above the sphere
};

// Transforms `relative` (metres, the camera's east, north and up) to that space.
vec3 stretched(vec3 relative) { return relative.x * air.east.xyz + relative.y * air.north.xyz + relative.z * air.up.xyz; }

// Returns the height (metres) `distance` along a line from the camera; `rise` is the cosine between the line and the
// camera's vertical. Avoids the cancellation of subtracting distances from the centre.
float heightAlong(float rise, float distance)
{
    float start = kAirRadius + air.camera.w, more = distance * (2.0 * start * rise + distance);
    return air.camera.w + more / (start + sqrt(max(start * start + more, 0.0)));
}

AirPlace airPlaceOf(vec3 relative)
{
    vec3 way = stretched(relative);
    float distance = max(length(way), 1.0e-6);
    AirPlace place;
    place.up = normalize(air.camera.xyz + way / (kAirRadius + air.camera.w));
    place.height = heightAlong(dot(way, air.camera.xyz) / distance, distance);
    return place;
}

// Returns the amount of air or haze from a place to space, as the length of a column at sea-level density (metres).
// `thins`: scale height (metres); `density`: at the place, relative to sea level; `cosine`: between line and vertical.
float columnTo(float height, float thins, float density, float cosine)
{
    float from = (kAirRadius + height) / thins, root = sqrt(from);
    float upwards = density * root / (root * abs(cosine) + 1.0);
    if (cosine >= 0.0) return thins * upwards;
    float lowest = sqrt(max(1.0 - cosine * cosine, 0.0)) * from;
    return thins * (2.0 * sqrt(lowest) * exp(min(kAirRadius / thins - lowest, 30.0)) - upwards);
}

// Densities of air and haze, relative to sea level.
vec2 densitiesAt(float height) { return exp(vec2(-height) / vec2(kAirHeight, kHazeHeight)); }

// Share of the sun's light that reaches a place.
vec3 sunThrough(float height, vec2 densities, float cosine)
{
    float layer = inversesqrt(cosine * cosine + 0.0066) * clamp(2.0 - height / 20000.0, 0.0, 1.0);  // ozone path
    vec3 depth = air.east.w * kAirScattering * columnTo(height, kAirHeight, densities.x, cosine) +
                 kHazeColour * (air.sun.w * columnTo(height, kHazeHeight, densities.y, cosine)) + kOzone * layer;
    return exp(-min(depth, 60.0));
}

// Sunlight and skylight on the ground.  `cosine` is that of the angle between the vertical and the sun.
vec3 sunlightAt(AirPlace place)
{
    float cosine = dot(place.up, air.sun.xyz);
    float height = max(place.height, 0.0);
    return kSunlight * sunThrough(height, densitiesAt(height), cosine) * smoothstep(-0.012, 0.008, cosine);
}
float daylightAt(float cosine) { return smoothstep(-0.14, 0.30, cosine); }
vec3 skylightAt(AirPlace place)
{
    float cosine = dot(place.up, air.sun.xyz), day = daylightAt(cosine);
    vec3 blue = mix(vec3(0.36, 0.34, 0.46), vec3(0.30, 0.43, 0.68), smoothstep(-0.05, 0.25, cosine));
    return blue * (day * day) * exp(-max(place.height, 0.0) / 12000.0) + vec3(0.026, 0.034, 0.056);
}

#endif
