// Apparent size of a vertical distance (pixels).
#ifndef OROGEN_SEEN_GLSL
#define OROGEN_SEEN_GLSL

// Returns the apparent size of `metres` along the vertical at a point relative to the camera (pixels of the picture's
// centre): metres times the sine between view ray and vertical, over the distance.  The criterion `error` uses the same
// measure.
float verticalPixels(float metres, vec3 relative, float pixelsPerRadian)
{
    float squared = max(dot(relative, relative), 1.0e-12);
    return abs(metres) * pixelsPerRadian * length(relative.xy) / squared;
}

// Returns the apparent size as above, for a vertical that differs from the camera's.
float verticalPixels(float metres, vec3 relative, vec3 up, float pixelsPerRadian)
{
    float squared = max(dot(relative, relative), 1.0e-12);
    return abs(metres) * pixelsPerRadian * length(relative - up * dot(relative, up)) / squared;
}

#endif
