// Sky and haze over a plane: a few exponentials fitted by eye, not a simulation.  Needs FrameUniforms `frame` in scope.
#ifndef OROGEN_ATMOSPHERE_GLSL
#define OROGEN_ATMOSPHERE_GLSL

#include "shaders/shading/tone.glsl"

// 1 by day, 0 after sunset: all sunlit terms fade with it.
float daylight() { return smoothstep(-0.12, 0.18, frame.sunDirection.z); }

vec3 sunColour()
{
    float low = exp(-5.0 * max(frame.sunDirection.z, 0.0));  // the long path through the air removes blue
    return mix(vec3(3.35, 3.05, 2.60), vec3(2.9, 1.45, 0.58), low) * smoothstep(-0.06, 0.06, frame.sunDirection.z);
}

vec3 skyRadiance(vec3 direction)
{
    float up = max(direction.z, 0.0);
    float day = daylight();
    float towardsSun = max(dot(direction, frame.sunDirection.xyz), 0.0);
    vec3 zenith = mix(vec3(0.012, 0.018, 0.045), vec3(0.10, 0.26, 0.66), day);
    vec3 horizon = mix(vec3(0.035, 0.045, 0.08), vec3(0.56, 0.72, 0.92), day);
    vec3 sky = mix(horizon, zenith, 1.0 - exp(-3.4 * up));
    float low = exp(-6.0 * max(frame.sunDirection.z, 0.0)) * day;
    sky += vec3(0.75, 0.32, 0.08) * low * exp(-7.0 * up) * (0.35 + 0.65 * towardsSun * towardsSun);
    float t4 = towardsSun * towardsSun * towardsSun * towardsSun;
    return sky + sunColour() * 0.055 * t4 * t4;
}

// Irradiance from the whole sky on a surface that faces up.
vec3 skyIrradiance() { return mix(vec3(0.02, 0.028, 0.055), vec3(0.34, 0.47, 0.72), daylight()); }

// Radiance at the horizon, where the sky begins and into which distant ground fades.
vec3 skyAtHorizon(vec3 offset) { return skyRadiance(vec3(offset.xy * inversesqrt(max(dot(offset.xy, offset.xy), 1.0e-6)), 0.0)); }

// Transmittance of the haze between the camera and a point.  `offset`: the point relative to the camera (metres).  Haze
// density falls exponentially with height, integrated in closed form along the ray.
vec3 airTransmittance(vec3 offset, float cameraAboveLowest)
{
    float from = cameraAboveLowest / frame.hazeScaleHeight, rise = offset.z / frame.hazeScaleHeight;
    float start = exp(-from);
    float mean = abs(rise) < 1.0e-3 ? start : (start - exp(-from - rise)) / rise;
    return exp(vec3(-0.78, -1.0, -1.32) * (frame.hazePerMetre * mean * length(offset)));
}

// Applies aerial perspective: attenuates the radiance of a point and adds in-scattered light.
vec3 throughHaze(vec3 radiance, vec3 offset, float cameraAboveLowest)
{
    return mix(skyAtHorizon(offset), radiance, airTransmittance(offset, cameraAboveLowest));
}

#endif
