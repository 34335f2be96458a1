#include "core/planet/air.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <glm/common.hpp>
#include <glm/exponential.hpp>
#include <glm/geometric.hpp>

#include "core/gpu_layout.h"

namespace orogen {
namespace {

using glm::dvec3;

const double kRadius = double(gpu::kAirRadius), kTop = double(gpu::kAirTop);
const dvec3 kMolecules(gpu::kAirScattering), kHazeTint(gpu::kHazeColour), kOzoneTint(gpu::kOzone), kSun(gpu::kSunlight);
const double kHazeLeft = 1 - double(gpu::kHazePasses);  // share of the haze's extinction that dims a ray
const double kHazeSpreads = double(gpu::kHazeScatters) - double(gpu::kHazePasses);
constexpr double kGroundAlbedo = 0.12;    // for light that is scattered more than once
constexpr double kThinnestHaze = 2.0e-6;  // 1/metre
constexpr double kKoschmieder = 3.912;    // optical depth over the visibility: ln 50, a contrast of 2 %
// Camera heights between which airShown() falls (metres).
constexpr double kFullAir = 1500, kThinAir = 20000;
const dvec3 kStarlight{4.6e-4, 5.4e-4, 7.0e-4};             // light of the whole night sky, brighter than in reality
constexpr double kStarryAir = 0.25;                         // share of starlight that the air scatters
const dvec3 kFullMoon{2.5e-3, 2.9e-3, 3.5e-3};              // relative to sunlight; bluish, as eyes perceive it
constexpr double kMoonRises = -0.07, kMoonReigns = -0.155;  // sines of the sun's elevation where moonlight fades in
// Radiance of mid-grey ground with the sun 40 degrees high.  Exposure divides by the ground's radiance to the power
// kAdapts.  So an evening stays darker than a noon, and the sky around a low sun does not glare.
constexpr double kDaylit = 0.35, kAdapts = 0.8;
constexpr double kDarkReach = 0.3;  // width of the transition to a night's brightness (natural logarithm)
// From space, exposure assumes that the sun is higher by kSeesAround (radians), but raises it at most to kHighSun.
// This assumption fades in between the camera heights kLowOrbit and kGlobeSeen (metres).
constexpr double kSeesAround = 1.1, kHighSun = 0.7, kLowOrbit = 4e5, kGlobeSeen = 5e6;
constexpr int kDepthSteps = 48, kSphereSteps = 16, kRises = 8, kTurns = 4;
constexpr double kPi = std::numbers::pi;

struct Densities
{
    double air, haze, ozone;  // relative to sea level; ozone: relative to where it is densest
};

Densities densitiesAt(double height)
{
    return {std::exp(-height / double(gpu::kAirHeight)), std::exp(-height / double(gpu::kHazeHeight)),
            std::max(1 - std::abs(height - double(gpu::kOzoneHeight)) / double(gpu::kOzoneReach), 0.0)};
}

// Returns the height after `distance` along a ray, without the cancellation of subtracting distances from the centre.
// `rise`, here and below: cosine between the ray and the vertical at its start.
double heightAlong(double height, double rise, double distance)
{
    const double start = kRadius + height, more = distance * (2 * start * rise + distance);
    return height + more / (start + std::sqrt(std::max(start * start + more, 0.0)));
}

// Returns the distance to the top of the air, from inside.
double distanceToTop(double height, double rise)
{
    const double along = (kRadius + height) * rise;
    const double under = (kTop - height) * (2 * kRadius + kTop + height);
    return std::sqrt(along * along + under) - along;
}

// Returns the distance to the ground; infinite if the ray misses it.
double distanceToGround(double height, double rise)
{
    const double along = -(kRadius + height) * rise, over = height * (2 * kRadius + height);
    const double inside = along * along - over;
    return along <= 0 || inside < 0 ? std::numeric_limits<double>::infinity() : over / (along + std::sqrt(inside));
}

double phaseOfAir(double cosine) { return 0.1875 * (1 + cosine * cosine); }
double phaseOfHaze(double cosine)
{
    const double g = double(gpu::kHazeForward);
    return 0.25 * (1 - g * g) / std::pow(1 + g * g - 2 * g * cosine, 1.5);
}

// Coordinates of the tables of scattered light and skylight, 0 ... 1 from the first texel's centre to the last one's.
double rowOfHeight(double height) { return std::sqrt(std::clamp(height / kTop, 0.0, 1.0)); }
double columnOfSun(double cosine)
{
    return 0.5 + 0.5 * std::copysign(std::sqrt(std::min(std::abs(cosine), 1.0)), cosine);
}
double sunOfColumn(double column)
{
    const double s = 2 * column - 1;
    return s * std::abs(s);
}

double heightOfRow(double row) { return kTop * row * row; }

// Returns the cosine between two directions with these sines of elevation, whose azimuths differ by `turn` (radians).
double cosineBetween(double rise, double sun, double turn)
{
    return rise * sun + std::sqrt((1 - rise * rise) * (1 - sun * sun)) * std::cos(turn);
}

dvec3 bilinear(const std::vector<glm::vec3>& table, glm::ivec2 size, double column, double row)
{
    const double x = std::clamp(column, 0.0, 1.0) * (size.x - 1), y = std::clamp(row, 0.0, 1.0) * (size.y - 1);
    const int x0 = std::min(int(x), size.x - 2), y0 = std::min(int(y), size.y - 2);
    const auto at = [&](int i, int j) {
        return dvec3(table[std::size_t(y0 + j) * std::size_t(size.x) + std::size_t(x0 + i)]);
    };
    return glm::mix(glm::mix(at(0, 0), at(1, 0), x - x0), glm::mix(at(0, 1), at(1, 1), x - x0), y - y0);
}

}  // namespace

double hazeOfVisibility(double metres) { return std::max(kKoschmieder / metres - kMolecules.g, kThinnestHaze); }

double airShown(double height)
{
    const double up = std::clamp(std::log(std::max(height, 1.0) / kFullAir) / std::log(kThinAir / kFullAir), 0.0, 1.0);
    return 1 - (1 - kLeastAir) * up * up * (3 - 2 * up);
}

bool sunRules(double sunSine) { return sunSine > kMoonRises; }

dvec3 moonlight(const dvec3& sun, const dvec3& moon, double sunSine)
{
    const double night = std::clamp((sunSine - kMoonRises) / (kMoonReigns - kMoonRises), 0.0, 1.0);
    const double lit = 0.5 - 0.5 * glm::dot(sun, moon);  // lit share of the moon's disc
    return kSun * kFullMoon * (lit * lit * night * night * (3 - 2 * night));
}

AirLight::AirLight(double haze) : haze_(haze)
{
    fillTransmittance();
    fillScattered();
    fillSky();
}

dvec3 AirLight::depthOf(double height, double cosine) const
{
    const double length = distanceToTop(height, cosine);
    dvec3 depth(0);
    for (int i = 0; i < kDepthSteps; ++i)
    {
        // Steps grow with distance: on a rising ray the air is densest at the start.
        const double a = double(i) / kDepthSteps, b = double(i + 1) / kDepthSteps;
        const double from = length * a * a, to = length * b * b;
        const Densities d = densitiesAt(std::max(heightAlong(height, cosine, 0.5 * (from + to)), 0.0));
        depth += (kMolecules * d.air + kHazeTint * (haze_ * kHazeLeft * d.haze) + kOzoneTint * d.ozone) * (to - from);
    }
    return depth;
}

// Rows are distances to the horizon, which stand for heights.  Columns are distances to the top of the air, from the
// least to the largest of a row (Bruneton's coordinates).
void AirLight::fillTransmittance()
{
    const glm::ivec2 size = glm::ivec2(gpu::kAirTransmittanceSize);
    const double widest = std::sqrt(kTop * (2 * kRadius + kTop));
    for (int row = 0; row < size.y; ++row)
        for (int column = 0; column < size.x; ++column)
        {
            const double toHorizon = widest * row / (size.y - 1);
            const double start = std::hypot(kRadius, toHorizon);
            const double height = toHorizon * toHorizon / (start + kRadius);
            const double least = kTop - height, most = toHorizon + widest;
            const double distance = least + (most - least) * column / (size.x - 1);
            const double cosine =
                distance <= 0
                    ? 1.0
                    : ((kTop - height) * (2 * kRadius + kTop + height) - distance * distance) / (2 * start * distance);
            transmittance_.emplace_back(glm::exp(-depthOf(height, std::clamp(cosine, -1.0, 1.0))));
        }
}

dvec3 AirLight::transmittance(double height, double cosine) const
{
    height = std::clamp(height, 0.0, kTop);
    const double over = height * (2 * kRadius + height), start = kRadius + height;
    const double toHorizon = std::sqrt(over), widest = std::sqrt(kTop * (2 * kRadius + kTop));
    const double lowest = -toHorizon / start;
    const double shown = std::clamp((cosine - lowest) / double(gpu::kSunWidth) + 0.5, 0.0, 1.0);
    if (shown <= 0) return dvec3(0);
    const double least = kTop - height, most = toHorizon + widest;
    const double column = (distanceToTop(height, std::max(cosine, lowest)) - least) / (most - least);
    return shown * bilinear(transmittance_, glm::ivec2(gpu::kAirTransmittanceSize), column, toHorizon / widest);
}

dvec3 AirLight::sampled(const std::vector<glm::vec3>& table, double height, double cosine) const
{
    return bilinear(table, glm::ivec2(gpu::kAirScatteredSize), columnOfSun(cosine), rowOfHeight(height));
}
dvec3 AirLight::scatteredOften(double height, double cosine) const { return sampled(scattered_, height, cosine); }
dvec3 AirLight::skylight(double height, double cosine) const { return sampled(sky_, height, cosine); }
dvec3 AirLight::daylight(double height, double cosine) const
{
    return kSun * (transmittance(height, cosine) * std::max(cosine, 0.0) + skylight(height, cosine));
}

AirLight::Ray AirLight::integral(double height, double rise, double sun, double cosSun, double length, double share,
                                 int steps) const
{
    const double start = kRadius + height;
    const double turn = std::clamp(-start * rise, 0.0, length);
    const double first = -std::sqrt(turn), last = std::sqrt(length - turn);
    const double air = phaseOfAir(cosSun), haze = phaseOfHaze(cosSun);
    Ray ray{dvec3(0), dvec3(1)};
    dvec3 left(1);
    const auto at = [&](int i) {
        const double s = first + (last - first) * i / steps;
        return turn + s * std::abs(s);
    };
    for (int i = 0; i < steps; ++i)
    {
        const double from = at(i), to = at(i + 1), middle = 0.5 * (from + to);
        const double here = std::max(heightAlong(height, rise, middle), 0.0);
        const double cosine = (start * sun + middle * cosSun) / (kRadius + here);
        const Densities d = densitiesAt(here);
        const dvec3 molecules = kMolecules * (d.air * share), drops = kHazeTint * (haze_ * d.haze * share);
        const dvec3 all = molecules + drops * kHazeLeft + kOzoneTint * (d.ozone * share);
        const dvec3 source =
            (molecules * air + drops * (double(gpu::kHazeScatters) * haze)) * transmittance(here, cosine) +
            (molecules + drops * kHazeSpreads) * scatteredOften(here, cosine);
        const dvec3 kept = glm::exp(-all * (to - from));
        ray.added += left * source * (1.0 - kept) / glm::max(all, dvec3(1e-15));
        left *= kept;
        ray.left *= glm::exp(-(molecules + drops) * (to - from));
    }
    return ray;
}

// Contribution of one ray.  `second`: light that arrives after one scattering, so that the place scatters it a second
// time.  `again`: share of isotropic light that is scattered again.  Both members treat scattering as isotropic.
struct AirLight::Order
{
    dvec3 second{0}, again{0};
};

AirLight::Order AirLight::orderAlong(double height, double rise, double sun, double cosSun) const
{
    const double start = kRadius + height, ground = distanceToGround(height, rise);
    const double length = std::min(ground, distanceToTop(height, rise));
    Order order;
    dvec3 left(1);
    for (int s = 0; s < kSphereSteps; ++s)
    {
        const double from = length * std::pow(double(s) / kSphereSteps, 2);
        const double to = length * std::pow(double(s + 1) / kSphereSteps, 2), middle = 0.5 * (from + to);
        const double here = std::max(heightAlong(height, rise, middle), 0.0);
        const double cosine = (start * sun + middle * cosSun) / (kRadius + here);
        const Densities d = densitiesAt(here);
        const dvec3 molecules = kMolecules * d.air, drops = kHazeTint * (haze_ * d.haze);
        const dvec3 all = molecules + drops * kHazeLeft + kOzoneTint * d.ozone, kept = glm::exp(-all * (to - from));
        const dvec3 reached = left * (molecules + drops * kHazeSpreads) * (1.0 - kept) / glm::max(all, dvec3(1e-15));
        order.second += reached * 0.25 * transmittance(here, cosine);
        order.again += reached;
        left *= kept;
    }
    if (ground <= length)
    {
        const double cosine = (start * sun + ground * cosSun) / kRadius;
        order.second += left * kGroundAlbedo * std::max(cosine, 0.0) * transmittance(0, cosine);
    }
    return order;
}

// Fills Hillaire's table: light scattered twice, all further scatterings as a geometric series, and starlight.
void AirLight::fillScattered()
{
    const glm::ivec2 size(gpu::kAirScatteredSize);
    for (int row = 0; row < size.y; ++row)
        for (int column = 0; column < size.x; ++column)
        {
            const double height = heightOfRow(double(row) / (size.y - 1));
            const double sun = sunOfColumn(double(column) / (size.x - 1));
            Order sum;
            for (int i = 0; i < kRises; ++i)
                for (int j = 0; j < kTurns; ++j)
                {
                    const double rise = (2 * i + 1.0) / kRises - 1;
                    const Order order =
                        orderAlong(height, rise, sun, cosineBetween(rise, sun, kPi * (j + 0.5) / kTurns));
                    sum.second += order.second / double(kRises * kTurns);
                    sum.again += order.again / double(kRises * kTurns);
                }
            scattered_.emplace_back(sum.second / (1.0 - sum.again) + kStarryAir * kStarlight);
        }
}

void AirLight::fillSky()
{
    const glm::ivec2 size = glm::ivec2(gpu::kAirScatteredSize);
    for (int row = 0; row < size.y; ++row)
        for (int column = 0; column < size.x; ++column)
        {
            const double height = heightOfRow(double(row) / (size.y - 1));
            const double sun = sunOfColumn(double(column) / (size.x - 1));
            dvec3 sum(0);
            for (int i = 0; i < kRises; ++i)
                for (int j = 0; j < kTurns; ++j)
                {
                    const double rise =
                        std::sqrt((i + 0.5) / kRises);  // equal shares of the cosine-weighted half sphere
                    const double cosSun = cosineBetween(rise, sun, kPi * (j + 0.5) / kTurns);
                    sum += integral(height, rise, sun, cosSun, distanceToTop(height, rise), 1.0, kSphereSteps).added;
                }
            sky_.emplace_back(sum / double(kRises * kTurns) + kStarlight);
        }
}

namespace {

// Returns the radiance that the tone curve shows as a display value.
double radianceShownAs(double display)
{
    const double y = std::pow(display, 2.2), a = 2.51 - 2.43 * y, b = 0.03 - 0.59 * y;
    return (-b + std::sqrt(b * b + 4 * a * 0.14 * y)) / (2 * a);
}

// Returns the larger of two values, with a smooth transition where they differ by less than `reach`.
double smoothMax(double a, double b, double reach)
{
    const double within = std::max(reach - std::abs(a - b), 0.0);
    return std::max(a, b) + within * within / (4 * reach);
}

}  // namespace

double AirLight::exposure(double height, double sun, const dvec3& moon) const
{
    // A camera that sees half of the globe also adapts to ground over which the sun is higher.
    const double up =
        std::clamp(std::log(std::max(height, 1.0) / kLowOrbit) / std::log(kGlobeSeen / kLowOrbit), 0.0, 1.0);
    const double elevation = std::asin(std::clamp(sun, -1.0, 1.0));
    sun = std::sin(std::max(elevation, std::min(elevation + kSeesAround * up, kHighSun)));
    height = std::clamp(height, 1.0, kTop);
    const Ray down = integral(height, -1.0, std::min(sun, 1.0), -sun, height, airShown(height), 32);
    const dvec3 grey = 0.18 * (daylight(0, sun) + moon) * down.left + kSun * down.added;
    const double seen = glm::dot(grey, dvec3(0.2126, 0.7152, 0.0722));
    const double day = radianceShownAs(kMidGrey), night = radianceShownAs(kNightGrey);
    const double dims = smoothMax((1 - kAdapts) * std::log(seen / kDaylit), std::log(night / day), kDarkReach);
    return day * std::exp(dims) / seen;
}

}  // namespace orogen
