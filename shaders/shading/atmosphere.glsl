// Light and air over a plane.  Needs FrameUniforms `frame` in scope.
#ifndef OROGEN_ATMOSPHERE_GLSL
#define OROGEN_ATMOSPHERE_GLSL

#include "shaders/shading/tone.glsl"
#include "shaders/air/air_table.glsl"

// sunColour() returns the irradiance over pi on a surface that faces the sun, skyIrradiance() that on a surface that
// faces up to the whole sky.
vec3 sunColour() { return air.sunlight.rgb; }
vec3 skyIrradiance() { return air.skylight.rgb; }

// Returns the irradiance over pi by sun and moon together.  Callers multiply it by one share of shadow, since the
// shadows of one do not matter while the other shines.
vec3 directLight(vec3 normal)
{
    return sunColour() * max(dot(normal, frame.sunDirection.xyz), 0.0) + air.moonlight.rgb * max(dot(normal, air.moon.xyz), 0.0);
}

// Returns the place of a point of the plane in the air around a sphere.  `offset`: the point relative to the camera, on
// the plane (metres).  Points keep their heights above the ground.
vec3 bentDown(vec3 offset) { return vec3(offset.xy, offset.z - dot(offset.xy, offset.xy) / (2.0 * kAirRadius)); }

#endif
