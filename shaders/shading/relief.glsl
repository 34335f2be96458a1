// Shading of relief under colours of data.  Also compiles as C++.
//
// OROGEN_RELIEF is the number of the kind in `enum class Relief` (core/settings.h).
#ifndef OROGEN_RELIEF_GLSL
#define OROGEN_RELIEF_GLSL

// One light in the north-west.  `normal`: unit, along east, north and up.
float directRelief(vec3 normal)
{
    return max(dot(normal, vec3(-0.4511f, 0.5514f, 0.7018f)), 0.0f);
}

// Four lights, 45 degrees high, in the south-west, west, north-west and north.  Each counts by the squared cosine of
// the angle between its azimuth and the one that the ground faces, as in `gdaldem hillshade -multidirectional`.
float multidirectionalRelief(vec3 normal)
{
    const float h = 0.70710678f;
    float squared = normal.x * normal.x + normal.y * normal.y;
    vec4 facing = vec4(-h * (normal.x + normal.y), -normal.x, h * (normal.y - normal.x), normal.y);
    vec4 weights = facing * facing;
    vec4 lights = max(h * (facing + vec4(normal.z)), vec4(0.0f));
    return squared > 1.0e-9f ? 0.5f * dot(weights, lights) / squared : h * normal.z;
}

// Darker where steeper, black from 60 degrees on.
float slopeRelief(vec3 normal) { return 1.0f - clamp(degrees(acos(clamp(normal.z, 0.0f, 1.0f))) / 60.0f, 0.0f, 1.0f); }

#ifdef OROGEN_RELIEF
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

// Factor on colours: relief stays readable, and colours too.
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
