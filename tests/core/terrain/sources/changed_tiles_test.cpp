// Terrains whose heights differ inside a window: heights at all levels, slopes, bounds, and the file written of them.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/terrain/import/import_job.h"
#include "core/terrain/import/import_run.h"
#include "core/terrain/sources/changed_tiles.h"
#include "core/terrain/sources/geotiff_tiles.h"
#include "core/terrain/sources/open_source.h"
#include "core/terrain/tiles/tile_cache.h"
#include "tests/support/random.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tile_fixtures.h"

namespace orogen {
namespace {

using namespace orogen::test;

// Differences by seed, 0 at sides inside the terrain.
std::vector<float> roughDifferences(const TileGrid& grid, const ChangeWindow& window, std::uint64_t seed,
                                    double most = 40)
{
    Random random(seed);
    const WindowFade fade(grid, window);
    std::vector<float> differences;
    for (int row = 0; row < window.height(); ++row)
        for (int column = 0; column < window.width(); ++column)
            differences.push_back(fade.at(column, row) * float(most * (random.unit() - 0.4)));
    return differences;
}

struct Case
{
    int width = 700, height = 500;
    int level = 0;
    double column = 200, row = 180;  // samples of the level
    int side = 150;
};

const Case kCases[] = {{700, 500, 0, 200, 180, 150},  // inside
                       {700, 500, 2, 90, 60, 50},     // inside, coarse
                       {700, 500, 1, 349, 249, 90},   // at the eastern and southern border, over the raster
                       {1025, 513, 3, 0, 0, 40},      // at the western and northern border
                       {300, 200, 1, 75, 50, 2048}};  // all of it

std::shared_ptr<const ChangedTiles> changed(const Case& of, std::shared_ptr<const TileSource> below)
{
    const TileGrid grid = below->grid();
    const ChangeWindow window = windowOf(grid, of.level, of.column, of.row, of.side);
    return ChangedTiles::over(std::move(below), window)
        ->with(roughDifferences(grid, window, 7), {0, 0, window.width(), window.height()});
}

// Returns the difference at a sample of level 0, bilinear in the window, by definition.
double expected(const ChangedTiles& source, int column, int row)
{
    const ChangeWindow& window = source.window();
    const auto at = [&](int x, int y) {
        x -= window.box.x0, y -= window.box.y0;
        if (x < 0 || y < 0 || x >= window.width() || y >= window.height()) return 0.0;
        return double(source.differences()[std::size_t(y) * std::size_t(window.width()) + std::size_t(x)]);
    };
    const int step = 1 << window.level, x = column / step, y = row / step;
    const double u = double(column % step) / step, v = double(row % step) / step;
    return (at(x, y) * (1 - u) + at(x + 1, y) * u) * (1 - v) + (at(x, y + 1) * (1 - u) + at(x + 1, y + 1) * u) * v;
}

TEST(ChangedTiles, AllLevelsHaveTheBilinearDifferenceAndNothingElse)
{
    for (const Case& of : kCases)
    {
        const Raster raster = hills(of.width, of.height);
        const auto source = changed(of, rasterTiles(raster));
        const auto reader = source->openReader();
        ASSERT_TRUE(reader);
        const IndexBox reach = reachOf(source->window(), {0, 0, source->window().width(), source->window().height()});
        std::size_t inside = 0;
        for (int level = 0; level < source->grid().levels(); ++level)
        {
            const TileWindow all{level, -3, -2, TileGrid::samplesOf(of.width, level) + 6,
                                 TileGrid::samplesOf(of.height, level) + 5};
            std::vector<float> heights(std::size_t(all.width) * std::size_t(all.height));
            ASSERT_TRUE((*reader)->read(all, heights));
            for (int i = 0; i < int(heights.size()); ++i)
            {
                const int x = std::clamp((all.column + i % all.width) * (1 << level), 0, of.width - 1);
                const int y = std::clamp((all.row + i / all.width) * (1 << level), 0, of.height - 1);
                const float below = raster.at(x, y), height = heights[std::size_t(i)];
                if (x < reach.x0 || x >= reach.x1 || y < reach.y0 || y >= reach.y1)
                    ASSERT_EQ(height, below) << level << ": " << x << ", " << y;
                else
                    ASSERT_NEAR(height, below + expected(*source, x, y), 1e-4) << level << ": " << x << ", " << y;
                inside += height != below;
            }
        }
        EXPECT_GT(inside, 1000u);
    }
}

TEST(ChangedTiles, FadesToNothingAtSidesInsideTheTerrain)
{
    const TileGrid grid(700, 500);
    const ChangeWindow window = windowOf(grid, 1, 200, 100, 64);
    EXPECT_EQ(window.box, (IndexBox{169, 69, 233, 133}));
    const WindowFade fade(grid, window);
    for (int i = 0; i < 64; ++i)
    {
        EXPECT_EQ(fade.at(0, i), 0) << i;
        EXPECT_EQ(fade.at(63, i), 0) << i;
        EXPECT_EQ(fade.at(i, 0), 0) << i;
        EXPECT_EQ(fade.at(i, 63), 0) << i;
        EXPECT_LT(std::fabs(fade.at(i, 32) - fade.at(std::max(i, 1) - 1, 32)), 0.2) << i;
    }
    EXPECT_EQ(fade.at(8, 32), 1);
    const WindowFade corner(grid, windowOf(grid, 0, 0, 499, 100));
    EXPECT_EQ(corner.at(0, 99), 1);
    EXPECT_EQ(corner.at(99, 50), 0);
    EXPECT_EQ(corner.at(50, 0), 0);
}

// Returns the height of a level's surface at a position in samples of level 0.
double surfaceAt(const std::vector<float>& samples, int width, int level, double x, double y)
{
    const double u = std::ldexp(x, -level), v = std::ldexp(y, -level);
    const int height = int(samples.size()) / width;
    const int c = std::min(int(u), width - 2), r = std::min(int(v), height - 2);
    const auto at = [&](int i, int j) {
        return double(samples[std::size_t(r + j) * std::size_t(width) + std::size_t(c + i)]);
    };
    return (at(0, 0) * (1 - u + c) + at(1, 0) * (u - c)) * (1 - v + r) +
           (at(0, 1) * (1 - u + c) + at(1, 1) * (u - c)) * (v - r);
}

// With the heights below, the range of the whole terrain is exact in a window of level 0, but for heights that the
// terrain had before.
void expectNarrowRange(const ChangedTiles& source, const std::vector<float>& finest)
{
    const ChangeWindow& window = source.window();
    std::vector<float> heights(window.samples());
    const auto below = source.below()->openReader();
    ASSERT_TRUE(below);
    ASSERT_TRUE((*below)->read({window.level, window.box.x0, window.box.y0, window.width(), window.height()}, heights));
    const auto narrow = source.with({source.differences().begin(), source.differences().end()},
                                    {0, 0, window.width(), window.height()}, heights);
    const auto [low, high] = std::ranges::minmax_element(finest);
    EXPECT_LE(narrow->raster().minHeight, *low);
    EXPECT_GE(narrow->raster().maxHeight, *high);
    EXPECT_GE(narrow->raster().minHeight, source.raster().minHeight);
    EXPECT_LE(narrow->raster().maxHeight, source.raster().maxHeight);
    if (window.level > 0) return;
    EXPECT_FLOAT_EQ(narrow->raster().minHeight, std::min(*low, source.below()->raster().minHeight));
    EXPECT_FLOAT_EQ(narrow->raster().maxHeight, std::max(*high, source.below()->raster().maxHeight));
}

// Bounds after a whole change, and after a change of a box.
TEST(ChangedTiles, BoundsContainBruteForce)
{
    for (const Case& of : kCases)
    {
        auto source = changed(of, rasterTiles(hills(of.width, of.height)));
        for (const bool again : {false, true})
        {
            const TileGrid grid = source->grid();
            if (again)
            {
                std::vector<float> others(source->differences().begin(), source->differences().end());
                const ChangeWindow& window = source->window();
                const IndexBox box{window.width() / 3, window.height() / 4, window.width() / 2, window.height() / 2};
                for (int y = box.y0; y < box.y1; ++y)
                    for (int x = box.x0; x < box.x1; ++x)
                        others[std::size_t(y) * std::size_t(window.width()) + std::size_t(x)] -= 90;
                source = source->with(others, box);
            }
            const auto reader = source->openReader();
            ASSERT_TRUE(reader);
            std::vector<float> finest(std::size_t(of.width) * std::size_t(of.height));
            ASSERT_TRUE((*reader)->read({0, 0, 0, of.width, of.height}, finest));
            EXPECT_LE(source->raster().minHeight, *std::ranges::min_element(finest));
            EXPECT_GE(source->raster().maxHeight, *std::ranges::max_element(finest));
            expectNarrowRange(*source, finest);
            for (int level = 0; level < grid.levels(); ++level)
            {
                const int width = TileGrid::samplesOf(of.width, level), height = TileGrid::samplesOf(of.height, level);
                std::vector<float> samples(std::size_t(width) * std::size_t(height));
                ASSERT_TRUE((*reader)->read({level, 0, 0, width, height}, samples));
                const int side = kTileCells << level;
                for (int tile = 0; tile < grid.columns(level) * grid.rows(level); ++tile)
                {
                    const TileKey key{level, tile % grid.columns(level), tile / grid.columns(level)};
                    const auto bounds = source->bounds(key);
                    ASSERT_TRUE(bounds);
                    double most = 0;
                    for (int y = key.y * side; y <= std::min((key.y + 1) * side, of.height - 1); ++y)
                        for (int x = key.x * side; x <= std::min((key.x + 1) * side, of.width - 1); ++x)
                        {
                            const float h = finest[std::size_t(y) * std::size_t(of.width) + std::size_t(x)];
                            ASSERT_GE(h, bounds->lowest) << level << ", tile " << tile;
                            ASSERT_LE(h, bounds->highest) << level << ", tile " << tile;
                            most = std::max(most, std::fabs(h - surfaceAt(samples, width, level, x, y)));
                        }
                    ASSERT_LE(most, double(bounds->deviation) + 1e-9) << level << ", tile " << tile;
                }
            }
        }
    }
}

TEST(ChangedTiles, SlopesFollowTheDifference)
{
    const Raster flat = [] {
        Raster raster = hills(600, 400);
        std::ranges::fill(raster.heights, 100.0f);
        return raster;
    }();
    const auto below = rasterTiles(flat);
    const ChangeWindow window = windowOf(below->grid(), 1, 150, 100, 120);
    const WindowFade fade(below->grid(), window);
    std::vector<float> differences;
    for (int row = 0; row < window.height(); ++row)
        for (int column = 0; column < window.width(); ++column)
            differences.push_back(fade.at(column, row) * float(3 * column - 2 * row));
    const auto source = ChangedTiles::over(below, window)->with(differences, {0, 0, 120, 120});
    const auto reader = source->openReader();
    ASSERT_TRUE(reader);
    std::vector<float> slopes(2);
    ASSERT_TRUE((*reader)->slopes({1, 150, 100, 1, 1}, slopes));
    EXPECT_NEAR(slopes[0], 3.0 / 20, 1e-5);  // samples are 20 m apart
    EXPECT_NEAR(slopes[1], 2.0 / 20, 1e-5);
    ASSERT_TRUE((*reader)->slopes({1, 20, 20, 1, 1}, slopes));
    EXPECT_EQ(slopes[0], 0);
    EXPECT_FALSE((*reader)->slopes({0, 300, 200, 1, 1}, slopes)) << "by differences of the heights, as below";
}

// A change over a changed source adds to it.
TEST(ChangedTiles, WindowsLieOverEachOther)
{
    const Raster raster = hills(700, 500);
    const auto first = changed(kCases[0], rasterTiles(raster)), second = changed(kCases[1], first);
    const auto reader = second->openReader();
    ASSERT_TRUE(reader);
    std::vector<float> heights(700 * 500);
    ASSERT_TRUE((*reader)->read({0, 0, 0, 700, 500}, heights));
    for (int i = 0; i < 700 * 500; i += 13)
        ASSERT_NEAR(heights[std::size_t(i)],
                    raster.heights[std::size_t(i)] + expected(*first, i % 700, i / 700) +
                        expected(*second, i % 700, i / 700),
                    2e-4);
}

TEST(ChangedTiles, AFileOfItHasItsHeights)
{
    const TemporaryFolder folder;
    const std::string path = folder / "changed.tif";
    Raster raster = hills(700, 500);
    raster.placement = Placement{.x = 500'000, .y = 4'000'000, .stepEast = 10, .stepSouth = 10};
    raster.crs = "EPSG:32611";
    const auto source = changed(kCases[1], rasterTiles(raster));
    const Result<ImportJob> job = importJob(*source, "", {}, "", ImportCompression::kDeflate);
    ASSERT_TRUE(job);
    ASSERT_TRUE(writeShard(*source, *job, {path}, 0, {}));
    ASSERT_TRUE(finishImport({path}, {}));
    const auto file = GeoTiffTiles::open(path, {});
    ASSERT_TRUE(file) << file.error().message;
    const auto written = (*file)->openReader(), shown = source->openReader();
    for (int level = 0; level < source->grid().levels(); ++level)
    {
        const TileWindow all{level, 0, 0, TileGrid::samplesOf(700, level), TileGrid::samplesOf(500, level)};
        std::vector<float> a(std::size_t(all.width) * std::size_t(all.height)), b(a.size());
        ASSERT_TRUE((*written)->read(all, a));
        ASSERT_TRUE((*shown)->read(all, b));
        EXPECT_TRUE(a == b) << level;
    }
    // The version tells heights apart, so that parts of another save are not gone on with.
    EXPECT_NE(*source->version(), *changed(kCases[0], rasterTiles(hills(700, 500)))->version());
}

}  // namespace
}  // namespace orogen
