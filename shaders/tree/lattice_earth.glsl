// The draw lattice on the six faces of the cube: see lattice.glsl.  core/planet/cube_lattice.h defines the faces.
#ifndef OROGEN_LATTICE_EARTH_GLSL
#define OROGEN_LATTICE_EARTH_GLSL

#include "core/gpu_layout.h"

#define Lattice ivec3
const uint kDrawLatticeBits = kCubeLatticeBits;

uvec2 onSquare(Lattice point) { return uvec2(point.x, point.y); }
Lattice beside(Lattice point, uvec2 place) { return ivec3(ivec2(place), point.z); }  // on the same face

// Returns the cube's axes (0 .. 2) along a face's x, its y and outwards.
ivec3 faceAxes(int face)
{
    int outwards = face >> 1, next = outwards == 2 ? 0 : outwards + 1, last = outwards == 0 ? 2 : outwards - 1;
    return (face & 1) != 0 ? ivec3(next, last, outwards) : ivec3(last, next, outwards);
}

// alongCube() converts coordinates along a face's axes (x, y, outwards) to coordinates along the cube's axes.
// alongFace() converts back.  Both select components by conditions: with dynamic component indices a software
// rasteriser is several times slower.
ivec3 alongCube(ivec3 axes, int face)
{
    ivec3 turning = (face & 1) != 0 ? axes : ivec3(axes.y, axes.x, axes.z);
    ivec3 once = ivec3(turning.z, turning.x, turning.y), twice = ivec3(turning.y, turning.z, turning.x);
    return face < 2 ? once : face < 4 ? twice : turning;
}
ivec3 alongFace(ivec3 cube, int face)
{
    ivec3 once = ivec3(cube.z, cube.x, cube.y), twice = ivec3(cube.y, cube.z, cube.x);
    ivec3 turning = face < 2 ? twice : face < 4 ? once : cube;
    return (face & 1) != 0 ? turning : ivec3(turning.y, turning.x, turning.z);
}

// Returns the cube point of a lattice point: coordinates along the cube's axes, 0 in the cube's centre.
ivec3 cubePoint(Lattice point)
{
    int halfSide = 1 << (kCubeLatticeBits - 1u);
    int outwards = (point.z & 1) != 0 ? halfSide : -halfSide;
    return alongCube(ivec3(point.x - halfSide, point.y - halfSide, outwards), point.z);
}

bool isOnFace(ivec3 cube, int face)
{
    int halfSide = 1 << (kCubeLatticeBits - 1u);
    return cube[face >> 1] == ((face & 1) != 0 ? halfSide : -halfSide);
}

// Returns a cube point as a lattice point of a face that it lies on.
Lattice placeOnFace(ivec3 cube, int face)
{
    int halfSide = 1 << (kCubeLatticeBits - 1u);
    ivec3 place = alongFace(cube, face);
    return ivec3(place.x + halfSide, place.y + halfSide, face);
}

// Returns a mask of the one to three faces that a cube point lies on: bit f for face f.
int facesTouching(ivec3 cube)
{
    int halfSide = 1 << (kCubeLatticeBits - 1u);
    ivec3 low = ivec3(equal(cube, ivec3(-halfSide))), high = ivec3(equal(cube, ivec3(halfSide)));
    return low.x | high.x << 1 | low.y << 2 | high.y << 3 | low.z << 4 | high.z << 5;
}

// Returns the point as a lattice point of the lowest-numbered face that contains it.
Lattice canonicalPlace(Lattice point)
{
    ivec3 cube = cubePoint(point);
    return placeOnFace(cube, findLSB(facesTouching(cube)));
}

// Returns whether p precedes q in an order that does not depend on the faces on which the points are given.
bool latticeBefore(Lattice p, Lattice q)
{
    ivec3 a = cubePoint(p), b = cubePoint(q);
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

#endif
