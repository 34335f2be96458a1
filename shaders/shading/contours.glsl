// Contour lines of constant width on the screen.  Needs CoverUniforms `cover` in scope.
#ifndef OROGEN_CONTOURS_GLSL
#define OROGEN_CONTOURS_GLSL

const float kIndexContours = 5.0;  // every fifth line is stronger, as in core/terrain/raster/contours.h

// Returns the coverage of the pixel by a line with a half width of `halfWidth` pixels.  `value`: height in intervals;
// `perPixel`: change of `value` per pixel.  Lines fade while the distance between two lines falls from 2 `closest` to
// `closest` (pixels).
float contour(float value, float perPixel, float halfWidth, float closest)
{
    float apart = 1.0 / perPixel;
    float toLine = (0.5 - abs(fract(value) - 0.5)) * apart;  // pixels
    return (1.0 - smoothstep(halfWidth - 0.5, halfWidth + 0.5, toLine)) *
           clamp(apart / closest - 1.0, 0.0, 1.0);
}

// Blends contour lines over `base`.  `height`: of the ground (metres, scaled); `slope`: change of `height` per
// pixel, along x plus along y.  cover.contours.y raises all lines slightly above their nominal heights: otherwise a
// lake at a nominal height would be one broad line.
vec3 withContours(vec3 base, float height, float slope)
{
    float value = (height - cover.contours.y) / cover.contours.x;
    float perPixel = max(slope / cover.contours.x, 1.0e-6);
    float plain = 0.55 * contour(value, perPixel, 0.60, 2.5);
    float index = 0.80 * contour(value / kIndexContours, perPixel / kIndexContours, 0.95, 3.5);
    // Brown ink: light brown over dark ground, so that lines remain visible.
    float light = 1.0 - smoothstep(0.05, 0.16, dot(base, vec3(0.2126, 0.7152, 0.0722)));
    vec3 ink = mix(vec3(0.26, 0.15, 0.07), vec3(0.72, 0.60, 0.46), light);
    return mix(base, ink, max(plain, index));
}

#endif
