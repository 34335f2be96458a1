// Relief shading under colours that show data.  tests/shaders/ compiles this file as C++.
//
// OROGEN_RELIEF is the number of the kind of shading in `enum class Relief` (core/settings.h).
#ifndef OROGEN_RELIEF_GLSL
#define OROGEN_RELIEF_GLSL

// Returns the brightness under one light in the north-west, 45 degrees high.  `normal`: unit, along east, north and up.
float directRelief(vec3 normal)
{
    return max(dot(normal, vec3(-0.4511f, 0.5514f, 0.7018f)), 0.0f);
}

// Returns the brightness under four lights, 45 degrees high, in the south-west, west, north-west and north.  The weight
// of a light is the squared cosine of the angle between its azimuth and the azimuth that the ground faces.  `gdaldem
// hillshade -multidirectional` does the same.
float multidirectionalRelief(vec3 normal)
{
    const float h = 0.70710678f;
    float squared = normal.x * normal.x + normal.y * normal.y;
    vec4 facing = vec4(-h * (normal.x + normal.y), -normal.x, h * (normal.y - normal.x), normal.y);
    vec4 weights = facing * facing;
    vec4 lights = max(h * (facing + vec4(normal.z)), vec4(0.0f));
    return squared > 1.0e-9f ? 0.5f * dot(weights, lights) / squared : h * normal.z;
}

// Returns a brightness that falls with steepness, to black at 60 degrees.
float slopeRelief(vec3 normal) { return 1.0f - clamp(degrees(acos(clamp(normal.z, 0.0f, 1.0f))) / 60.0f, 0.0f, 1.0f); }

#ifdef OROGEN_RELIEF
// Returns the brightness by the kind of shading, 0 ... 1.
float reliefOf(vec3 normal)
{
#if OROGEN_RELIEF == 0
    return directRelief(normal);
#elif OROGEN_RELIEF == 1
    return multidirectionalRelief(normal);
#elif OROGEN_RELIEF == 2
    return slopeRelief(normal);
#else
    return 1.0;
#endif
}

// Returns a factor for colours that keeps both the relief and the colours readable.
float reliefShade(vec3 normal)
{
#if OROGEN_RELIEF == 3
    return 1.0;
#else
    return 0.45 + 0.55 * reliefOf(normal);
#endif
}
#endif

#endif
