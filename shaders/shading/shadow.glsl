// Shadows of the relief, by a march over heights towards the sun.
//
// Must be in scope: float heightAt(vec2 place, float step), the height (metres) at a place (metres east and north), which
// may be a mean over `step` metres.
#ifndef OROGEN_SHADOW_GLSL
#define OROGEN_SHADOW_GLSL

#include "core/gpu_layout.h"

const int kSunSteps = 80;  // reach 900 cells

// Share of the sun's disc that shows over the relief, for a sun that stands above the horizon or just below it.  `highest`: of the relief; `cell`: metres between heights; `sun`:
// towards it, unit (east, north, up).
float sunShare(vec2 place, float height, float highest, float cell, vec3 sun)
{
    float flatLength = max(length(sun.xy), 1.0e-4), rise = sun.z / flatLength;
    vec2 along = sun.xy / flatLength;
    float reach = (highest - height) / max(rise, 0.005);
    float disc = kSunWidth * (1.0 + rise * rise);  // in units of `rise`
    float clearance = 1.0, distance = 0.0;
    for (int i = 0; i < kSunSteps && distance < reach; ++i)
    {
        // Steps grow with distance, as the penumbra does.
        float step = max(0.75 * cell, 0.07 * distance);
        distance += step;
        float above = height + distance * rise - heightAt(place + along * distance, step);
        clearance = min(clearance, 0.5 + above / (distance * disc + cell * 0.10));
    }
    return smoothstep(0.0, 1.0, clearance);
}

#endif
