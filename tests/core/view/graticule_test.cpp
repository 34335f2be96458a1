#include "core/view/graticule.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "core/planet/ellipsoid.h"

namespace orogen {
namespace {

TEST(Graticule, StepsAreRoundInDegreesMinutesAndSecondsAndInMetres)
{
    EXPECT_EQ(gridStep(7, true), 5);
    EXPECT_EQ(gridStep(1, true), 1);
    EXPECT_DOUBLE_EQ(gridStep(0.4, true), 10.0 / 60);
    EXPECT_DOUBLE_EQ(gridStep(0.5, true), 0.5);
    EXPECT_DOUBLE_EQ(gridStep(1.0 / 3600, true), 1.0 / 3600);
    EXPECT_EQ(gridStep(7'300, false), 5'000);
    EXPECT_EQ(gridStep(2'000, false), 2'000);
    EXPECT_EQ(gridStep(1'999, false), 1'000);
}

TEST(Graticule, LabelsHaveAsManyPartsAsTheStepNeeds)
{
    EXPECT_EQ(gridDegrees(46, 1, true), "46° N");
    EXPECT_EQ(gridDegrees(-46.5, 0.5, true), "46° 30' S");
    EXPECT_EQ(gridDegrees(-0.5 / 60, 0.5 / 60, false), "0° 00' 30\" W");
    EXPECT_EQ(gridDegrees(0, 5, false), "0°");
    EXPECT_EQ(gridDegrees(7 + 59.0 / 60, 1.0 / 60, false), "7° 59' E");
}

TEST(Graticule, AViewOfTheEarthHasSomeLinesAndNotTooMany)
{
    for (const double latitude : {0.0, 47.0, 79.0, 89.0, -90.0})
        for (const double longitude : {0.0, 8.0, 179.9, -180.0})
            for (double height = 10; height < 2e7; height *= 3)
                for (const double pitch : {-90.0, -30.0, 0.0})
                {
                    const Camera camera{earthFixed({latitude, longitude, height}), 30, pitch, 60};
                    const GridRegion region = gridOnEarth(camera);
                    const auto lines = gridLines(
                        region, 8, [](double x, double y) { return std::optional(glm::dvec3(x, y, 0)); }, longitude,
                        latitude);
                    EXPECT_GE(lines.size(), 4u) << latitude << ' ' << longitude << ' ' << height << ' ' << pitch;
                    EXPECT_LE(lines.size(), 110u) << latitude << ' ' << longitude << ' ' << height << ' ' << pitch;
                    std::set<std::string> labels;
                    for (const GridLine& line : lines)
                    {
                        EXPECT_TRUE(labels.insert((line.meridian ? "m" : "p") + line.label).second) << line.label;
                        for (const glm::dvec3& point : line.points)
                            EXPECT_LE(std::abs(point.y), 90);
                    }
                }
}

TEST(Graticule, ALineIsInterruptedWhereThereIsNoTerrain)
{
    const GridRegion region{0, 0, 2, 2, 1, 1, false};
    const auto lines = gridLines(
        region, 10,
        [](double x, double y) { return std::abs(y - 1) < 0.25 ? std::nullopt : std::optional(glm::dvec3(x, y, 0)); },
        0, 0);
    // Three lines north, in two parts each, and the parallels at 0 and 2.
    EXPECT_EQ(lines.size(), 8u);
}

TEST(Graticule, ALineThatBeginsOutsideTheTerrainHasOneLabel)
{
    const GridRegion region{0, 0, 2, 2, 1, 1, false};
    const auto lines = gridLines(
        region, 10,
        [](double x, double y) {
            return y < 0.5 || std::abs(y - 1.4) < 0.05 ? std::nullopt : std::optional(glm::dvec3(x, y, 0));
        },
        0, 1);
    // Three lines north, in two parts each, and the parallels at 1 and 2.
    EXPECT_EQ(lines.size(), 8u);
    std::multiset<std::string> labels;
    for (const GridLine& line : lines)
    {
        if (line.label.empty()) continue;
        labels.insert(line.label);
        EXPECT_TRUE(!line.meridian || line.labelled.y == 1.0) << line.label;
    }
    EXPECT_EQ(labels, (std::multiset<std::string>{"0", "1 m east", "2 m east", "1 m north", "2 m north"}));
}

}  // namespace
}  // namespace orogen
