// The model of the air against numerical integration and a path tracer that share its coefficients alone.
#include "core/planet/air.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <glm/common.hpp>
#include <glm/exponential.hpp>
#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/gpu_layout.h"
#include "tests/support/random.h"

namespace orogen {
namespace {

using glm::dvec3;

constexpr double kRadius = 6378137, kTop = 75000, kVisibility = 80000;
const dvec3 kRayleigh(5.802e-6, 13.558e-6, 33.1e-6), kHazeTint(0.86, 1.0, 1.15),
    kOzoneTint(0.650e-6, 1.881e-6, 0.085e-6);
constexpr double kScatters = 0.93, kForward = 0.78;
const dvec3 kLuminance(0.2126, 0.7152, 0.0722);

double sineOf(double degrees) { return std::sin(degrees * std::numbers::pi / 180); }

struct Coefficients
{
    dvec3 air, haze, all;
};

Coefficients coefficientsAt(double height, double haze)
{
    Coefficients c;
    c.air = kRayleigh * std::exp(-height / 8000);
    c.haze = kHazeTint * (haze * std::exp(-height / 1300));
    c.all = c.air + c.haze + kOzoneTint * std::max(1 - std::abs(height - 25000) / 15000, 0.0);
    return c;
}

double phaseOfAir(double c) { return 0.1875 * (1 + c * c); }
double phaseOfHaze(double c)
{
    return 0.25 * (1 - kForward * kForward) / std::pow(1 + kForward * kForward - 2 * kForward * c, 1.5);
}

double heightOf(const dvec3& place) { return std::max(glm::length(place) - kRadius, 0.0); }

double lengthInAir(const dvec3& from, const dvec3& way)
{
    const double along = glm::dot(from, way);
    return -along + std::sqrt(along * along - glm::dot(from, from) + (kRadius + kTop) * (kRadius + kTop));
}

// Distance to the ground, or a negative number.
double lengthToGround(const dvec3& from, const dvec3& way)
{
    const double along = glm::dot(from, way), inside = along * along - glm::dot(from, from) + kRadius * kRadius;
    return along < 0 && inside > 0 ? -along - std::sqrt(inside) : -1;
}

// `hazeShare`: of the extinction by haze.
dvec3 transmittanceOf(const dvec3& from, const dvec3& way, double length, double haze, double hazeShare = 1)
{
    constexpr int kSteps = 200;
    dvec3 depth(0);
    for (int i = 0; i < kSteps; ++i)
    {
        const double a = length * i * i / (kSteps * kSteps), b = length * (i + 1) * (i + 1) / (kSteps * kSteps);
        const Coefficients c = coefficientsAt(heightOf(from + way * (0.5 * (a + b))), haze);
        depth += (c.all - (1 - hazeShare) * c.haze) * (b - a);
    }
    return glm::exp(-depth);
}

TEST(AirLight, TransmittanceIsItsIntegralWithinOnePercent)
{
    const double haze = hazeOfVisibility(kVisibility);
    const AirLight air(haze);
    test::Random random(3);
    for (int i = 0; i < 400; ++i)
    {
        const double height = 60e3 * std::pow(random.unit(), 3);
        const double lowest = -std::sqrt(height * (2 * kRadius + height)) / (kRadius + height);
        const double cosine = lowest + 0.006 + (1 - lowest - 0.006) * std::pow(random.unit(), 2);
        const dvec3 from(0, 0, kRadius + height), way(std::sqrt(1 - cosine * cosine), 0, cosine);
        const dvec3 exact = transmittanceOf(from, way, lengthInAir(from, way), haze, 1 - double(gpu::kHazePasses));
        const dvec3 found = air.transmittance(height, cosine);
        for (int k = 0; k < 3; ++k)
            EXPECT_NEAR(found[k], exact[k], 0.01 * exact[k] + 2e-3) << height << " m, cosine " << cosine;
    }
    EXPECT_EQ(air.transmittance(1000, -0.1), dvec3(0));  // the ground is in the way
}

// Sun's transmittance over heights and cosines, interpolated.
class SunTable
{
public:
    explicit SunTable(double haze)
    {
        for (int j = 0; j < kHeights; ++j)
            for (int i = 0; i < kCosines; ++i)
            {
                const double height = kTop * std::pow(j / (kHeights - 1.0), 2), low = lowest(height);
                const double c = low + (1 - low) * std::pow(i / (kCosines - 1.0), 2);
                const dvec3 from(0, 0, kRadius + height), way(std::sqrt(std::max(1 - c * c, 0.0)), 0, c);
                texels_.push_back(transmittanceOf(from, way, lengthInAir(from, way), haze));
            }
    }
    dvec3 at(double height, double cosine) const
    {
        const double low = lowest(height);
        if (cosine < low) return dvec3(0);
        const double x = std::sqrt((cosine - low) / (1 - low)) * (kCosines - 1);
        const double y = std::sqrt(std::min(height / kTop, 1.0)) * (kHeights - 1);
        const int i = std::min(int(x), kCosines - 2), j = std::min(int(y), kHeights - 2);
        const auto texel = [&](int a, int b) { return texels_[std::size_t((j + b) * kCosines + i + a)]; };
        return glm::mix(glm::mix(texel(0, 0), texel(1, 0), x - i), glm::mix(texel(0, 1), texel(1, 1), x - i), y - j);
    }

private:
    static constexpr int kCosines = 256, kHeights = 64;
    static double lowest(double height) { return -std::sqrt(height * (2 * kRadius + height)) / (kRadius + height); }
    std::vector<dvec3> texels_;
};

// Traces paths of light of one channel backwards, with free paths by delta tracking, and adds the sun's light at each
// collision.
class Tracer
{
public:
    Tracer(double haze, const SunTable& suns, const dvec3& sun) : haze_(haze), suns_(suns), sun_(sun) {}

