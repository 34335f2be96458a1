#include "core/terrain/raster/ground_profile.h"

#include <cmath>
#include <numbers>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <gtest/gtest.h>

#include "tests/support/random.h"

namespace orogen {
namespace {

// Random whole heights, which a height field represents exactly.
Raster randomRaster(test::Random& random, bool voids)
{
    Raster raster;
    raster.width = random.between(2, 40);
    raster.height = random.between(2, 40);
    raster.pixelWidth = 5 + 40 * random.unit();
    raster.pixelHeight = 5 + 40 * random.unit();
    for (int i = 0; i < raster.width * raster.height; ++i)
    {
        const bool isVoid = voids && i > 0 && random.chance(1, 9);
        raster.heights.push_back(isVoid ? NAN : float(random.between(-50, 900)));
        raster.voids += isVoid;
    }
    raster.minHeight = -50;
    raster.maxHeight = 900;
    return raster;
}

glm::dvec3 placeIn(test::Random& random, const Raster& raster)
{
    return {(random.unit() - 0.5) * raster.east(), (random.unit() - 0.5) * raster.north(), 0};
}

ProfileHeightAt heightsOf(const HeightField& field)
{
    return [&field](const glm::dvec3& at) {
        const GroundPoint point = groundPointAt(field, at.x, at.y);
        return ProfileHeight{point.height, point.isVoid};
    };
}

TEST(GroundPoint, IsThatOfTheRaster)
{
    test::Random random(1);
    for (int i = 0; i < 400; ++i)
    {
        const Raster raster = randomRaster(random, false);
        const HeightField field = quantise(raster);
        const glm::dvec3 at = placeIn(random, raster);
        const GroundPoint point = groundPointAt(field, at.x, at.y);
        EXPECT_TRUE(point.inside);
        EXPECT_FALSE(point.isVoid);
        EXPECT_NEAR(point.height, double(heightAt(raster, at.x, at.y)), 1e-3);
    }
}

TEST(GroundPoint, SlopeAndAspectOfAPlane)
{
    Raster raster;
    raster.width = raster.height = 9;
    raster.pixelWidth = 10;
    raster.pixelHeight = 20;
    for (int y = 0; y < 9; ++y)
        for (int x = 0; x < 9; ++x)
            raster.heights.push_back(float(1000 + 5 * x + 10 * y));  // slopes down to the west and north by 1/2
    raster.minHeight = 1000;
    raster.maxHeight = 1120;
    const HeightField field = quantise(raster);
    for (const glm::dvec2 at : {glm::dvec2(0, 0), glm::dvec2(13, -41), glm::dvec2(-40, 80), glm::dvec2(40, 80)})
    {
        const GroundPoint point = groundPointAt(field, at.x, at.y);
        EXPECT_NEAR(point.slope, std::atan(std::sqrt(0.5)) * 180 / std::numbers::pi, 0.01);
        EXPECT_NEAR(point.aspect, 315, 0.01);
    }
    EXPECT_FALSE(groundPointAt(field, 41, 0).inside);
    EXPECT_EQ(groundPointAt(field, 41, 0).height, groundPointAt(field, 40, 0).height);
}

TEST(GroundPoint, TellsAVoid)
{
    Raster raster;
    raster.width = 3;
    raster.height = 2;
    raster.pixelWidth = raster.pixelHeight = 10;
    raster.heights = {1, 2, NAN, 4, 5, 6};
    raster.voids = 1;
    raster.minHeight = 1;
    raster.maxHeight = 6;
    const HeightField field = quantise(raster);
    EXPECT_TRUE(groundPointAt(field, 7, 2).isVoid);
    EXPECT_FALSE(groundPointAt(field, 7, -2).isVoid);
    EXPECT_FALSE(groundPointAt(field, 3, 2).isVoid);
}

// Compares with brute force: sums over all samples.
TEST(GroundProfile, IsWhatASumOverAllSamplesGives)
{
    test::Random random(2);
    for (int i = 0; i < 120; ++i)
    {
        const Raster raster = randomRaster(random, random.chance(1, 3));
        const HeightField field = quantise(raster);
        std::vector<glm::dvec3> points;
        for (int n = random.between(1, 6); n > 0; --n)
            points.push_back(placeIn(random, raster));
        const double spacing = 3 + 20 * random.unit();
        GroundProfile profile(points, spacing, straightLeg);
        int calls = 0;
        while (!profile.sample(heightsOf(field), std::size_t(random.between(1, 30))))
            ASSERT_LT(++calls, 10'000);
        EXPECT_EQ(profile.fraction(), 1);

        double along = 0, ground = 0, climb = 0, fall = 0, lowest = 1e9, highest = -1e9;
        std::size_t next = 0, leg = 0;
        for (std::size_t j = 0; j < profile.samples().size(); ++j)
        {
            const ProfileSample& sample = profile.samples()[j];
            const GroundPoint expected = groundPointAt(field, sample.place.x, sample.place.y);
            ASSERT_EQ(sample.height, expected.height);
            ASSERT_EQ(sample.isVoid, expected.isVoid);
            lowest = std::min(lowest, sample.height);
            highest = std::max(highest, sample.height);
            if (next < points.size() && sample.place == points[next])
            {
                ++next;
                if (next < points.size()) leg = j;
            }
            if (j == 0) continue;
            const ProfileSample& before = profile.samples()[j - 1];
            const double step = glm::distance(sample.place, before.place), rise = sample.height - before.height;
            ASSERT_LE(step, spacing + 1e-9);
            along += step;
            ASSERT_NEAR(sample.along, along, 1e-6);
            ground += std::sqrt(step * step + rise * rise);
            climb += std::max(rise, 0.0);
            fall += std::max(-rise, 0.0);
        }
        EXPECT_EQ(next, points.size()) << "each of the points is a sample";
        EXPECT_EQ(profile.lastLeg(), leg);
        const ProfileFigures& figures = profile.figures();
        EXPECT_NEAR(figures.horizontal, along, 1e-6);
        EXPECT_NEAR(figures.ground, ground, 1e-6);
        EXPECT_NEAR(figures.climb, climb, 1e-6);
        EXPECT_NEAR(figures.fall, fall, 1e-6);
        EXPECT_NEAR(figures.rise, climb - fall, 1e-6);
        EXPECT_EQ(figures.lowest, lowest);
        EXPECT_EQ(figures.highest, highest);
        EXPECT_NEAR(profile.figuresFrom(0).ground, ground, 1e-6);
    }
}

TEST(GroundProfile, ALineThatIsTooLongIsSampledMoreCoarsely)
{
    HeightField field;
    field.width = field.height = 2;
    field.pixelWidth = field.pixelHeight = 1e7;
    field.codes = {0, 100, 200, 300};
    GroundProfile profile({{-5e6, 0, 0}, {5e6, 0, 0}, {0, 4e6, 0}}, 1.0, straightLeg);
    EXPECT_GT(profile.spacing(), 10);
    EXPECT_TRUE(profile.sample(heightsOf(field), GroundProfile::kMostSamples));
    EXPECT_LE(profile.samples().size(), GroundProfile::kMostSamples);
    EXPECT_GT(profile.samples().size(), GroundProfile::kMostSamples / 2);
}

TEST(GroundProfile, FindsTheNearestSample)
{
    HeightField field;
    field.width = field.height = 2;
    field.pixelWidth = field.pixelHeight = 100;
    field.codes = {0, 10, 20, 30};
    GroundProfile profile({{-50, 0, 0}, {50, 0, 0}}, 10, straightLeg);
    profile.sample(heightsOf(field), 1'000);
    ASSERT_EQ(profile.samples().size(), 11u);
    EXPECT_EQ(profile.nearest(-5), 0u);
    EXPECT_EQ(profile.nearest(34.9), 3u);
    EXPECT_EQ(profile.nearest(35.1), 4u);
    EXPECT_EQ(profile.nearest(1e9), 10u);
    EXPECT_NEAR(profile.figures().rise, 10, 1e-3);
    ASSERT_EQ(profile.legs().size(), 1u);
    EXPECT_NEAR(profile.legs()[0].azimuth, 90, 1e-9);
    const std::vector<ProfileColumn> columns = {
        {"east_m", [](const ProfileSample& s) { return std::to_string(int(s.place.x)); }},
        {"row", [](const ProfileSample&) { return std::string("a"); }}};
    EXPECT_EQ(profileCsv(profile.samples(), columns).substr(0, 57),
              "distance_m,east_m,row,height_m,void\n0.000,-50,a,10.000,0\n");
}

}  // namespace
}  // namespace orogen
