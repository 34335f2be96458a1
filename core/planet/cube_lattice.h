// The cube that the Earth's surface is drawn from, and its way onto the ellipsoid.  Twin of shaders/lattice.glsl and
// shaders/surface_ellipsoid.glsl.
//
// Each of the six faces is a square of 2^kCubeBits units a side: the draw lattice of the plane, on which bisection,
// diamonds and tiles work as on a plane.  Face 2 a + s is the one with coordinate a of the cube at its lowest (s = 0)
// or highest (s = 1); its x and y run so that seen from outside x, y, outwards are right-handed.  A point on an edge or
// a corner of the cube has a place on two or three faces; as a CubePoint it is the same integers from all of them.
//
// From the cube to the ellipsoid: per axis w(c) = c (3 + c^2) / 4 for c in [-1, 1], which makes areas on a face differ
// by no more than 1.45; the direction n = w / |w| in the space where the ellipsoid is the unit sphere; the point (a
// n.x, a n.y, b n.z), and height along the normal (n.x / a, n.y / a, n.z / b).  In double precision to 3e-9 m.
#pragma once

#include <cstdint>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

namespace orogen {

inline constexpr int kCubeFaces = 6;
inline constexpr int kCubeBits = 30;
inline constexpr std::int32_t kCubeSide = 1 << kCubeBits;  // units along a face's side: about 9 mm each

// On a face: 0 ... kCubeSide.
struct CubePlace
{
    int face = 0;
    std::int32_t x = 0, y = 0;
    bool operator==(const CubePlace&) const = default;
};

// On the cube's surface: the largest coordinate is +-kCubeSide / 2.
using CubePoint = glm::ivec3;

CubePoint cubePoint(const CubePlace& place);
bool isOnFace(const CubePoint& point, int face);
CubePlace placeOnFace(const CubePoint& point, int face);  // isOnFace() must hold

// The same for places between the lattice's points; beyond its edges a face goes on smoothly.
struct FacePlace
{
    int face = 0;
    glm::dvec2 at{0.0};  // lattice units
};
glm::dvec3 scaledDirection(const FacePlace& place);  // the unit vector n above
glm::dvec3 scaledDirection(const CubePoint& point);  // the same bits from whichever face

glm::dvec3 onEllipsoid(const glm::dvec3& scaledDirection);            // earth-fixed metres
glm::dvec3 normalAt(const glm::dvec3& scaledDirection);               // of the ellipsoid, unit
glm::dvec3 raised(const glm::dvec3& scaledDirection, double height);  // metres above the ellipsoid
glm::dvec3 scaledDirectionOf(double latitude, double longitude);      // degrees, of the normal
glm::dvec3 scaledDirectionUnder(const glm::dvec3& position);          // of the point of the ellipsoid below it

// The face that a direction meets, and where.  On an edge any of its faces.  Newton's method: to 1e-6 units.
FacePlace facePlaceOf(const glm::dvec3& scaledDirection);
// The same on a given face, whose half-space must hold the direction.
FacePlace facePlaceOn(const glm::dvec3& scaledDirection, int face);

// Metres of a lattice unit: a quarter of the equator over a face's side.  Everywhere between 0.65 and 1.25 times this.
double metresOfCubeUnit();

}  // namespace orogen
