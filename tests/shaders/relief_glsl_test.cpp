// shaders/shading/relief.glsl, compiled as C++, beside gdaldem and the definition by four lights.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "core/glsl_types.h"
#include "core/gpu_layout.h"

namespace orogen::test {
namespace {

using namespace orogen::gpu;
using glm::acos;
using glm::clamp;
using glm::degrees;
using glm::dot;
using glm::max;

#include "shaders/shading/relief.glsl"

constexpr double kDegree = 3.14159265358979 / 180;

// Normal of ground that rises by `slope` towards an azimuth.
vec3 rising(double azimuth, double slope)
{
    const double e = slope * std::sin(azimuth * kDegree), n = slope * std::cos(azimuth * kDegree);
    return glm::normalize(vec3(float(-e), float(-n), 1.0f));
}

// `gdaldem hillshade -multidirectional` (GDAL 3.6.2) of inclined planes, which writes 1 + 254 times the shade.
TEST(ReliefGlsl, FourLightsAgreeWithGdal)
{
    const struct
    {
        double azimuth, slope;
        int gdal;
    } planes[] = {{0, 0.3, 147},   {0, 1.5, 52},    {45, 0.3, 199},  {45, 1.5, 177},  {90, 0.3, 217},
                  {90, 1.5, 228},  {135, 0.3, 217}, {135, 1.5, 228}, {180, 0.3, 199}, {180, 1.5, 177},
                  {225, 0.3, 147}, {225, 1.5, 52},  {270, 0.3, 129}, {270, 1.5, 1},   {315, 0.3, 129}};
    for (const auto& [azimuth, slope, gdal] : planes)
        EXPECT_NEAR(1 + 254 * double(multidirectionalRelief(rising(azimuth, slope))), gdal, 0.51)
            << azimuth << " " << slope;
}

TEST(ReliefGlsl, FourLightsAreThoseOfTheDefinition)
{
    for (double azimuth = 3; azimuth < 360; azimuth += 11)
        for (const double slope : {0.001, 0.2, 0.7, 3.0})
        {
            const vec3 normal = rising(azimuth, slope);
            double shade = 0;
            for (const double light : {225.0, 270.0, 315.0, 360.0})
            {
                const double east = std::sin(light * kDegree), north = std::cos(light * kDegree), high = 45 * kDegree;
                const double lit = (double(normal.x) * east + double(normal.y) * north) * std::cos(high) +
                                   double(normal.z) * std::sin(high);
                const double off = (azimuth + 180 - light) * kDegree;  // the ground faces away from where it rises
                shade += 0.5 * std::pow(std::cos(off), 2) * std::max(lit, 0.0);
            }
            EXPECT_NEAR(double(multidirectionalRelief(normal)), shade, 1e-5) << azimuth << " " << slope;
        }
}

TEST(ReliefGlsl, LevelGroundIsAsBrightFromEveryLight)
{
    const vec3 up(0, 0, 1);
    EXPECT_NEAR(double(multidirectionalRelief(up)), std::sqrt(0.5), 1e-6);
    EXPECT_NEAR(double(directRelief(up)), 0.70, 0.01);
    EXPECT_EQ(slopeRelief(up), 1.0f);
}

TEST(ReliefGlsl, SlopesAreDarkerWhereSteeperWhereverTheyFace)
{
    for (const double azimuth : {0.0, 77.0, 200.0})
    {
        EXPECT_NEAR(double(slopeRelief(rising(azimuth, std::tan(30 * kDegree)))), 0.5, 1e-4);
        EXPECT_EQ(slopeRelief(rising(azimuth, 5)), 0.0f);
    }
    EXPECT_GT(directRelief(rising(135, 0.5)), directRelief(rising(315, 0.5))) << "the light stands in the north-west";
}

}  // namespace
}  // namespace orogen::test
