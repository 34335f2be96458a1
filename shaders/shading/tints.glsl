// Colours that show data: heights, slopes, leaves, voids.  Needs `frame` in scope.
#ifndef OROGEN_TINTS_GLSL
#define OROGEN_TINTS_GLSL

#include "shaders/shading/cover.glsl"
#include "shaders/shading/lod_colour.glsl"
#include "shaders/shading/relief.glsl"
#ifdef OROGEN_RAMP
#include "shaders/shading/ramp.glsl"
#endif

float tintPosition(float height)
{
    float from = height - cover.tints.x;
    return cover.tints.y + from * (from < 0.0 ? cover.tints.z : cover.tints.w);
}

// Colours by height: those of a file, else hypsometric tints.
vec3 hypsometricColour(float height)
{
#ifdef OROGEN_RAMP
    return rampColour(tintPosition(height));
#else
    return ramp5(tintPosition(height), kHeightColours);
#endif
}

// Colours by height on the Earth: those of a file, else hypsometric tints of land and of the sea's floor, with more
// colours at frequent heights.
vec3 earthColour(float height)
{
#ifdef OROGEN_RAMP
    return rampColour(tintPosition(height));
#else
    float t = tintPosition(height);
    return t < 0.0 ? ramp5(sqrt(-t), kDepthColours) : ramp5(pow(t, 0.6), kHeightColours);
#endif
}

// Returns the colour of a slope; the ramp's colours stand for 0, 15, 30, 45 and at least 60 degrees.
vec3 slopeColour(float rise)
{
    return ramp5(degrees(atan(rise)) / 60.0, kSlopeColours);
}

// Hatches voids in screen space, so that distance does not blur the hatching, in a colour that no ground has.
vec3 withVoids(vec3 base, float share)
{
#ifdef OROGEN_RAMP
    if (cover.none.w > 0.5) return mix(base, cover.none.rgb, smoothstep(0.35, 0.65, share));
#endif
    float stripe = step(0.5, fract((PIXEL_MIDDLE.x + PIXEL_MIDDLE.y) / 9.0));
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
