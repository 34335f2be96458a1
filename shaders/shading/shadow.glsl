// Shadows of the relief, by a march over heights towards the sun.
//
// Must be in scope: float heightAt(vec2 place, float step), the height (metres) at a place (metres east and north), which
// may be a mean over `step` metres.
#ifndef OROGEN_SHADOW_GLSL
#define OROGEN_SHADOW_GLSL

#include "core/gpu_layout.h"

const int kSunSteps = 80;  // reach 900 cells
const int kCrestSteps = 6;

// Returns the share of the sun's disc that shows over the relief, for a sun that stands above the horizon or just below
// it.  `highest`: greatest height of the relief; `cell`: metres between heights; `sun`: unit vector towards the sun
// (east, north, up).
float sunShare(vec2 place, float height, float highest, float cell, vec3 sun)
{
    vec2 level = vec2(sun.x, sun.y);
    float flatLength = max(length(level), 1.0e-4f), rise = sun.z / flatLength;
    vec2 along = level / flatLength;
    float reach = (highest - height) / max(rise, 0.005f);
    float disc = kSunWidth * (1.0f + rise * rise);  // in units of `rise`
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
    // The crest that hides most lies between two steps.
    for (int i = 1 - kCrestSteps; i < kCrestSteps; ++i)
    {
        distance = nearest + nearestStep * float(i) / float(kCrestSteps);
        float above = height + distance * rise - heightAt(place + along * distance, nearestStep / float(kCrestSteps));
        clearance = min(clearance, 0.5f + (above + cell * 0.05f) / (distance * disc + cell * 0.10f));
    }
    return smoothstep(0.0f, 1.0f, clearance);
}

#endif
