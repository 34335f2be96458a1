// The air from the ground to space: scattering by molecules and haze, absorption by ozone.  core/planet/air.h names the
// model and computes its tables, which these functions read.  One table of light along lines of sight (air_table.glsl)
// gives the sky, the aerial perspective of ground and sea, and the limb seen from space.  So these join without visible
// edges.
//
// The model is evaluated in a space where the ellipsoid is scaled to a sphere (AirUniforms).  There lines stay
// straight, and heights are off by 0.3 % at most.
#ifndef OROGEN_AIR_GLSL
#define OROGEN_AIR_GLSL

#include "core/gpu_layout.h"

#ifndef OROGEN_TAKES_UNIFORMS
layout(std140, binding = kAirBinding) uniform AirBlock { AirUniforms air; };
#endif
layout(binding = kAirTransmittanceTexture) uniform sampler2D airTransmittance;
layout(binding = kAirScatteredTexture) uniform sampler2D airScattered;
layout(binding = kAirSkyTexture) uniform sampler2D airSky;

const float kSunGlare = 0.35;  // sine of the angle to the sun where its glare ends

// A place on a line of sight, in the space where the ellipsoid is a sphere.
struct AirPlace
{
    vec3 up;       // unit, from the sphere's centre
    float height;  // metres above the sphere
};

// Transforms `relative` (metres, the camera's east, north and up) to the space where the ellipsoid is a sphere.
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

// Returns texture coordinates of a table whose first and last texels' centres are 0 and 1.
vec2 betweenCentres(vec2 place, ivec2 size) { return (clamp(place, 0.0, 1.0) * vec2(size - 1) + 0.5) / vec2(size); }

// Returns the share of the sun's light that reaches a place.  `height`: metres above the sphere; `cosine`: cosine of
// the angle between the vertical and the sun.
vec3 sunThrough(float height, float cosine)
{
    const float widest = sqrt(kAirTop * (2.0 * kAirRadius + kAirTop));
    float start = kAirRadius + height, toHorizon = sqrt(height * (2.0 * kAirRadius + height)), least = kAirTop - height;
    float lowest = -toHorizon / start, along = start * max(cosine, lowest);
    float distance = sqrt(along * along + least * (2.0 * kAirRadius + kAirTop + height)) - along;
    vec2 place = vec2((distance - least) / (toHorizon + widest - least), toHorizon / widest);
    float shown = clamp((cosine - lowest) / kSunWidth + 0.5, 0.0, 1.0);
    return shown * textureLod(airTransmittance, betweenCentres(place, kAirTransmittanceSize.xy), 0.0).rgb;
}

// Returns texture coordinates for the tables of light scattered more than once and of the sky's light.
// scatteredOften() returns the light scattered more than once, divided by the scattering coefficient.
vec2 placeOfScattered(float height, float cosine)
{
    vec2 place = vec2(0.5 + 0.5 * sign(cosine) * sqrt(abs(cosine)), sqrt(height / kAirTop));
    return betweenCentres(place, kAirScatteredSize.xy);
}
vec3 scatteredOften(float height, float cosine) { return textureLod(airScattered, placeOfScattered(height, cosine), 0.0).rgb; }

// sunlightAt() returns the sunlight on a surface that faces the sun, skylightAt() the sky's light on a surface that
// faces up.
vec3 sunlightAt(AirPlace place)
{
    return kSunlight.rgb * sunThrough(clamp(place.height, 0.0, kAirTop), dot(place.up, air.sun.xyz));
}
vec3 skylightAt(AirPlace place)
{
    vec2 at = placeOfScattered(clamp(place.height, 0.0, kAirTop), dot(place.up, air.sun.xyz));
    return kSunlight.rgb * textureLod(airSky, at, 0.0).rgb;
}

// Returns the moon's irradiance over pi, on ground with this normal.  It appears while the sun sinks from 4 to 9
// degrees below the horizon.
vec3 moonlightAt(AirPlace place, vec3 normal)
{
    return air.moonlight.rgb * ((1.0 - smoothstep(-0.155, -0.07, dot(place.up, air.sun.xyz))) * max(dot(normal, air.moon.xyz), 0.0));
}

#endif
