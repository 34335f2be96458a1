// Conversion of radiance to display colours.  Needs `frame` and PIXEL_MIDDLE (frame.glsl) in scope.
#ifndef OROGEN_TONE_GLSL
#define OROGEN_TONE_GLSL

// Returns the display colour of a radiance.  Applies exposure, a filmic tone curve, the display's gamma, and dithering
// by at most half a step of 1 / 255 against banding.
vec3 displayed(vec3 radiance)
{
    vec3 x = radiance * frame.exposure;
    vec3 curve = (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14);
    uvec2 pixel = uvec2(PIXEL_MIDDLE);
    uint h = (pixel.x * 0x9e3779b1u) ^ (pixel.y * 0x85ebca6bu);
    h = (h ^ (h >> 15)) * 0x2c1b3c6du;
    float noise = float((h >> 8) & 0xffffu) * (1.0 / 65535.0) - 0.5;
    return pow(clamp(curve, 0.0, 1.0), vec3(1.0 / 2.2)) + noise * (1.0 / 255.0);
}

#endif
