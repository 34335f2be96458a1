// Marks of the drawn triangles in a pixel (marks.frag): the leaf's depth and the lines of the triangles.  For shadings
// that show triangles.
//
// Must be in scope: pixel.glsl.
#ifndef OROGEN_MARKS_GLSL
#define OROGEN_MARKS_GLSL

// Returns the depth of the leaf that was drawn in the pixel.
uint markedDepth() { return uint(texelFetch(marksTexture, ivec2(PIXEL_MIDDLE), seenSample).x * 63.0 + 0.5); }

// Blends the lines of the triangles over `base`.  A line's coverage is the mean over the samples with ground: if two
// triangles meet in a pixel, each has marked its own samples.
vec3 withWire(vec3 base)
{
    ivec2 pixel = ivec2(PIXEL_MIDDLE);
#if defined(OROGEN_SAMPLES) && !defined(OROGEN_PER_SAMPLE)
    float wire = 0.0, ground = 0.0;
    for (int s = 0; s < sampleCount; ++s)
    {
        float covered = texelFetch(depthTexture, pixel, s).r > 0.0 ? 1.0 : 0.0;
        wire += covered * texelFetch(marksTexture, pixel, s).y;
        ground += covered;
    }
    wire /= max(ground, 1.0);
#else
    float wire = texelFetch(marksTexture, pixel, seenSample).y;
#endif
    return mix(base, vec3(0.03, 0.05, 0.09), wire);
}

#endif
