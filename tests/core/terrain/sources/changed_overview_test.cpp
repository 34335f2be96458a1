// The overview of a terrain that changes in a window: as one that is read from its tiles.
#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "core/terrain/sources/changed_tiles.h"
#include "core/terrain/tiles/overview.h"
#include "tests/support/random.h"
#include "tests/support/tile_fixtures.h"

namespace orogen {
namespace {

using namespace orogen::test;

// Returns a smooth hill of `metres`.
std::vector<float> hill(const ChangeWindow& window, const WindowFade& fade, float metres)
{
    std::vector<float> differences;
    for (int row = 0; row < window.height(); ++row)
        for (int column = 0; column < window.width(); ++column)
            differences.push_back(metres * fade.at(column, row) * std::sin(0.02f * float(column + row)));
    return differences;
}

TEST(ChangedOverview, IsThatOfTheChangedTiles)
{
    const auto below = rasterTiles(hills(2500, 1800));
    const ChangeWindow window = windowOf(below->grid(), 1, 600, 500, 400);
    const WindowFade fade(below->grid(), window);
    const IndexBox all{0, 0, window.width(), window.height()};
    const auto source = ChangedTiles::over(below, window);
    const HeightField opened = quantise(*readOverview(*below));
    ASSERT_LT(opened.width, 1100);
    const IndexBox box = overviewBox(opened, below->grid(), reachOf(window, all));
    EXPECT_LT(box.x1 - box.x0, 350);
    const auto first = source->with(hill(window, fade, 300), all);
    HeightField shown = changedOverview(opened, *first, opened, box);

    // A stroke: a box of the window.
    std::vector<float> differences(first->differences().begin(), first->differences().end());
    const IndexBox stroke{150, 100, 260, 220};
    for (int y = stroke.y0; y < stroke.y1; ++y)
        for (int x = stroke.x0; x < stroke.x1; ++x)
            differences[std::size_t(y) * std::size_t(window.width()) + std::size_t(x)] += 20;
    const auto second = first->with(differences, stroke);
    const IndexBox part = overviewBox(opened, below->grid(), reachOf(window, stroke));
    EXPECT_LT(part.x1 - part.x0, box.x1 - box.x0);
    const HeightField before = shown;
    shown = changedOverview(opened, *second, shown, part);
    EXPECT_EQ(shown.scale, before.scale);

    const HeightField read = quantise(*readOverview(*second));
    ASSERT_EQ(read.codes.size(), shown.codes.size());
    double most = 0;
    for (int y = 0; y < read.height; ++y)
        for (int x = 0; x < read.width; ++x)
        {
            const bool outside = x < box.x0 || x >= box.x1 || y < box.y0 || y >= box.y1;
            // The hill rises by up to 6 m a sample of the window.
            ASSERT_NEAR(shown.at(x, y), read.at(x, y), outside ? 0.05 : 12) << x << ", " << y;
            ASSERT_TRUE(!outside || std::fabs(shown.at(x, y) - opened.at(x, y)) < 0.05f) << x << ", " << y;
            most = std::max(most, std::fabs(double(shown.at(x, y)) - double(opened.at(x, y))));
        }
    EXPECT_GT(most, 250);
}

TEST(ChangedOverview, GetsOtherCodesForHeightsBeyondThem)
{
    const auto below = rasterTiles(hills(300, 200));
    const ChangeWindow window = windowOf(below->grid(), 0, 150, 100, 2048);
    const IndexBox all{0, 0, 300, 200};
    HeightField shown = quantise(*readOverview(*below));
    const HeightField opened = shown;
    auto source = ChangedTiles::over(below, window);
    for (const float metres : {10.0f, 3000.0f, -9000.0f})
    {
        source = source->with(std::vector<float>(window.samples(), metres), all);
        shown = changedOverview(opened, *source, shown, all);
        EXPECT_NEAR(shown.at(70, 80), opened.at(70, 80) + metres, 0.2);
        EXPECT_FALSE(shown.exact);
    }
}

TEST(ChangedOverview, LeavesOutLakesInTheBoxAlone)
{
    const auto below = rasterTiles(hills(300, 200));
    const ChangeWindow window = windowOf(below->grid(), 0, 100, 100, 80);
    HeightField opened = quantise(*readOverview(*below));
    opened.water = {{{100, 80, 90, 90, 95}, {120, 200, 30, 230, 60}}, 500, std::vector<std::uint8_t>(299 * 199, 255)};
    const WindowFade fade(below->grid(), window);
    const auto source = ChangedTiles::over(below, window)->with(hill(window, fade, 50), {0, 0, 80, 80});
    const IndexBox box = overviewBox(opened, below->grid(), reachOf(window, {0, 0, 80, 80}));
    const HeightField shown = changedOverview(opened, *source, opened, box);
    ASSERT_EQ(shown.water.bodies.size(), 1u);
    EXPECT_EQ(shown.water.bodies[0].level, 120);
    EXPECT_EQ(shown.water.mask.size(), opened.water.mask.size());
}

}  // namespace
}  // namespace orogen
