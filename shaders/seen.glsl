// How large a vertical distance looks.
#ifndef OROGEN_SEEN_GLSL
#define OROGEN_SEEN_GLSL

// Pixels as at the picture's centre of `metres` up or down at a point relative to the camera: times the sine of the angle
// between view ray and vertical, over the distance.  As the criterion `error` has it.
float verticalPixels(float metres, vec3 relative, float pixelsPerRadian)
{
    float squared = max(dot(relative, relative), 1.0e-12);
    return abs(metres) * pixelsPerRadian * length(relative.xy) / squared;
}

// The same where the vertical is another than the camera's.
float verticalPixels(float metres, vec3 relative, vec3 up, float pixelsPerRadian)
{
    float squared = max(dot(relative, relative), 1.0e-12);
    return abs(metres) * pixelsPerRadian * length(relative - up * dot(relative, up)) / squared;
}

#endif