    double path(dvec3 place, dvec3 way, int channel, test::Random& random) const
    {
        double weight = 1, sum = 0;
        for (int order = 0; order < 60; ++order)
        {
            const double ground = lengthToGround(place, way);
            const double length = ground >= 0 ? ground : lengthInAir(place, way);
            const double flown = freePath(place, way, length, channel, random);
            const bool collides = flown < length;
            if (!collides && ground < 0) break;
            place += way * std::min(flown, length);
            const double cosine = glm::dot(glm::normalize(place), sun_);
            if (!collides)
            {
                const dvec3 up = glm::normalize(place);
                place = up * (kRadius + 0.01);
                weight *= 0.12;
                sum += weight * std::max(cosine, 0.0) * suns_.at(0, cosine)[channel];
                way = turned(up, std::sqrt(random.unit()), random);
                continue;
            }
            const Coefficients c = coefficientsAt(heightOf(place), haze_);
            const double air = c.air[channel], drops = kScatters * c.haze[channel], between = glm::dot(way, sun_);
            weight *= (air + drops) / c.all[channel];
            const double phase = (air * phaseOfAir(between) + drops * phaseOfHaze(between)) / (air + drops);
            sum += weight * phase * suns_.at(heightOf(place), cosine)[channel];
            way = turned(way, random.unit() * (air + drops) < air ? cosineOfAir(random) : cosineOfHaze(random), random);
        }
        return sum;
    }

private:
    double freePath(const dvec3& place, const dvec3& way, double length, int channel, test::Random& random) const
    {
        const double most = kRayleigh[channel] + kHazeTint[channel] * haze_ + kOzoneTint[channel];
        double at = 0;
        for (;;)
        {
            at -= std::log(1 - random.unit()) / most;
            if (at >= length) return at;
            if (random.unit() * most < coefficientsAt(heightOf(place + way * at), haze_).all[channel]) return at;
        }
    }
    static double cosineOfAir(test::Random& random)
    {
        const double u = 4 * random.unit() - 2, q = std::cbrt(u + std::sqrt(u * u + 1));
        return q - 1 / q;
    }
    static double cosineOfHaze(test::Random& random)
    {
        const double s = (1 - kForward * kForward) / (1 - kForward + 2 * kForward * random.unit());
        return (1 + kForward * kForward - s * s) / (2 * kForward);
    }
    static dvec3 turned(const dvec3& axis, double cosine, test::Random& random)
    {
        cosine = std::clamp(cosine, -1.0, 1.0);
        const double sine = std::sqrt(1 - cosine * cosine), turn = 2 * std::numbers::pi * random.unit();
        const dvec3 a = glm::normalize(glm::cross(axis, std::abs(axis.x) < 0.9 ? dvec3(1, 0, 0) : dvec3(0, 1, 0)));
        return glm::normalize(axis * cosine + (a * std::cos(turn) + glm::cross(axis, a) * std::sin(turn)) * sine);
    }

