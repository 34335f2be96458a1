// Shadows of the relief, by a march over heights towards the sun.  The moon can take the place of the sun.
// tests/shaders/ compiles this file as C++.
//
// Must be in scope: float heightAt(vec2 place, float step), the height (metres) at a place (metres east and north).
// The height may be a mean over `step` metres.
#ifndef OROGEN_SHADOW_GLSL
#define OROGEN_SHADOW_GLSL

#include "core/gpu_layout.h"

const int kSunSteps = 80;   // steps of the march, which reaches about 900 times `cell`
const int kCrestSteps = 6;  // finer steps on each side of the crest

// Returns the share of the sun's disc that shows over the relief, for a sun above the horizon or just below it.
// `height`: of the ground at the place; `highest`: greatest height of the relief (metres); `cell`: metres between
// heights; `sun`: unit vector towards the sun (east, north, up).
float sunShare(vec2 place, float height, float highest, float cell, vec3 sun)
{
    vec2 level = vec2(sun.x, sun.y);
    float flatLength = max(length(level), 1.0e-4f), rise = sun.z / flatLength;
    vec2 along = level / flatLength;
    float reach = (highest - height) / max(rise, 0.005f);
    float disc = kSunWidth * (1.0f + rise * rise);  // height of the disc as a difference of `rise`
    float clearance = 1.0f, distance = 0.0f, nearest = 0.0f, nearestStep = 0.0f;
    for (int i = 0; i < kSunSteps && distance < reach; ++i)
    {
        // Steps grow with distance, as the penumbra does.
        float step = max(0.75f * cell, 0.07f * distance);
        distance += step;
        float above = height + distance * rise - heightAt(place + along * distance, step);
        float here = 0.5f + (above + cell * 0.05f) / (distance * disc + cell * 0.10f);
        if (here >= clearance) continue;
        clearance = here;
        nearest = distance;
        nearestStep = step;
    }
    // The crest that hides most of the disc lies between two steps: looks again, in finer steps.
    // Where nothing hides it, a software rasteriser skips the loop.
    int steps = clearance < 1.0f ? kCrestSteps : 1 - kCrestSteps;
    for (int i = 1 - kCrestSteps; i < steps; ++i)
    {
        distance = nearest + nearestStep * float(i) / float(kCrestSteps);
        float above = height + distance * rise - heightAt(place + along * distance, nearestStep / float(kCrestSteps));
        clearance = min(clearance, 0.5f + (above + cell * 0.05f) / (distance * disc + cell * 0.10f));
    }
    return smoothstep(0.0f, 1.0f, clearance);
}

#endif
