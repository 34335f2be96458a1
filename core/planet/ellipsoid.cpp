#include "core/planet/ellipsoid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <geodesic.h>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "core/base/text.h"

namespace orogen {
namespace {

constexpr double kA = kEarthEquatorRadius, kB = kEarthPoleRadius;
constexpr double kE2 = 1.0 - (kB / kA) * (kB / kA);        // first eccentricity, squared
constexpr double kSecondE2 = (kA / kB) * (kA / kB) - 1.0;  // second eccentricity, squared
constexpr double kOnAxis = 1.0e-9;                         // metres; a point this close to the axis counts as on it

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

// ---- textual forms of places ----

namespace {

// Formats an angle as "34.05 N"; one that rounds to zero gets the positive letter.
std::string hemisphereText(double degrees, int digits, char positive, char negative, std::string_view unit = "")
{
    const std::string text = fixedText(degrees, digits);
    const bool below = text.front() == '-';
    return fmt::format("{}{} {}", std::string_view(text).substr(below ? 1 : 0), unit, below ? negative : positive);
}

double wrapped(double longitude) { return std::fabs(longitude) > 180 ? std::remainder(longitude, 360.0) : longitude; }

}  // namespace

Status checkPlace(const Geodetic& place)
{
    struct Bound
    {
        std::string_view what, unit;
        double value, least, most;
    };
    const std::array<Bound, 3> bounds = {{{"latitude", "degrees", place.latitude, -90, 90},
                                          {"longitude", "degrees", place.longitude, -180, 180},
                                          {"height", "m", place.height, kLowestGround, kMostEarthHeight}}};
    for (const Bound& bound : bounds)
        if (!(bound.value >= bound.least && bound.value <= bound.most))
            return Error{ExitCode::kUsage, fmt::format("{}: found {:g}, expected {:.10g} to {:.10g} {}", bound.what,
                                                       bound.value, bound.least, bound.most, bound.unit)};
    return Status::ok();
}

Result<Geodetic> placeIn(std::string_view text)
{
    std::array<std::optional<double>, 3> numbers;
    std::string_view rest = text;
    for (std::size_t i = 0; i < numbers.size(); ++i)
    {
        const auto comma = i < 2 ? rest.find(',') : rest.npos;
        numbers[i] = numberIn<double>(trimmed(rest.substr(0, comma)));
        rest = comma == rest.npos ? std::string_view() : rest.substr(comma + 1);
        if (!numbers[i])
            return Error{ExitCode::kUsage, fmt::format("found '{}', expected LAT,LON,HEIGHT in degrees and metres, as "
                                                       "46.55,7.98,4000",
                                                       printableStart(text))};
    }
    const Geodetic place{*numbers[0], *numbers[1], *numbers[2]};
    if (const Status status = checkPlace(place); !status) return status.error();
    return place;
}

bool isCoordinates(std::string_view text)
{
    const std::string_view begin = trimmed(text).substr(0, 1);
    return !begin.empty() && std::string_view("+-.0123456789").find(begin) != std::string_view::npos;
}

std::string latitudeText(double degrees, int digits) { return hemisphereText(degrees, digits, 'N', 'S'); }

std::string longitudeText(double degrees, int digits) { return hemisphereText(wrapped(degrees), digits, 'E', 'W'); }

std::string placeText(double latitude, double longitude, int digits)
{
    constexpr std::string_view kDegrees = "\u00b0";
    return hemisphereText(latitude, digits, 'N', 'S', kDegrees) + ", " +
           hemisphereText(wrapped(longitude), digits, 'E', 'W', kDegrees);
}

std::string degreesText(double west, double south, double east, double north, int digits)
{
    // The pixels of a raster of all longitudes reach beyond 180 degrees.  Its edges are not wrapped, since they would
    // change sides.
    const auto longitude = [round = east - west >= 359, digits](double degrees) {
        return round ? hemisphereText(degrees, digits, 'E', 'W') : longitudeText(degrees, digits);
    };
    return fmt::format("{} to {}, {} to {}", latitudeText(south, digits), latitudeText(north, digits), longitude(west),
                       longitude(east));
}

namespace {

const geod_geodesic& wgs84()
{
    static const geod_geodesic figure = [] {
        geod_geodesic made;
        geod_init(&made, kEarthEquatorRadius, 1 / 298.257223563);
        return made;
    }();
    return figure;
}

double clockwise(double azimuth) { return azimuth < 0 ? azimuth + 360 : azimuth; }

}  // namespace

Geodesic::Geodesic(const Geodetic& from, const Geodetic& to)
{
    double end = 0;
    geod_inverse(&wgs84(), from.latitude, from.longitude, to.latitude, to.longitude, &length_, &azimuth_, &end);
    auto line = std::make_shared<geod_geodesicline>();
    geod_lineinit(line.get(), &wgs84(), from.latitude, from.longitude, azimuth_,
                  GEOD_LATITUDE | GEOD_LONGITUDE | GEOD_DISTANCE_IN);
    line_ = std::move(line);
    azimuth_ = clockwise(azimuth_);
    finalAzimuth_ = clockwise(end);
}

Geodetic Geodesic::at(double metres) const
{
    Geodetic place;
    geod_position(line_.get(), metres, &place.latitude, &place.longitude, nullptr);
    return place;
}

}  // namespace orogen
