// Light and air over a plane.  Needs FrameUniforms `frame` in scope.
#ifndef OROGEN_ATMOSPHERE_GLSL
#define OROGEN_ATMOSPHERE_GLSL

#include "shaders/shading/tone.glsl"
#include "shaders/air/air_table.glsl"

// sunColour() returns the irradiance over pi on a surface that faces the sun.  skyIrradiance() returns the irradiance
// over pi on a surface that faces up to the whole sky.
vec3 sunColour() { return air.sunlight.rgb; }
vec3 skyIrradiance() { return air.skylight.rgb; }

// Returns the irradiance over pi by sun and moon together.  Callers multiply the sum by the visible share of the one
// that casts shadows, because that one outshines the other.
vec3 directLight(vec3 normal)
{
    return sunColour() * max(dot(normal, frame.sunDirection.xyz), 0.0) + air.moonlight.rgb * max(dot(normal, air.moon.xyz), 0.0);
}

// Returns a point of the plane, bent down to the sphere around which the air is computed.  The point keeps its height
// above the ground.  `offset`: the point relative to the camera, on the plane (metres).
vec3 bentDown(vec3 offset)
{
    float squared = dot(offset.xy, offset.xy);
    float sunk = squared / (kAirRadius + sqrt(max(kAirRadius * kAirRadius - squared, 0.0)));
    return vec3(offset.xy, offset.z - sunk);
}

#endif
