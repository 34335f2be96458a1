// Legends, and the offer to exaggerate flat terrain.
#include <cmath>

#include <gtest/gtest.h>

#include "app/ui/legend.h"
#include "app/ui/panels.h"
#include "core/gpu_layout.h"

namespace orogen::app {
namespace {

UiModel modelOf(double low, double high)
{
    UiModel model;
    model.terrain = TerrainInfo{};
    model.terrain->width = model.terrain->height = 1001;
    model.terrain->pixelWidth = model.terrain->pixelHeight = 30;
    model.terrain->minHeight = low;
    model.terrain->maxHeight = high;
    return model;
}

std::string textsOf(const Legend& legend)
{
    std::string texts;
    for (const LegendStop& stop : legend.stops)
        texts += (texts.empty() ? "" : " ") + stop.text;
    return texts;
}

TEST(Legend, EveryDataShadingHasOneAndSunlitGroundNone)
{
    UiModel model = modelOf(-40, 760);
    model.stats.work.leaves = 5000;
    model.stats.work.maxDepth = 19;
    EXPECT_FALSE(shadingLegend(model));
    const auto of = [&](Shading shading) {
        model.settings.render.shading = shading;
        const std::optional<Legend> legend = shadingLegend(model);
        return legend ? textsOf(*legend) : "none";
    };
    EXPECT_EQ(of(Shading::kNormals), "up north east south west");
    EXPECT_EQ(of(Shading::kSlope), "0 15 30 45 60+");
    EXPECT_EQ(of(Shading::kHypsometric), "-40 160 360 560 760");
    EXPECT_EQ(of(Shading::kLod), "12 13 14 15 16 17 18 19");
    EXPECT_EQ(of(Shading::kError), "1/16 1/4 1 4 16+");
    EXPECT_EQ(of(Shading::kDrainage), "0.0009 0.028 0.9 29 902");
    model.terrainModel.unavailable = "It is read in tiles.";
    EXPECT_EQ(of(Shading::kDrainage), "none");
    model.settings.terrain.heightScale = 3;
    EXPECT_EQ(of(Shading::kHypsometric), "-40 160 360 560 760") << "metres of the source";
    model.settings.render.shading = Shading::kSlope;
    EXPECT_EQ(shadingLegend(model)->stops[2].colour.x, gpu::kSlopeColours[2].x);
}

TEST(Legend, LabelsThatWouldCoverOthersAreLeftOut)
{
    const ImVec2 narrow[] = {{0, 20}, {30, 50}, {60, 80}};
    EXPECT_EQ(labelsThatFit(narrow, 4), std::vector<bool>({true, true, true}));
    const ImVec2 wide[] = {{0, 20}, {18, 40}, {38, 60}, {50, 90}};
    EXPECT_EQ(labelsThatFit(wide, 4), std::vector<bool>({true, false, false, true}));
}

// The shader has two ramps of five colours each, which meet at the shore.
TEST(Legend, OfTheEarthGoesFromTheFloorToTheSummitsWhateverTheHighestSample)
{
    UiModel model = modelOf(-10'000, 7'000);
    model.settings.world = World::kEarth;
    model.settings.render.shading = Shading::kHypsometric;
    const std::optional<Legend> legend = shadingLegend(model);
    ASSERT_TRUE(legend);
    ASSERT_EQ(legend->stops.size(), 10u);
    EXPECT_EQ(textsOf(*legend), "-8 -4.5 -2  0   1.9 3.7 6+");
    EXPECT_EQ(legend->stops[0].colour.z, gpu::kDepthColours[4].z);
    EXPECT_EQ(legend->stops[4].colour.z, gpu::kDepthColours[0].z);
    EXPECT_EQ(legend->stops[9].colour.z, gpu::kHeightColours[4].z);
    for (std::size_t i = 0; i < legend->stops.size(); ++i)
        EXPECT_EQ(legend->stops[i].last, i == 4) << i;
}

// Four classes of a QGIS style: ground below the first limit and above the last has a colour, too.
TEST(Legend, OfClassesShowsTheFirstAndTheLast)
{
    const glm::dvec3 blue(0, 0, 1), green(0, 1, 0), yellow(1, 1, 0), red(1, 0, 0);
    ColourRamp classes;
    classes.pieces = {{500, 900, green, green}, {900, 1300, yellow, yellow}};
    classes.below = blue;
    classes.above = red;
    UiModel model = modelOf(0, 2000);
    model.cover.ramp = std::make_shared<const ColourRamp>(classes);
    model.settings.render.shading = Shading::kHypsometric;
    const std::optional<Legend> legend = shadingLegend(model);
    ASSERT_TRUE(legend);
    const auto is = [&](const LegendStop& stop, const glm::dvec3& colour) {
        return stop.colour.x == float(colour.x) && stop.colour.y == float(colour.y) && stop.colour.z == float(colour.z);
    };
    EXPECT_TRUE(is(legend->stops.front(), blue));
    EXPECT_TRUE(is(legend->stops.back(), red));
    std::string labels;
    for (const LegendStop& stop : legend->stops)
        labels += stop.text.empty() ? "" : stop.text + " ";
    EXPECT_EQ(labels, "500 900 1300 ");
}

TEST(Legend, ContoursSayWhichIntervalIsInEffect)
{
    UiModel model = modelOf(0, 800);
    model.cover.contourInterval = 20;
    EXPECT_EQ(contourLegend(model), "");
    model.settings.render.contours = true;
    EXPECT_EQ(contourLegend(model), "contours every 20 m, numbered every 100 m");
    model.cover.contourInterval = 0.5;
    EXPECT_EQ(contourLegend(model), "contours every 0.5 m, numbered every 2.5 m");
}

// Each depth has a colour: even depths become lighter with depth, and so do odd ones; neighbours differ in hue.
TEST(Legend, DepthsHaveColoursThatShowTheirOrder)
{
    const auto light = [](const ImVec4& c) { return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z; };
    for (const auto& [world, deepest] : {std::pair(World::kPlane, 30), std::pair(World::kEarth, 58)})
        for (int depth = 4; depth <= deepest; ++depth)
        {
            const ImVec4 here = depthColour(depth, world), next = depthColour(depth + 1, world);
            EXPECT_GT(depth % 2 == 0 ? here.z - here.x : here.x - here.z, depth < 28 ? 0.02f : -0.1f) << depth;
            if (depth + 1 <= deepest)
            {
                EXPECT_GT(std::abs(here.x - next.x) + std::abs(here.z - next.z), 0.2f) << depth;
            }
            if (depth + 2 <= deepest)
            {
                EXPECT_GT(light(depthColour(depth + 2, world)), light(here) + 0.005f) << depth;
            }
        }
}

// The terrain is 30 km wide.
TEST(ReliefOffer, IsMadeForLowReliefOnly)
{
    const auto offered = [](double relief) { return exaggerationFor(*modelOf(100, 100 + relief).terrain).value_or(0); };
    EXPECT_EQ(offered(0), 0) << "level ground";
    EXPECT_EQ(offered(20), 10);
    EXPECT_EQ(offered(200), 5);
    EXPECT_EQ(offered(301), 3);
    EXPECT_EQ(offered(449), 3);
    EXPECT_EQ(offered(451), 0);
    EXPECT_EQ(offered(2000), 0);
}

}  // namespace
}  // namespace orogen::app