    double haze_;
    const SunTable& suns_;
    dvec3 sun_;
};

TEST(AirLight, SkyIsThatOfAPathTracerWithinTenPercent)
{
    constexpr int kPaths = 8000;
    const double haze = hazeOfVisibility(kVisibility);
    const AirLight air(haze);
    const SunTable suns(haze);
    test::Random random(11);
    for (const double elevation : {5.0, 20.0, 60.0})
        for (const double height : {2.0, 10e3})
            for (const double rise : {0.02, 0.3})
                for (const double turn : {0.3, 1.8})
                {
                    const double sine = sineOf(elevation), across = std::sqrt(1 - rise * rise);
                    const dvec3 sun(std::sqrt(1 - sine * sine), 0, sine), from(0, 0, kRadius + height);
                    const dvec3 way(across * std::cos(turn), across * std::sin(turn), rise);
                    const Tracer tracer(haze, suns, sun);
                    dvec3 traced(0);
                    for (int k = 0; k < 3; ++k)
                        for (int i = 0; i < kPaths; ++i)
                            traced[k] += tracer.path(from, way, k, random) / kPaths;
                    const dvec3 found =
                        air.integral(height, rise, sine, glm::dot(way, sun), lengthInAir(from, way), 1, 64).added;
                    EXPECT_NEAR(glm::dot(found, kLuminance) / glm::dot(traced, kLuminance), 1, 0.10)
                        << "sun " << elevation << " degrees, " << height << " m, rise " << rise << ", turn " << turn;
                }
}

// Contrast of mid-grey ground straight below, as a share of that without air.
TEST(AirLight, KeepsTheContrastOfReliefFarBelow)
{
    const AirLight air(hazeOfVisibility(kVisibility));
    const double sine = sineOf(40);
    for (const double height : {5e3, 10e3, 20e3, 60e3})
    {
        const AirLight::Ray down = air.integral(height, -1, sine, -sine, height, airShown(height), 100);
        const double ground = glm::dot(0.18 * air.daylight(0, sine) * down.left, kLuminance);
        const double veil = glm::dot(dvec3(gpu::kSunlight) * down.added, kLuminance);
        EXPECT_GE(ground / (ground + veil), 0.8) << height;
    }
    EXPECT_EQ(airShown(10), 1);
    EXPECT_DOUBLE_EQ(airShown(1e6), kLeastAir);
    // Haze thins with height: the same way, ten times the share of light at 6 km.
    const auto left = [&](double height) { return air.integral(height, 0, sine, 0, 40e3, 1, 100).left.g; };
    EXPECT_LT(left(100), 0.2);
    EXPECT_GT(left(6000), 0.7);
}

// Display value of a radiance: the tone curve of tone.glsl.
double shown(double radiance)
{
    const double curve = radiance * (2.51 * radiance + 0.03) / (radiance * (2.43 * radiance + 0.59) + 0.14);
    return std::pow(curve, 1 / 2.2);
}

TEST(AirLight, ExposureKeepsMidGreyGroundMidGrey)
{
    const AirLight air(hazeOfVisibility(kVisibility));
    for (const double elevation : {10.0, 25.0, 40.0, 90.0})
        for (const double height : {10.0, 3000.0, 20e3, 400e3})
        {
            const double sine = sineOf(elevation), within = std::min(height, kTop);
            const AirLight::Ray down = air.integral(within, -1, sine, -sine, within, airShown(within), 200);
            const double seen =
                glm::dot(0.18 * air.daylight(0, sine) * down.left + dvec3(gpu::kSunlight) * down.added, kLuminance);
            const double grey = shown(seen * air.exposure(height, sine));
            const double off = std::abs(grey - AirLight::kMidGrey);
            EXPECT_LE(off, elevation == 40 ? 0.015 : 0.12) << elevation << " " << height;
        }
    // From where half of the globe is seen, a night below does not make the day beside it glare.
    EXPECT_EQ(air.exposure(2e7, sineOf(41)), air.exposure(400e3, sineOf(41)));
    EXPECT_LT(air.exposure(1e7, sineOf(-20)), 2 * air.exposure(1e7, sineOf(40)));
    // The brightness of the ground changes smoothly with the sun's elevation, and nights are dark, but not black.
    double before = 0;
    for (double elevation = -40; elevation < 60; elevation += 0.1)
    {
        const double sine = sineOf(elevation);
        const double grey = shown(glm::dot(0.18 * air.daylight(0, sine), kLuminance) * air.exposure(10, sine));
        EXPECT_LT(before > 0 ? std::abs(grey - before) : 0, 0.005) << elevation;
        EXPECT_LT(grey, AirLight::kMidGrey + 0.02) << elevation;
        EXPECT_GT(grey, AirLight::kNightGrey - 0.03) << elevation;
        before = grey;
    }
    EXPECT_NEAR(before, AirLight::kMidGrey, 0.02);
}

// The moon makes a night no brighter: exposure follows it, and stays that of the day where the sun is up.
TEST(AirLight, NightsUnderAnyMoonShowTheGroundEquallyBright)
{
    const AirLight air(hazeOfVisibility(kVisibility));
    const dvec3 sun(0, std::sqrt(1 - 0.25), -0.5);
    for (const double lit : {0.0, 0.25, 1.0})
    {
        const double sunToMoon = std::acos(1 - 2 * lit);
        const dvec3 moon(0, std::cos(sunToMoon - std::numbers::pi / 6), std::sin(sunToMoon - std::numbers::pi / 6));
        const dvec3 level = moonlight(sun, moon, -0.5) * std::max(moon.z, 0.0);
        const dvec3 ground = 0.18 * (air.daylight(0, -0.5) + level);
        EXPECT_NEAR(shown(glm::dot(ground, kLuminance) * air.exposure(10, -0.5, level)), AirLight::kNightGrey, 0.02)
            << lit;
    }
    // A full moon outshines the stars, and nothing of the day.
    const dvec3 full = moonlight(sun, -sun, -0.5);
    EXPECT_GT(full.g, 3 * air.daylight(0, -0.5).g);
    EXPECT_EQ(moonlight(sun, -sun, sineOf(-3)), dvec3(0));
    EXPECT_TRUE(sunRules(sineOf(-3)));
    EXPECT_FALSE(sunRules(sineOf(-5)));
}

}  // namespace
}  // namespace orogen
