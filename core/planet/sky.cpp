#include "core/planet/sky.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

namespace orogen {
namespace {

using glm::dvec3;

constexpr UtcSeconds kEpoch = 946'728'000;  // 2000-01-01T12:00Z

double daysOf(UtcSeconds time) { return double(time - kEpoch) / 86'400; }
double centuriesOf(UtcSeconds time) { return daysOf(time) / 36'525; }
double sine(double degrees) { return std::sin(glm::radians(degrees)); }
double cosine(double degrees) { return std::cos(glm::radians(degrees)); }

// Returns Greenwich's mean sidereal time (degrees; Meeus 12.4).
double siderealTime(UtcSeconds time)
{
    const double t = centuriesOf(time);
    return 280.46061837 + 360.98564736629 * daysOf(time) + t * t * (0.000387933 - t / 38'710'000);
}

// Returns the obliquity of the ecliptic (degrees).  `t`, here and below: centuries since kEpoch.
double obliquity(double t) { return 23.43929111 - t * (0.013004167 + t * (1.64e-7 - t * 5.036e-7)); }

// Returns the longitude of the ascending node of the moon's orbit, which nutation follows (degrees).
double moonsNode(double t) { return 125.04 - 1934.136 * t; }

// Turns a vector back about the axis z by an angle (degrees): from the frame of the equator to the rotating Earth's.
dvec3 turnedBack(const dvec3& v, double degrees)
{
    const double c = cosine(degrees), s = sine(degrees);
    return {c * v.x + s * v.y, c * v.y - s * v.x, v.z};
}

// Converts an ecliptic direction (degrees) to a vector in the frame of the equator.  `tilt`: obliquity (degrees).
dvec3 ofEcliptic(double longitude, double latitude, double tilt)
{
    const dvec3 v(cosine(latitude) * cosine(longitude), cosine(latitude) * sine(longitude), sine(latitude));
    return {v.x, v.y * cosine(tilt) - v.z * sine(tilt), v.y * sine(tilt) + v.z * cosine(tilt)};
}

// Returns the sun's mean longitude (degrees).
double sunsMeanLongitude(double t) { return 280.46646 + t * (36'000.76983 + t * 0.0003032); }

// Returns the direction of the apparent sun in the frame of the equator of date (Meeus, chapter 25).
dvec3 sunOnEquator(double t)
{
    const double anomaly = 357.52911 + t * (35'999.05029 - t * 0.0001537);
    const double centre = (1.914602 - t * (0.004817 + t * 0.000014)) * sine(anomaly) +
                          (0.019993 - 0.000101 * t) * sine(2 * anomaly) + 0.000289 * sine(3 * anomaly);
    const double longitude = sunsMeanLongitude(t) + centre - 0.00569 - 0.00478 * sine(moonsNode(t));
    return ofEcliptic(longitude, 0, obliquity(t) + 0.00256 * cosine(moonsNode(t)));
}

// Reads a whole number of `digits` digits at the start of `text`, and removes it.
std::optional<int> taken(std::string_view& text, std::size_t digits)
{
    int value = 0;
    if (text.size() < digits) return std::nullopt;
    const char* const end = text.data() + digits;
    const auto [last, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || last != end || text.front() == '-') return std::nullopt;
    text.remove_prefix(digits);
    return value;
}

bool skipped(std::string_view& text, char character)
{
    if (text.empty() || text.front() != character) return false;
    text.remove_prefix(1);
    return true;
}

}  // namespace

std::string utcText(UtcSeconds time)
{
    using namespace std::chrono;
    const sys_seconds at{seconds(time)};
    const auto day = floor<days>(at);
    const year_month_day date(day);
    const hh_mm_ss clock(at - day);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", int(date.year()), unsigned(date.month()),
                       unsigned(date.day()), clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

std::optional<UtcSeconds> utcIn(std::string_view text)
{
    using namespace std::chrono;
    const auto number = [&](std::size_t digits, char before) {
        return before == 0 || skipped(text, before) ? taken(text, digits) : std::nullopt;
    };
    const auto yearOf = number(4, 0), monthOf = number(2, '-'), dayOf = number(2, '-');
    if (!yearOf || !monthOf || !dayOf) return std::nullopt;
    const year_month_day date{year(*yearOf), month(unsigned(*monthOf)), day(unsigned(*dayOf))};
    std::optional<int> hour = 0, minute = 0, second = 0;
    if (!text.empty() && text.front() == 'T')
    {
        hour = number(2, 'T');
        minute = number(2, ':');
        if (!text.empty() && text.front() == ':') second = number(2, ':');
        skipped(text, 'Z');
    }
    if (!date.ok() || !hour || !minute || !second || *hour > 23 || *minute > 59 || *second > 59 || !text.empty())
        return std::nullopt;
    const UtcSeconds time =
        sys_days(date).time_since_epoch().count() * 86'400LL + *hour * 3600 + *minute * 60 + *second;
    return time >= kFirstTime && time <= kLastTime ? std::optional(time) : std::nullopt;
}

dvec3 sunDirection(UtcSeconds time)
{
    const double t = centuriesOf(time);
    // The apparent sun includes nutation, so the sidereal time needs the nutation in right ascension, too.
    const double nutation = -0.00478 * sine(moonsNode(t)) * cosine(obliquity(t));
    return turnedBack(sunOnEquator(t), siderealTime(time) + nutation);
}

dvec3 moonPosition(UtcSeconds time)
{
    const double t = centuriesOf(time);
    const double longitude = 218.32 + 481'267.883 * t + 6.29 * sine(134.9 + 477'198.85 * t) -
                             1.27 * sine(259.2 - 413'335.38 * t) + 0.66 * sine(235.7 + 890'534.23 * t) +
                             0.21 * sine(269.9 + 954'397.70 * t) - 0.19 * sine(357.5 + 35'999.05 * t) -
                             0.11 * sine(186.6 + 966'404.05 * t);
    const double latitude = 5.13 * sine(93.3 + 483'202.03 * t) + 0.28 * sine(228.2 + 960'400.87 * t) -
                            0.28 * sine(318.3 + 6'003.18 * t) - 0.17 * sine(217.6 - 407'332.20 * t);
    const double parallax = 0.9508 + 0.0518 * cosine(134.9 + 477'198.85 * t) + 0.0095 * cosine(259.2 - 413'335.38 * t) +
                            0.0078 * cosine(235.7 + 890'534.23 * t) + 0.0028 * cosine(269.9 + 954'397.70 * t);
    const dvec3 way = ofEcliptic(longitude, latitude, obliquity(t));
    return turnedBack(way, siderealTime(time)) * (kEarthEquatorRadius / sine(parallax));
}

// Precession from J2000.0 as in Meeus (21.3), then the Earth's rotation.
glm::dmat3 starsToEarth(UtcSeconds time)
{
    const double t = centuriesOf(time);
    const double zeta = t * (2306.2181 + t * (0.30188 + t * 0.017998)) / 3600;
    const double z = t * (2306.2181 + t * (1.09468 + t * 0.018203)) / 3600;
    const double theta = t * (2004.3109 - t * (0.42665 + t * 0.041833)) / 3600;
    glm::dmat3 turn;
    for (int axis = 0; axis < 3; ++axis)
    {
        dvec3 v(0);
        v[axis] = 1;
        v = turnedBack(v, -zeta);
        v = {cosine(theta) * v.x - sine(theta) * v.z, v.y, sine(theta) * v.x + cosine(theta) * v.z};
        turn[axis] = turnedBack(v, siderealTime(time) - z);
    }
    return turn;
}

double equationOfTime(UtcSeconds time)
{
    const double t = centuriesOf(time);
    const dvec3 sun = sunOnEquator(t);
    const double ascension = glm::degrees(std::atan2(sun.y, sun.x));
    return 4 * std::remainder(sunsMeanLongitude(t) - 0.0057183 - ascension, 360.0);
}

double refraction(double elevation)
{
    const double h = elevation, tangent = std::tan(glm::radians(h));
    double seconds = 0;
    if (h > 5)
        seconds = 58.1 / tangent - 0.07 / std::pow(tangent, 3) + 0.000086 / std::pow(tangent, 5);
    else if (h > -0.575)
        seconds = 1735 + h * (-518.2 + h * (103.4 + h * (-12.79 + h * 0.711)));
    else
        seconds = -20.774 / tangent;
    return h > 85 || h < -89 ? 0 : seconds / 3600;
}

dvec3 refracted(const dvec3& direction, const dvec3& up, double air)
{
    const double rise = std::clamp(glm::dot(direction, up), -1.0, 1.0);
    const dvec3 level = direction - up * rise;
    const double flat = glm::length(level);
    if (flat < 1e-9) return direction;
    const double elevation = glm::degrees(std::asin(rise)), lifted = elevation + air * refraction(elevation);
    return level * (cosine(lifted) / flat) + up * sine(lifted);
}

SkyAngles anglesOf(const dvec3& direction, const LocalAxes& axes)
{
    const dvec3 local = axes.toLocal(direction);
    const double azimuth = glm::degrees(std::atan2(local.x, local.y));
    return {azimuth < 0 ? azimuth + 360 : azimuth, glm::degrees(std::atan2(local.z, std::hypot(local.x, local.y)))};
}

dvec3 directionOf(const SkyAngles& angles)
{
    return {sine(angles.azimuth) * cosine(angles.elevation), cosine(angles.azimuth) * cosine(angles.elevation),
            sine(angles.elevation)};
}

}  // namespace orogen
