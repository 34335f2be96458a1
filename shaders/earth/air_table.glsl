// The light of the air between the camera and a point, from the table that air.comp fills.
#ifndef OROGEN_AIR_TABLE_GLSL
#define OROGEN_AIR_TABLE_GLSL

#include "shaders/earth/air_ray.glsl"

layout(binding = kAirLightTexture) uniform sampler3D airLight;
layout(binding = kAirDepthTexture) uniform sampler3D airDepth;

// Light of a point after its way to the camera.  `relative`: the point (metres); the air ends at its own top.
vec3 throughTheAir(vec3 radiance, vec3 relative)
{
    vec3 way = stretched(relative);
    float reach = length(way), rise = dot(way, air.camera.xyz) / reach;
    float turn = turnOfSun(rise, dot(air.camera.xyz, air.sun.xyz), dot(way, air.sun.xyz) / reach);
    // Texel centres are the ends of each coordinate, so that the two halves do not mix.
    vec3 last = vec3(kAirTableSize.xyz - 1), place = vec3(turn, rowOfRise(rise), placeInSpan(airSpan(rise), reach));
    place = (place * last + vec3(0.5, endsOnGround(rise) ? 0.5 : 0.5 + float(kAirTableSize.y), 0.5)) /
            vec3(kAirTableSize.xyz * ivec3(1, 2, 1));
    vec4 light = textureLod(airLight, place, 0.0);
    vec3 left = exp(-(kAirScattering * (textureLod(airDepth, place, 0.0).r / kAirScattering.g) + kHazeColour * light.a));
    return mix(light.rgb, radiance, left);
}

#endif
