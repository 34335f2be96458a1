// Contour lines: choice of the interval, and the position of a line.
#include <cmath>

#include <gtest/gtest.h>

#include "core/terrain/raster/contours.h"

namespace orogen {
namespace {

TEST(Contours, IntervalsAreOneTwoAndFive)
{
    double last = 0;
    for (double metresPerPixel = 0.001; metresPerPixel < 1e4; metresPerPixel *= 1.07)
    {
        const double interval = contourInterval(0.3, metresPerPixel, 1e6);
        EXPECT_GE(interval, last);
        last = interval;
        const double mantissa = interval / std::pow(10.0, std::floor(std::log10(interval) + 1e-6));
        EXPECT_TRUE(std::abs(mantissa - 1) < 1e-6 || std::abs(mantissa - 2) < 1e-6 || std::abs(mantissa - 5) < 1e-6)
            << interval;
        const double apart = interval / 0.3 / metresPerPixel;  // pixels between lines
        if (interval > 0.1 && interval < 5000)
        {
            EXPECT_GE(apart, 25) << metresPerPixel;
            EXPECT_LE(apart, 66) << metresPerPixel;
        }
    }
    EXPECT_EQ(contourInterval(0.3, 1e9, 1e6), 5000);
    for (double relief = 1.01; relief < 9000; relief *= 1.07)
        EXPECT_GE(relief / contourInterval(0.3, 1e9, relief), kLeastLines) << relief;
    EXPECT_EQ(contourInterval(0.3, 1e9, 840), 50) << "low relief has lines, too";
    EXPECT_EQ(contourInterval(0.3, 1e9, 1000), 100) << "but no more than it takes";
    EXPECT_EQ(contourInterval(1e-9, 1, 1e6), 0.1);
}

TEST(Contours, AnIntervalStaysUntilAnotherFitsClearlyBetter)
{
    ContourChoice choice;
    double scale = 10;
    const double first = choice.choose(0.3, scale, 1e6);
    // Moving back and forth across a limit changes the interval once.
    while (contourInterval(0.3, scale, 1e6) == first)
        scale *= 1.01;
    int changes = 0;
    double before = first;
    for (int i = 0; i < 40; ++i)
    {
        const double now = choice.choose(0.3, scale * (i % 2 ? 1.1 : 0.9), 1e6);
        changes += now != before;
        before = now;
    }
    EXPECT_LE(changes, 1);
    EXPECT_GT(choice.choose(0.3, scale * 8, 1e6), first) << "but it follows";
    choice.forget();
    EXPECT_EQ(choice.choose(0.3, 10, 1e6), first);
}

TEST(Contours, ThePointOfAnIndexLineHasItsHeight)
{
    const auto ground = [](double east, double north) {
        return 400 + 120 * std::sin(east / 300) * std::cos(north / 410) + 0.05 * east;
    };
    int found = 0;
    for (int i = 0; i < 60; ++i)
    {
        const glm::dvec2 start(37.0 * i - 900, 53.0 * (i % 11) - 300);
        const auto point = nearestIndexContour(ground, start, 10, 5, 400);
        if (!point) continue;
        ++found;
        EXPECT_NEAR(ground(point->place.x, point->place.y), point->height, 0.21);
        EXPECT_NEAR(std::remainder(point->height, 50), 0, 1e-9);
        const double along = ground(point->place.x + point->along.x, point->place.y + point->along.y);
        EXPECT_NEAR(along, point->height, 0.3) << "the line runs along the slope";
    }
    EXPECT_GT(found, 40);
    EXPECT_FALSE(nearestIndexContour([](double, double) { return 7.0; }, {0, 0}, 10, 5, 400)) << "level ground";
}

TEST(Contours, TheMeanSlopeOfAnInclinedPlaneIsItsSlope)
{
    Raster raster;
    raster.width = 700;
    raster.height = 300;
    raster.pixelWidth = 10;
    raster.pixelHeight = 20;
    for (int y = 0; y < 300; ++y)
        for (int x = 0; x < 700; ++x)
            raster.heights.push_back(float(3 * x + 8 * y));
    raster.maxHeight = raster.heights.back();
    EXPECT_NEAR(meanSlope(quantise(raster)), std::hypot(0.3, 0.4), 1e-3);
}

}  // namespace
}  // namespace orogen
