// The colours of depths.  Needs nothing in scope.  The panels' legend has the same ones.
#ifndef OROGEN_LOD_COLOUR_GLSL
#define OROGEN_LOD_COLOUR_GLSL

// Neighbouring depths differ in hue, even and odd ones in lightness.
vec3 lodColour(uint depth)
{
    float hue = fract(float(depth) * 0.1373);
    vec3 c = clamp(abs(fract(hue + vec3(0.0, 2.0, 1.0) / 3.0) * 6.0 - 3.0) - 1.0, 0.0, 1.0);
    return mix(vec3(0.52), c, 0.55) * ((depth & 1u) == 0u ? 0.98 : 0.78);
}

#endif
