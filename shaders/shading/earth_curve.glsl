// The curve along which land and sea around a terrain sink: a sphere that touches the terrain's plane at the border.
#ifndef OROGEN_EARTH_CURVE_GLSL
#define OROGEN_EARTH_CURVE_GLSL

#include "core/gpu_layout.h"

// Returns a point of the sphere: x: metres outwards, y: metres that it has sunk.  `distance` is that of a stereographic
// projection (metres): it hardly differs from the way along the ground near by, and needs no trigonometry.  The curve
// ends where it is vertical.
vec2 sunkAt(float distance)
{
    float t = min(distance / (2.0 * kAirRadius), 1.0);
    return 2.0 * kAirRadius * vec2(t, t * t) / (1.0 + t * t);
}

// Inverts sunkAt(): x: distance, y: metres that the point has sunk.  `outwards`: metres.
vec2 distanceAlong(float outwards)
{
    float sine = min(outwards / kAirRadius, 1.0), cosine = sqrt(1.0 - sine * sine);
    return kAirRadius * vec2(2.0 * sine, sine * sine) / (1.0 + cosine);
}

#endif
