// Colours that show data: heights, slopes, leaves, voids.  Needs `frame` and `terrain` in scope.
#ifndef OROGEN_TINTS_GLSL
#define OROGEN_TINTS_GLSL

#include "shaders/shading/lod_colour.glsl"

// Hypsometric tints from the lowest to the highest sample.
vec3 hypsometricColour(float height)
{
    float t = (height - terrain.heights.z) / max(terrain.heights.w - terrain.heights.z, 1.0e-3);
    return ramp5(t, kHeightColours);
}

// Hypsometric tints of the Earth (`height`: metres, unscaled): land from 0 to 6,000 m, with more colours at frequent
// heights, and the sea floor down to 8,000 m.
vec3 earthColour(float height)
{
    return height < 0.0 ? ramp5(sqrt(-height / 8000.0), kDepthColours) : ramp5(pow(height / 6000.0, 0.6), kHeightColours);
}

// Ramp over 0, 15, 30, 45 and 60 degrees and above.
vec3 slopeColour(float rise)
{
    return ramp5(degrees(atan(rise)) / 60.0, kSlopeColours);
}

// Soft directional shading under data colours, so that relief remains readable.
float reliefShade(vec3 normal) { return 0.45 + 0.55 * max(dot(normal, normalize(vec3(-0.45, 0.55, 0.70))), 0.0); }

// Hatches voids in screen space, so that distance does not blur the hatching, in a colour that no ground has.
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
