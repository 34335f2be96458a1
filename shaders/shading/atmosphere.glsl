// Light and air over a plane.  Needs FrameUniforms `frame` in scope.
#ifndef OROGEN_ATMOSPHERE_GLSL
#define OROGEN_ATMOSPHERE_GLSL

#include "shaders/shading/tone.glsl"
#include "shaders/air/air_table.glsl"

// Irradiance over pi: of a surface that faces the sun, and of one that faces up to the whole sky.
vec3 sunColour() { return air.sunlight.rgb; }
vec3 skyIrradiance() { return air.skylight.rgb; }

// Irradiance over pi by sun and moon.  No shadow of one matters while the other shines.
vec3 directLight(vec3 normal)
{
    return sunColour() * max(dot(normal, frame.sunDirection.xyz), 0.0) + air.moonlight.rgb * max(dot(normal, air.moon.xyz), 0.0);
}

// Place of a point of the plane in the air of a sphere.  `offset`: the point relative to the camera, on the plane
// (metres).  Points keep their heights above the ground.
vec3 bentDown(vec3 offset) { return vec3(offset.xy, offset.z - dot(offset.xy, offset.xy) / (2.0 * kAirRadius)); }

#endif
