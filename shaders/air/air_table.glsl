// The light of the air between the camera and a point, from the table that air.comp fills.  With OROGEN_HAZE_ALONE the
// air's molecules do not veil the point.
#ifndef OROGEN_AIR_TABLE_GLSL
#define OROGEN_AIR_TABLE_GLSL

#include "shaders/air/air_ray.glsl"

layout(binding = kAirLightTexture) uniform sampler3D airLight;
layout(binding = kAirDepthTexture) uniform sampler2D airDepth;

// The air between the camera and a point: radiance = mix(light, radiance, left).
struct AirBetween
{
    vec3 light;  // radiance of an endless way through this air
    vec3 left;   // share of the point's light that reaches the camera
};

// Returns the air in front of a point.  `relative`: the point (metres from the camera along its east, north and up).
// Only the part of the line that lies within the air counts.
AirBetween airBefore(vec3 relative)
{
    vec3 way = stretched(relative);
    float reach = length(way), perReach = 1.0 / reach, rise = dot(way, air.camera.xyz) * perReach;
    float turn = turnOfSun(rise, dot(air.camera.xyz, air.sun.xyz), dot(way, air.sun.xyz) * perReach);
    // Texel centres are the ends of each coordinate, so that the two halves do not mix.
    AirSpan span = airSpan(rise);
    float passed = (clamp(reach, span.from, span.to) - span.from) * (1.0 / kAirDepthLength);
    vec3 last = vec3(kAirTableSize.xyz - 1), place = vec3(turn, rowOfRise(rise), placeInSpan(span, reach));
    place = (place * last + vec3(0.5, endsOnGround(rise) ? 0.5 : 0.5 + float(kAirTableSize.y), 0.5)) *
            (1.0 / vec3(kAirTableSize.xyz * ivec3(1, 2, 1)));
    vec3 light = textureLod(airLight, place, 0.0).rgb;
    vec2 depths = textureLod(airDepth, place.yz, 0.0).rg * passed;
    vec3 depth = kHazeColour.rgb * depths.y;
#ifndef OROGEN_HAZE_ALONE
    depth += kAirScattering.rgb * (1.0 / kAirScattering.g) * depths.x;
#endif
    return AirBetween(light, exp(-depth));
}

vec3 throughTheAir(vec3 radiance, vec3 relative)
{
    AirBetween between = airBefore(relative);
    return mix(between.light, radiance, between.left);
}

#endif
