// Colours of tree depths, and ramps of five colours, as in the panels' legends.  Needs core/gpu_layout.h in scope.
#ifndef OROGEN_LOD_COLOUR_GLSL
#define OROGEN_LOD_COLOUR_GLSL

// Returns the colour at `t` between five evenly spaced stops; `t` is clamped to 0 ... 1.
vec3 ramp5(float t, vec4 stops[5])
{
    float x = clamp(t, 0.0, 1.0) * 4.0;
    vec3 result = mix(stops[0].rgb, stops[1].rgb, clamp(x, 0.0, 1.0));
    result = mix(result, stops[2].rgb, clamp(x - 1.0, 0.0, 1.0));
    result = mix(result, stops[3].rgb, clamp(x - 2.0, 0.0, 1.0));
    return mix(result, stops[4].rgb, clamp(x - 3.0, 0.0, 1.0));
}

// Returns the colour of a tree depth.  `deepest`: kDeepestPlaneLevel or kDeepestEarthLevel.
vec3 lodColour(uint depth, uint deepest)
{
    float t = (float(depth) - float(kFirstLevelColour)) / float(deepest - kFirstLevelColour);
    return (depth & 1u) == 0u ? ramp5(t, kEvenLevelColours) : ramp5(t, kOddLevelColours);
}

#endif
