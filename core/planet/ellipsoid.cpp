#include "core/planet/ellipsoid.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

namespace orogen {
namespace {

constexpr double kA = kEarthEquatorRadius, kB = kEarthPoleRadius;
constexpr double kE2 = 1.0 - (kB / kA) * (kB / kA);        // first eccentricity, squared
constexpr double kSecondE2 = (kA / kB) * (kA / kB) - 1.0;  // second eccentricity, squared
constexpr double kOnAxis = 1.0e-9;                         // metres

}  // namespace

glm::dvec3 normalThrough(const Geodetic& place)
{
    const double latitude = glm::radians(place.latitude), longitude = glm::radians(place.longitude);
    return {std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude), std::sin(latitude)};
}

glm::dvec3 earthFixed(const Geodetic& place)
{
    const glm::dvec3 n = normalThrough(place);
    const double curvature = kA / std::sqrt(1.0 - kE2 * n.z * n.z);
    return {(curvature + place.height) * n.x, (curvature + place.height) * n.y,
            (curvature * (1.0 - kE2) + place.height) * n.z};
}

// Iterates Bowring's formula; each step gains four digits or more.
Geodetic geodeticOf(const glm::dvec3& p)
{
    const double across = std::hypot(p.x, p.y);
    Geodetic place;
    place.longitude = across > kOnAxis ? wrappedLongitude(glm::degrees(std::atan2(p.y, p.x))) : 0.0;
    double reduced = std::atan2(kA * p.z, kB * across);  // reduced latitude, of a point on the ellipsoid
    double latitude = 0.0;
    for (int i = 0; i < 4; ++i)
    {
        const double s = std::sin(reduced), c = std::cos(reduced);
        latitude = std::atan2(p.z + kSecondE2 * kB * s * s * s, across - kE2 * kA * c * c * c);
        reduced = std::atan2(kB * std::sin(latitude), kA * std::cos(latitude));
    }
    const double s = std::sin(latitude), c = std::cos(latitude);
    place.latitude = glm::degrees(latitude);
    place.height = across * c + p.z * s - kA * std::sqrt(1.0 - kE2 * s * s);
    return place;
}

glm::dvec3 LocalAxes::toLocal(const glm::dvec3& v) const
{
    return {glm::dot(east, v), glm::dot(north, v), glm::dot(up, v)};
}

glm::dvec3 LocalAxes::toEarthFixed(const glm::dvec3& v) const { return v.x * east + v.y * north + v.z * up; }

LocalAxes axesAt(const glm::dvec3& position)
{
    const Geodetic place = geodeticOf(position);
    const double longitude = glm::radians(place.longitude);
    LocalAxes axes;
    axes.up = normalThrough(place);
    axes.east = {-std::sin(longitude), std::cos(longitude), 0.0};
    axes.north = glm::cross(axes.up, axes.east);
    return axes;
}

double wrappedLongitude(double degrees)
{
    const double turned = degrees - 360.0 * std::floor((degrees + 180.0) / 360.0);
    return turned >= 180.0 ? turned - 360.0 : turned;
}

double groundDistance(const Geodetic& a, const Geodetic& b)
{
    const glm::dvec3 m = normalThrough(a), n = normalThrough(b);
    return (2.0 * kA + kB) / 3.0 * std::atan2(glm::length(glm::cross(m, n)), glm::dot(m, n));
}

}  // namespace orogen
