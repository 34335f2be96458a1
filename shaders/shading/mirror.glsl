// Reflections of sun and sky in rough water.  Needs FrameUniforms `frame` in scope.
#ifndef OROGEN_MIRROR_GLSL
#define OROGEN_MIRROR_GLSL

// Schlick's approximation, from air.
float waterFresnel(float cosine) { return 0.02 + 0.98 * pow(1.0 - clamp(cosine, 0.0, 1.0), 5.0); }

// Reflection of the sun: the Cook-Torrance model with a Gaussian distribution of slopes.  `variance`: of slopes along one
// axis; `up`: the water's vertical.
vec3 sunGlint(vec3 normal, float variance, vec3 up, vec3 toEye, vec3 sunlight)
{
    vec3 halfway = normalize(toEye + frame.sunDirection.xyz);
    float cosine = max(dot(halfway, normal), 1.0e-3), tangent2 = 1.0 / (cosine * cosine) - 1.0;
    float density = exp(-0.5 * tangent2 / variance) / (2.0 * variance);
    float spread = density / (4.0 * pow(max(cosine, 0.05), 4.0) * max(dot(up, toEye), 0.06));
    float mirrored = waterFresnel(dot(halfway, toEye)) * spread;
    return sunlight * 1.5 * mirrored / (1.5 + mirrored);  // compressed to what a display can show
}

// Reflected sky without an integral per pixel: waves blur it.  `rise`, `towardsSun`: cosines between the mirrored line
// of sight and the vertical, and the sun.
vec3 mirroredSky(vec3 skylight, vec3 sunlight, float rise, float towardsSun)
{
    float horizon = exp(-3.0 * max(rise, 0.0)), glow = 0.10 + 0.30 * pow(max(towardsSun, 0.0), 6.0);
    return skylight * mix(vec3(0.62, 0.74, 0.97), vec3(1.70, 1.60, 1.40), horizon) + sunlight * (glow * horizon);
}

#endif
