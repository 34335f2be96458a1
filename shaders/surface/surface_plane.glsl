// The surface of a plane terrain, a square: the functions that surface.glsl lists.  Needs in scope: `frame`, `terrain`.
#ifndef OROGEN_SURFACE_PLANE_GLSL
#define OROGEN_SURFACE_PLANE_GLSL

#include "shaders/tree/lattice_plane.glsl"
#include "shaders/tree/diamond.glsl"

// Returns the position of a point at `height` (metres, scaled) relative to a camera, in metres.  `cell`: the camera's
// place in whole lattice units and its height in whole metres; `fraction`: the rest in metres.  The integer difference
// is exact.  So a camera 2 m above ground sees no jitter 100 km from the origin.
vec3 surfaceRelative(ivec2 lattice, float height, vec4 cell, vec4 fraction)
{
    vec2 whole = vec2(lattice - ivec2(cell.xy));
    return vec3(whole * terrain.squareSize.y - fraction.xy, (height - cell.z) - fraction.z);
}

vec3 surfaceRelative(Lattice point, float height) { return surfaceRelative(point, height, frame.cameraCell, frame.cameraFraction); }

// Returns the position of a point relative to the LOD camera, which the triangulation was made for.
vec3 surfaceFromLodCamera(Lattice point, float height) { return surfaceRelative(point, height, frame.lodCell, frame.lodFraction); }

vec3 surfaceUp(Lattice point) { return vec3(0.0, 0.0, 1.0); }
vec3 surfaceUpFromLodCamera(Lattice point) { return vec3(0.0, 0.0, 1.0); }

// Returns the continuous sample coordinates of a lattice point: (0, 0) is the centre of the north-western sample.
vec2 surfaceTexel(ivec2 lattice) { return terrain.texelFromLattice.xy * vec2(lattice) + terrain.texelFromLattice.zw; }

float baseSag(Lattice vertex, LebEdge base) { return 0.0; }

// Returns the length of the base that a vertex splits, without heights (metres).
float baseMetres(Lattice vertex)
{
    uvec2 square = onSquare(vertex);
    float units = float(1u << diamondUnitBits(square)) * (diamondIsDiagonal(square) ? 2.82842712 : 2.0);
    return units * terrain.squareSize.y;
}

#endif
