// The cube on whose faces the Earth's surface is divided, and its map onto the ellipsoid.
// shaders/tree/lattice_earth.glsl and shaders/surface/surface_earth.glsl compute the same.
//
// Each of the six faces is a square of 2^kCubeBits units per side.  Bisection, diamonds and tiles work on a face as on
// the draw lattice of a plane (core/leb/leb.h).  On face 2 k + s, coordinate k of the cube is lowest (s = 0) or highest
// (s = 1).  The axes of a face, x, y and outwards, are right-handed.  A point on an edge or a corner of the cube has a
// place on two or three faces, but one CubePoint.
//
// Map to the ellipsoid: per axis w(c) = c (3 + c^2) / 4 for c in [-1, 1].  Areas on a face then differ by at most a
// factor of 1.45.  The direction is n = w / |w| in the space where the ellipsoid is the unit sphere.  With the radii a
// (equator) and b (poles), the point is (a n.x, a n.y, b n.z); heights are along the normal (n.x / a, n.y / a, n.z /
// b).  Accuracy in double precision: 3e-9 m.
#pragma once

#include <cstdint>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

namespace orogen {

inline constexpr int kCubeFaces = 6;
inline constexpr int kCubeBits = 30;
inline constexpr std::int32_t kCubeSide = 1 << kCubeBits;  // units along a face's side, about 9 mm each

// Lattice point on a face, coordinates 0 ... kCubeSide.
struct CubePlace
{
    int face = 0;
    std::int32_t x = 0, y = 0;
    bool operator==(const CubePlace&) const = default;
};

// Point on the cube's surface: the largest absolute coordinate is kCubeSide / 2.
using CubePoint = glm::ivec3;

CubePoint cubePoint(const CubePlace& place);
bool isOnFace(const CubePoint& point, int face);
CubePlace placeOnFace(const CubePoint& point, int face);  // requires isOnFace()

// Indices (0 to 2) of the cube's coordinates along a face's outward normal, x and y.  `high`: the outward normal points
// in the positive direction of its axis.
struct FaceAxes
{
    int normal, x, y;
    bool high;
};
FaceAxes axesOf(int face);

// Place between lattice points.  Coordinates may lie outside a face, which continues smoothly.
struct FacePlace
{
    int face = 0;
    glm::dvec2 at{0.0};  // lattice units
};
glm::dvec3 warpedCube(const FacePlace& place);       // w as defined above; on edges bit-identical from all faces
glm::dvec3 scaledDirection(const FacePlace& place);  // unit vector n as defined above
glm::dvec3 scaledDirection(const CubePoint& point);  // bit-identical from all faces

glm::dvec3 onEllipsoid(const glm::dvec3& scaledDirection);            // earth-fixed metres
glm::dvec3 normalAt(const glm::dvec3& scaledDirection);               // normal of the ellipsoid, unit
glm::dvec3 raised(const glm::dvec3& scaledDirection, double height);  // metres above the ellipsoid
glm::dvec3 scaledDirectionOf(double latitude, double longitude);      // degrees, geodetic
glm::dvec3 scaledDirectionUnder(const glm::dvec3& position);          // for the ellipsoid's point below the position

// Returns the face that a direction meets (on an edge, any of its faces), and the place on it.  Newton's method: to
// 1e-6 units.
FacePlace facePlaceOf(const glm::dvec3& scaledDirection);
// Returns the place on a given face; the direction must lie in the half-space of that face.
FacePlace facePlaceOn(const glm::dvec3& scaledDirection, int face);

// Returns the metres per lattice unit: a quarter of the equator divided by a face's side.  The true size along x or y
// lies between 0.67 and 1.04 times this.
double metresOfCubeUnit();

}  // namespace orogen
