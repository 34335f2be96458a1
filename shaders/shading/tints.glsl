// Colours that show data: heights, slopes, voids.  Needs `frame` in scope.
#ifndef OROGEN_TINTS_GLSL
#define OROGEN_TINTS_GLSL

#include "shaders/shading/cover.glsl"
#include "shaders/shading/lod_colour.glsl"
#include "shaders/shading/relief.glsl"
#ifdef OROGEN_RAMP
#include "shaders/shading/ramp.glsl"
#endif

// Returns the position of a height (metres, scaled) in the colour ramp, as RampStretch of core/colour/colour_ramp.h
// does.
float tintPosition(float height)
{
    float from = height - cover.tints.x;
    return cover.tints.y + from * (from < 0.0 ? cover.tints.z : cover.tints.w);
}

// Returns the colour of a height: from a file (OROGEN_RAMP), otherwise a hypsometric tint.
vec3 hypsometricColour(float height)
{
#ifdef OROGEN_RAMP
    return rampColour(tintPosition(height));
#else
    return ramp5(tintPosition(height), kHeightColours);
#endif
}

// Returns the colour of a height on the Earth: from a file (OROGEN_RAMP), otherwise a hypsometric tint of the land or
// of the sea floor.  The exponents spend more colours on frequent heights.
vec3 earthColour(float height)
{
#ifdef OROGEN_RAMP
    return rampColour(tintPosition(height));
#else
    float t = tintPosition(height);
    return t < 0.0 ? ramp5(sqrt(-t), kDepthColours) : ramp5(pow(t, 0.6), kHeightColours);
#endif
}

// Returns the colour of a slope.  `rise`: metres per metre; the ramp's colours stand for 0, 15, 30, 45 and at least 60
// degrees.
vec3 slopeColour(float rise)
{
    return ramp5(degrees(atan(rise)) / 60.0, kSlopeColours);
}

// Marks voids, where the source has no data, over `base`.  A ramp from a file may define their colour.  Otherwise they
// are hatched in a colour that no ground has, in screen space, so that distance does not blur the hatching.  `share`:
// share of voids in the pixel.
vec3 withVoids(vec3 base, float share)
{
#ifdef OROGEN_RAMP
    if (cover.none.w > 0.5) return mix(base, cover.none.rgb, smoothstep(0.35, 0.65, share));
#endif
    float stripe = step(0.5, fract((PIXEL_MIDDLE.x + PIXEL_MIDDLE.y) / 9.0));
    vec3 hatch = mix(vec3(0.36, 0.10, 0.42), vec3(0.62, 0.26, 0.66), stripe);
    return mix(base, hatch, smoothstep(0.35, 0.65, share));
}

// Returns whether a point (metres from the camera) is outside the frustum of the frozen camera.
bool outsideFrozenFrustum(vec3 p)
{
    for (int i = 0; i < kFrustumPlanes; ++i)
        if (dot(frame.frozenFrustum[i], vec4(p, 1.0)) < 0.0) return true;
    return false;
}

#endif
