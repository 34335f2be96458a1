// The place of a pixel on the Earth, and the directions there.
//
// Must be in scope: `frame`, surface.glsl of the Earth.
#ifndef OROGEN_EARTH_PLACE_GLSL
#define OROGEN_EARTH_PLACE_GLSL

#include "shaders/pool/cube_leaf.glsl"

// A place on a face of the cube: whole lattice units and the fraction, 0 ... 1.
struct EarthPlace
{
    int face;
    ivec2 whole;
    vec2 part;
};

// The vertical and the tangents of the ellipsoid along the face's x and y (metres per lattice unit), in the axes of
// `relative` (surface_earth.glsl).  Single precision: sufficient for directions.
struct EarthTangents
{
    vec3 n;  // result of scaledDirection(), earth-fixed
    vec3 up, alongX, alongY;
    vec3 e1, e2;  // unit: along x, and up x e1
};

EarthTangents earthTangents(EarthPlace place)
{
    ivec3 axes = faceAxes(place.face);
    vec2 c = (vec2(place.whole - (1 << (kCubeLatticeBits - 1u))) + place.part) * 1.862645149230957e-09;  // 2^-29
    vec3 cube, alongX = vec3(0.0), alongY = vec3(0.0);
    cube[axes.x] = c.x;
    cube[axes.y] = c.y;
    cube[axes.z] = (place.face & 1) != 0 ? 1.0 : -1.0;
    vec3 warped = cube * (0.75 + 0.25 * cube * cube), radii = vec3(kEquatorRadius, kEquatorRadius, kPoleRadius);
    float scale = inversesqrt(dot(warped, warped));
    EarthTangents t;
    t.n = warped * scale;
    alongX[axes.x] = 1.0;
    alongY[axes.y] = 1.0;
    alongX = (alongX - t.n * t.n[axes.x]) * radii * (scale * (0.75 + 0.75 * c.x * c.x) * 1.862645149230957e-09);
    alongY = (alongY - t.n * t.n[axes.y]) * radii * (scale * (0.75 + 0.75 * c.y * c.y) * 1.862645149230957e-09);
    t.up = turned(normalize(t.n / radii), earth.east, earth.north, earth.up);
    t.alongX = turned(alongX, earth.east, earth.north, earth.up);
    t.alongY = turned(alongY, earth.east, earth.north, earth.up);
    t.e1 = normalize(t.alongX);
    t.e2 = cross(t.up, t.e1);
    return t;
}

// Converts a gradient from metres per lattice unit along x and y to metres per metre along e1 and e2.
vec2 gradientAlong(EarthTangents t, vec2 perUnit)
{
    float first = perUnit.x / length(t.alongX);
    return vec2(first, (perUnit.y - dot(t.alongY, t.e1) * first) / dot(t.alongY, t.e2));
}

vec3 normalOfGradient(EarthTangents t, vec2 gradient) { return normalize(t.up - t.e1 * gradient.x - t.e2 * gradient.y); }

#endif
