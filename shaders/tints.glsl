// Colours that show data: heights, slopes, leaves, voids.  Needs FrameUniforms `frame` and TerrainUniforms `terrain` in
// scope.
#ifndef OROGEN_TINTS_GLSL
#define OROGEN_TINTS_GLSL

#include "shaders/lod_colour.glsl"

// Classic tints from the lowest to the highest sample.
vec3 hypsometricColour(float height)
{
    float t = (height - terrain.heights.z) / max(terrain.heights.w - terrain.heights.z, 1.0e-3);
    return ramp5(t, kHeightColours);
}

// Of the whole Earth: land from 0 to 6,000 m, more colours where there is more of it, and the sea's floor to 8,000 m
// below; metres, not scaled.
vec3 earthColour(float height)
{
    return height < 0.0 ? ramp5(sqrt(-height / 8000.0), kDepthColours) : ramp5(pow(height / 6000.0, 0.6), kHeightColours);
}

// 0, 15, 30, 45 and 60 degrees and above.
vec3 slopeColour(float rise)
{
    return ramp5(degrees(atan(rise)) / 60.0, kSlopeColours);
}

// Soft directional shade under data colours, so that the relief stays readable.
float reliefShade(vec3 normal) { return 0.45 + 0.55 * max(dot(normal, normalize(vec3(-0.45, 0.55, 0.70))), 0.0); }

// Voids are shown as what they are: hatched (on the screen, so that no distance blurs it), in a colour that no ground has.
vec3 withVoids(vec3 base, float share)
{
    float stripe = step(0.5, fract((gl_FragCoord.x + gl_FragCoord.y) / 9.0));
    vec3 hatch = mix(vec3(0.36, 0.10, 0.42), vec3(0.62, 0.26, 0.66), stripe);
    return mix(base, hatch, smoothstep(0.35, 0.65, share));
}

bool outsideFrozenFrustum(vec3 p)
{
    for (int i = 0; i < kFrustumPlanes; ++i)
        if (dot(frame.frozenFrustum[i], vec4(p, 1.0)) < 0.0) return true;
    return false;
}

#endif
