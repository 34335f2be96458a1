// Plot of all panels: scales, labels, and the point that is read out.
#include "app/ui/plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "tests/app/ui_support.h"

namespace orogen::app {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(PlotScale, PlacesLinearAndLogarithmicValues)
{
    const PlotScale linear{-10, 30};
    EXPECT_DOUBLE_EQ(linear.place(-10), 0);
    EXPECT_DOUBLE_EQ(linear.place(0), 0.25);
    EXPECT_DOUBLE_EQ(linear.place(30), 1);
    EXPECT_DOUBLE_EQ(linear.place(70), 2);
    const PlotScale logarithmic{1e-3, 10, true};
    EXPECT_DOUBLE_EQ(logarithmic.place(1e-3), 0);
    EXPECT_NEAR(logarithmic.place(0.1), 0.5, 1e-12);
    EXPECT_DOUBLE_EQ(logarithmic.place(10), 1);
    EXPECT_TRUE(std::isnan(logarithmic.place(0)));
    EXPECT_TRUE(std::isnan(logarithmic.place(-1)));
    EXPECT_TRUE(std::isnan(linear.place(kNan)));
}

// The height that the plots of Measure and of a module's runs leave to their axis has room for three labels.
TEST(PlotScale, AnAxisOfALowPlotHasTwoLabelsOrMore)
{
    for (const double low : {703.0, 841.0, 990.0, 1'002.0})
        for (double room = 1; room < 400; room *= 1.07)
            EXPECT_GE((PlotScale{low, low + room}.ticks(3).size()), 2u) << low << " and " << room << " more";
    const PlotAxis axis{.logarithmic = true, .tight = true};
    for (double factor = 0.1; factor < 40; factor *= 1.03)
    {
        const double speedups[] = {factor, 1.1 * factor};
        EXPECT_GE(scaleOf(axis, speedups)->ticks(3).size(), 2u) << factor;
    }
}

TEST(PlotScale, ATightLogarithmicAxisEndsWithItsDataAndHasFinerLabels)
{
    const PlotAxis axis{.logarithmic = true, .tight = true};
    const double sizes[] = {125, 250, 2000}, one[] = {300};
    const auto scale = scaleOf(axis, sizes);
    ASSERT_TRUE(scale);
    EXPECT_NEAR(scale->low, 112, 1);
    EXPECT_NEAR(scale->high, 2234, 1);
    EXPECT_NEAR(scale->place(500), 0.5, 1e-12);
    EXPECT_EQ(scale->ticks(6), (std::vector<double>{200, 500, 1000, 2000}));
    EXPECT_EQ(scale->ticks(3), (std::vector<double>{300, 1000})) << "fewer where there is no room";
    const auto single = scaleOf(axis, one);
    ASSERT_TRUE(single);
    EXPECT_NEAR(single->place(300), 0.5, 1e-12);
    EXPECT_GE(single->ticks(5).size(), 2u);
}

TEST(PlotScale, LogarithmicLabelsArePowersOfTen)
{
    const PlotScale scale{1e-9, 1e3, true};
    EXPECT_EQ(scale.ticks(20).size(), 13u);
    for (int most = 2; most < 15; ++most)
    {
        const std::vector<double> ticks = scale.ticks(most);
        ASSERT_LE(ticks.size(), std::size_t(most));
        ASSERT_GE(ticks.size(), 2u);
        EXPECT_DOUBLE_EQ(ticks.front(), 1e-9);
        for (const double tick : ticks)
            EXPECT_NEAR(std::log10(tick), std::round(std::log10(tick)), 1e-9);
    }
}

TEST(PlotScaleOf, FollowsWhatCanBeDrawn)
{
    const PlotAxis linear{.name = "a"}, logarithmic{.name = "b", .logarithmic = true};
    const double values[] = {kNan, 3, -1, 0, 20, std::numeric_limits<double>::infinity()};
    const auto plain = scaleOf(linear, values);
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->low, -1);
    EXPECT_EQ(plain->high, 20);
    const auto decades = scaleOf(logarithmic, values);
    ASSERT_TRUE(decades);
    EXPECT_DOUBLE_EQ(decades->low, 1);
    EXPECT_DOUBLE_EQ(decades->high, 100);
    const double one[] = {10}, none[] = {kNan, 0, -4};
    EXPECT_LT(scaleOf(linear, one)->low, scaleOf(linear, one)->high);
    EXPECT_DOUBLE_EQ(scaleOf(logarithmic, one)->low, 10);
    EXPECT_DOUBLE_EQ(scaleOf(logarithmic, one)->high, 100);
    EXPECT_FALSE(scaleOf(logarithmic, none));
    EXPECT_FALSE(scaleOf(linear, {}));
    EXPECT_DOUBLE_EQ(scaleOf({.name = "c", .logarithmic = true, .low = 1e-10}, one)->low, 1e-10);
}

// ---- distinction of colours ----

// Linear red, green and blue.
using Light = std::array<double, 3>;

Light lightOf(const ImVec4& colour)
{
    const auto linear = [](float value) {
        return value <= 0.04045f ? value / 12.92 : std::pow((double(value) + 0.055) / 1.055, 2.4);
    };
    return {linear(colour.x), linear(colour.y), linear(colour.z)};
}

using Mixing = std::array<Light, 3>;
Light mixed(const Mixing& rows, const Light& light)
{
    Light out{};
    for (std::size_t i = 0; i < 3; ++i)
        out[i] = rows[i][0] * light[0] + rows[i][1] * light[1] + rows[i][2] * light[2];
    return out;
}

// Returns CIE L*a*b* under D65.
Light labOf(Light light)
{
    for (double& value : light)
        value = std::clamp(value, 0.0, 1.0);
    const Light xyz = mixed({{{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}}, light);
    const auto root = [](double value) { return value > 0.008856 ? std::cbrt(value) : 7.787 * value + 16.0 / 116; };
    const double x = root(xyz[0] / 0.9505), y = root(xyz[1]), z = root(xyz[2] / 1.089);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double distance(const Mixing& eyes, std::size_t a, std::size_t b)
{
    const Light one = labOf(mixed(eyes, lightOf(plotColour(a)))), other = labOf(mixed(eyes, lightOf(plotColour(b))));
    return std::hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
}

// Simulates the lack of red or green cones by Machado, Oliveira, Fernandes 2009, severity 1.
TEST(PlotColours, AreToldApartAlsoByColourBlindPeople)
{
    const Mixing all = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const Mixing noRed = {
        {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
    const Mixing noGreen = {
        {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
    for (std::size_t a = 0; a < kPlotColours; ++a)
        for (std::size_t b = 0; b < a; ++b)
        {
            EXPECT_GE(distance(all, a, b), 44) << a << ", " << b;
            EXPECT_GE(distance(noRed, a, b), 29) << a << ", " << b;
            EXPECT_GE(distance(noGreen, a, b), 29) << a << ", " << b;
        }
}

TEST(PlotColours, StandOutFromTheDarkGround)
{
    const auto luminance = [](const Light& light) {
        return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2] + 0.05;
    };
    const double ground = luminance(lightOf({0.065f, 0.069f, 0.074f, 1}));
    for (std::size_t i = 0; i < kPlotColours; ++i)
        EXPECT_GE(luminance(lightOf(plotColour(i))) / ground, 3) << i;
}

// Window with one plot, and the mouse at a place in it.
class PlotOnScreen : public PanelTest
{
protected:
    // Returns the read-out points of `plot` with the mouse at these fractions of its rectangle, from the lower left.
    std::vector<std::pair<std::size_t, std::size_t>> readOut(Plot plot, float right, float up)
    {
        std::vector<std::pair<std::size_t, std::size_t>> asked;
        plot.readOut = [&asked](std::size_t series, std::size_t point) {
            asked = {{series, point}};
            return std::string("here");
        };
        for (int frame = 0; frame < 3; ++frame)
        {
            const auto found = items_.find("Panel/" + plot.item);
            if (found)
                ImGui::GetIO().MousePos = {found->min.x + right * (found->max.x - found->min.x),
                                           found->max.y - up * (found->max.y - found->min.y)};
            asked.clear();
            drawFrame([&](const Panel& panel) { drawPlot(panel, plot); });
        }
        return asked;
    }
};

using Asked = std::vector<std::pair<std::size_t, std::size_t>>;

TEST_F(PlotOnScreen, ReadsOutThePointNextToTheMouse)
{
    Plot plot{.item = "figure", .height = 150, .x = {.name = "x"}, .y = {.name = "y"}};
    plot.series.resize(2);
    for (int i = 0; i <= 10; ++i)
    {
        plot.series[0].points.push_back({double(i), 1});
        plot.series[1].points.push_back({double(i), 9});
    }
    EXPECT_EQ(readOut(plot, 0.97f, 0.2f), (Asked{{0, 10}}));
    EXPECT_EQ(readOut(plot, 0.97f, 0.8f), (Asked{{1, 10}}));
    EXPECT_EQ(readOut(plot, 0.02f, 0.2f), (Asked{{0, 0}}));
    EXPECT_EQ(readOut(plot, 1.5f, 0.2f), Asked{}) << "the mouse is elsewhere";
}

// In a narrow column the text stands beside the plot; elsewhere below it.
TEST_F(PlotOnScreen, ItsReadOutHidesNoneOfThePlot)
{
    ImGui::GetIO().DisplaySize = {900, 600};
    const Plot plot{.item = "figure",
                    .height = 150,
                    .x = {.name = "x"},
                    .y = {.name = "y"},
                    .series = {{.name = "a rather long name of a series", .points = {{0, 1}, {5, 3}, {10, 2}}}}};
    for (const bool inColumn : {false, true})
    {
        state_.layout.left = inColumn ? PanelRect{{0, 0}, {300, 400}} : PanelRect{};
        readOut(plot, 0.5f, 0.5f);
        const ItemRect* item = items_.find("Panel/figure");
        ASSERT_NE(item, nullptr);
        const ImGuiWindow* tooltip = ImGui::FindWindowByName("##Tooltip_00");
        ASSERT_NE(tooltip, nullptr);
        const ImVec2 min = tooltip->Pos, max{tooltip->Pos.x + tooltip->Size.x, tooltip->Pos.y + tooltip->Size.y};
        EXPECT_TRUE(max.x <= item->min.x || min.x >= item->max.x || max.y <= item->min.y || min.y >= item->max.y)
            << min.x << ", " << min.y;
    }
}

TEST_F(PlotOnScreen, LeavesOutWhatCannotBeDrawn)
{
    Plot plot{.item = "figure", .height = 150, .x = {.name = "x"}, .y = {.name = "y", .logarithmic = true}};
    plot.series = {{.points = {{0, 5}, {1, 50}, {2, 0}, {3, kNan}}}};
    EXPECT_EQ(readOut(plot, 0.97f, 0.5f), (Asked{{0, 1}}));
    plot.series = {{.points = {{0, 0}, {1, -1}}}};
    EXPECT_EQ(readOut(plot, 0.5f, 0.5f), Asked{});
    plot.item = "never";
    plot.series = {{.points = {{0, 5}}}};
    EXPECT_EQ(readOut(plot, 0.5f, 0.5f), Asked{});
    EXPECT_FALSE(items_.find("Panel/never")) << "one point is no line";
    plot.series.front().dots = true;
    EXPECT_EQ(readOut(plot, 0.5f, 0.5f), (Asked{{0, 0}}));
}

}  // namespace
}  // namespace orogen::app
