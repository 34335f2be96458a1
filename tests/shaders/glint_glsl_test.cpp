// The glint of the sun in shaders/shading/mirror.glsl, compiled as C++, beside the model of Cox and Munk.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "core/glsl_types.h"
#include "core/gpu_layout.h"

namespace orogen::test {
namespace {

using namespace orogen::gpu;
using glm::clamp;
using glm::dot;
using glm::exp;
using glm::inversesqrt;
using glm::max;
using glm::mix;
using glm::normalize;
using glm::pow;
using glm::sqrt;

struct
{
    vec4 sunDirection;
} frame;

#include "shaders/shading/mirror.glsl"

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kVariance = 0.5 * (0.003 + 0.00512 * 5);  // along one axis, in a wind of 5 m/s

vec3 direction(double zenith, double azimuth)
{
    return {float(std::sin(zenith * kDegree) * std::sin(azimuth * kDegree)),
            float(std::sin(zenith * kDegree) * std::cos(azimuth * kDegree)), float(std::cos(zenith * kDegree))};
}

double glint(double sunZenith, double viewZenith, double across, double variance = kVariance)
{
    frame.sunDirection = vec4(direction(sunZenith, 180), 0.0f);
    const vec3 up(0, 0, 1);
    return double(sunGlint(up, float(variance), up, direction(viewZenith, across), vec3(1.0f)).x);
}

// Radiance over that of white ground, by Cox and Munk: Fresnel's reflection, density of slopes, projected area.
double coxMunk(double sunZenith, double viewZenith, double across, double variance = kVariance)
{
    const auto at = [](double zenith, double azimuth) {
        return glm::dvec3(std::sin(zenith * kDegree) * std::sin(azimuth * kDegree),
                          std::sin(zenith * kDegree) * std::cos(azimuth * kDegree), std::cos(zenith * kDegree));
    };
    const glm::dvec3 sun = at(sunZenith, 180), eye = at(viewZenith, across), facet = glm::normalize(sun + eye);
    const double in = std::acos(glm::dot(sun, facet)), out = std::asin(std::sin(in) / 1.333);
    const double s = std::sin(in - out) / std::sin(in + out), p = std::tan(in - out) / std::tan(in + out);
    const double slope2 = (facet.x * facet.x + facet.y * facet.y) / (facet.z * facet.z);
    const double density = std::exp(-slope2 / (2 * variance)) / (2 * std::numbers::pi * variance);
    return 0.5 * (s * s + p * p) * std::numbers::pi * density / (4 * eye.z * std::pow(facet.z, 4));
}

// Angle from the brightest view, away from the sun's plane or in it, at which half of it is left (degrees).
template <class Glint>
double halfWidth(const Glint& of, double sunZenith, bool across)
{
    double brightest = 0, middle = 0;
    for (double view = std::max(sunZenith - 25, 0.1); view < 89; view += 0.05)
        if (const double value = of(sunZenith, view, 0.0); value > brightest) brightest = value, middle = view;
    for (double off = 0; off < 90; off += 0.05)
    {
        const double value = across ? of(sunZenith, middle, off) : of(sunZenith, middle - off, 0.0);
        if (value < 0.5 * brightest) return off;
    }
    return 90;
}

TEST(GlintGlsl, HasTheSizeThatASeaOfItsRoughnessGives)
{
    const auto drawn = [](double sun, double view, double across) { return glint(sun, view, across); };
    const auto model = [](double sun, double view, double across) { return coxMunk(sun, view, across); };
    for (const double sun : {20.0, 40.0, 60.0, 75.0})
        for (const bool across : {false, true})
        {
            if (!across && sun > 40) continue;  // there the model is brightest at the horizon, where it has no bound
            const double expected = halfWidth(model, sun, across);
            EXPECT_NEAR(halfWidth(drawn, sun, across), expected, 0.06 * expected) << sun << " " << across;
        }
    // A slope of 1.18 standard deviations halves it; facets turn the mirrored ray by twice their angle.
    EXPECT_NEAR(halfWidth(drawn, 30, false), 2 * std::atan(1.1774 * std::sqrt(kVariance)) / kDegree, 1.6);
}

TEST(GlintGlsl, HasTheBrightnessOfTheModelWhileTheSunIsHigh)
{
    for (const double sun : {15.0, 35.0, 55.0})
        for (const double off : {-8.0, 0.0, 8.0})
            EXPECT_NEAR(glint(sun, sun + off, 0) / coxMunk(sun, sun + off, 0), 1, 0.09) << sun << " " << off;
}

// Waves hide each other at low angles, so the model's radiance stays finite there.
TEST(GlintGlsl, StaysFiniteAtTheHorizon)
{
    const double horizon = glint(88, 89.99, 0);
    EXPECT_TRUE(std::isfinite(horizon));
    EXPECT_LT(horizon, 150);
    EXPECT_GT(horizon, glint(88, 80, 0));
    EXPECT_LT(glint(95, 85, 0), 1) << "a sun below the horizon";
}

// The sky near the horizon, which low lines of sight mirror, is brighter.
TEST(GlintGlsl, MirrorsABrighterSkyNearTheHorizon)
{
    const vec3 sky(0.2f), sun(0.0f);
    EXPECT_GT(mirroredSky(sky, sun, 0.0f, 0.0f).x, mirroredSky(sky, sun, 0.8f, 0.0f).x);
}

TEST(GlintGlsl, AWindierSeaHasAWiderAndFainterOne)
{
    EXPECT_GT(glint(40, 40, 0, kVariance), 2 * glint(40, 40, 0, 3 * kVariance));
    EXPECT_LT(glint(40, 75, 0, kVariance), glint(40, 75, 0, 3 * kVariance));
}

}  // namespace
}  // namespace orogen::test
