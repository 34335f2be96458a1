// Reflections of sun and sky in rough water.  Needs FrameUniforms `frame` in scope.  Also compiles as C++.
#ifndef OROGEN_MIRROR_GLSL
#define OROGEN_MIRROR_GLSL

// Returns Fresnel's reflectance of water for unpolarised light from air, exactly: Schlick's approximation would be a
// fifth too low at 55 degrees.  `cosine`: of the angle between ray and normal.
float waterFresnel(float cosine)
{
    float c = clamp(cosine, 0.0f, 1.0f), g = sqrt(0.777f + c * c);
    float across = (g - c) / (g + c), along = (c * (g + c) - 1.0f) / (c * (g - c) + 1.0f);
    return 0.5f * across * across * (1.0f + along * along);
}

// Returns the share of facets that other facets do not hide along a direction: Smith's function for Gaussian slopes, by
// Walter et al. 2007.  `cosine`: of the angle between the direction and the vertical; `variance`: see sunGlint().
float facetsShown(float cosine, float variance)
{
    float c = max(cosine, 1.0e-4f), a = c * inversesqrt(max(2.0f * variance * (1.0f - c * c), 1.0e-12f));
    return a < 1.6f ? a * (3.535f + 2.181f * a) / (1.0f + a * (2.276f + 2.577f * a)) : 1.0f;
}

// Returns the radiance of the sun's reflection by waves with a Gaussian distribution of slopes (Cox and Munk 1954).
// `variance`: of the slopes along one axis; `up`: the water's vertical; `sunlight`: irradiance over pi on a surface
// that faces the sun.
vec3 sunGlint(vec3 normal, float variance, vec3 up, vec3 toEye, vec3 sunlight)
{
    vec3 toSun = vec3(frame.sunDirection), halfway = normalize(toEye + toSun);
    float cosine = max(dot(halfway, normal), 1.0e-3f), tangent2 = 1.0f / (cosine * cosine) - 1.0f;
    float density = exp(-0.5f * tangent2 / variance) / (2.0f * variance);  // times pi, as `sunlight` is over pi
    float view = max(dot(up, toEye), 1.0e-4f), sun = dot(up, toSun);
    float shown = facetsShown(view, variance) * facetsShown(sun, variance) / view;
    return sunlight * (waterFresnel(dot(halfway, toEye)) * density * shown / (4.0f * cosine * cosine * cosine * cosine));
}

// Returns an approximate radiance of the reflected sky, blurred by waves, without an integral per pixel.  `rise`,
// `towardsSun`: cosines of the mirrored line of sight's angles with the vertical and with the direction of the sun.
vec3 mirroredSky(vec3 skylight, vec3 sunlight, float rise, float towardsSun)
{
    float horizon = exp(-3.0f * max(rise, 0.0f)), glow = 0.10f + 0.30f * pow(max(towardsSun, 0.0f), 6.0f);
    return skylight * mix(vec3(0.62f, 0.74f, 0.97f), vec3(1.70f, 1.60f, 1.40f), horizon) + sunlight * (glow * horizon);
}

#endif
