#include "core/planet/cube_lattice.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>

#include "core/planet/ellipsoid.h"

namespace orogen {
namespace {

constexpr std::int32_t kHalf = kCubeSide / 2;
constexpr double kOneOverHalf = 1.0 / double(kHalf);

double warped(double c) { return c * (0.75 + 0.25 * c * c); }

// Inverts warped() by Newton's method; the slope is at least 3/4.
double unwarped(double w)
{
    double c = w;
    for (int i = 0; i < 30; ++i)
    {
        const double step = (warped(c) - w) / (0.75 + 0.75 * c * c);
        c -= step;
        if (std::abs(step) < 1.0e-16) break;
    }
    return c;
}

glm::dvec3 directionOf(const glm::dvec3& w)
{
    const double scale = 1.0 / std::sqrt(w.x * w.x + w.y * w.y + w.z * w.z);
    return {w.x * scale, w.y * scale, w.z * scale};
}

glm::dvec3 warped(const glm::dvec3& cube) { return {warped(cube.x), warped(cube.y), warped(cube.z)}; }

}  // namespace

FaceAxes axesOf(int face)
{
    const int normal = face / 2, next = (normal + 1) % 3, last = (normal + 2) % 3;
    const bool high = (face & 1) != 0;
    return high ? FaceAxes{normal, next, last, high} : FaceAxes{normal, last, next, high};
}

CubePoint cubePoint(const CubePlace& place)
{
    const FaceAxes axes = axesOf(place.face);
    CubePoint point;
    point[axes.normal] = axes.high ? kHalf : -kHalf;
    point[axes.x] = place.x - kHalf;
    point[axes.y] = place.y - kHalf;
    return point;
}

bool isOnFace(const CubePoint& point, int face)
{
    const FaceAxes axes = axesOf(face);
    return point[axes.normal] == (axes.high ? kHalf : -kHalf);
}

CubePlace placeOnFace(const CubePoint& point, int face)
{
    const FaceAxes axes = axesOf(face);
    return {face, point[axes.x] + kHalf, point[axes.y] + kHalf};
}

glm::dvec3 warpedCube(const FacePlace& place)
{
    const FaceAxes axes = axesOf(place.face);
    glm::dvec3 cube;
    cube[axes.normal] = axes.high ? 1.0 : -1.0;
    cube[axes.x] = (place.at.x - double(kHalf)) * kOneOverHalf;
    cube[axes.y] = (place.at.y - double(kHalf)) * kOneOverHalf;
    return warped(cube);
}

glm::dvec3 scaledDirection(const FacePlace& place) { return directionOf(warpedCube(place)); }

glm::dvec3 scaledDirection(const CubePoint& point) { return directionOf(warped(glm::dvec3(point) * kOneOverHalf)); }

glm::dvec3 onEllipsoid(const glm::dvec3& n)
{
    return {kEarthEquatorRadius * n.x, kEarthEquatorRadius * n.y, kEarthPoleRadius * n.z};
}

glm::dvec3 normalAt(const glm::dvec3& n)
{
    const double flat = kEarthEquatorRadius / kEarthPoleRadius;
    const glm::dvec3 up(n.x, n.y, n.z * flat);
    return up / std::sqrt(up.x * up.x + up.y * up.y + up.z * up.z);
}

glm::dvec3 raised(const glm::dvec3& n, double height) { return onEllipsoid(n) + normalAt(n) * height; }

glm::dvec3 scaledDirectionOf(double latitude, double longitude)
{
    const glm::dvec3 p = earthFixed({latitude, longitude, 0.0});
    return glm::normalize(glm::dvec3(p.x / kEarthEquatorRadius, p.y / kEarthEquatorRadius, p.z / kEarthPoleRadius));
}

glm::dvec3 scaledDirectionUnder(const glm::dvec3& position)
{
    const Geodetic place = geodeticOf(position);
    return scaledDirectionOf(place.latitude, place.longitude);
}

FacePlace facePlaceOf(const glm::dvec3& n)
{
    const glm::dvec3 size = glm::abs(n);
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    return facePlaceOn(n, 2 * axis + (n[axis] > 0 ? 1 : 0));
}

FacePlace facePlaceOn(const glm::dvec3& n, int face)
{
    const FaceAxes axes = axesOf(face);
    const double reach = std::abs(n[axes.normal]);
    return {face,
            {double(kHalf) + double(kHalf) * unwarped(n[axes.x] / reach),
             double(kHalf) + double(kHalf) * unwarped(n[axes.y] / reach)}};
}

double metresOfCubeUnit() { return kEarthEquatorRadius * 1.5707963267948966 / double(kCubeSide); }

}  // namespace orogen
