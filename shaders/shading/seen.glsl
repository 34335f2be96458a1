// Apparent size of a vertical distance (pixels), as the criterion `error` of the level of detail measures it.
#ifndef OROGEN_SEEN_GLSL
#define OROGEN_SEEN_GLSL

// Both overloads return the apparent size of `metres` along the vertical at a point (pixels of the picture's centre).
// It is metres times the sine of the angle between view ray and vertical, over the distance.  `relative`: the point, in
// metres from the camera.  Here the vertical is that of the camera.
float verticalPixels(float metres, vec3 relative, float pixelsPerRadian)
{
    float squared = max(dot(relative, relative), 1.0e-12);
    return abs(metres) * pixelsPerRadian * length(relative.xy) / squared;
}

// In this overload the vertical is `up`, a unit vector.
float verticalPixels(float metres, vec3 relative, vec3 up, float pixelsPerRadian)
{
    float squared = max(dot(relative, relative), 1.0e-12);
    return abs(metres) * pixelsPerRadian * length(relative - up * dot(relative, up)) / squared;
}

#endif
