// Still water: bodies of flat cells against a flood fill, and their classification.
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "core/terrain/io/load_raster.h"
#include "core/terrain/raster/height_field.h"
#include "core/terrain/raster/raster.h"
#include "tests/support/places.h"
#include "tests/support/random.h"
#include "tests/support/test_scale.h"

namespace orogen {
namespace {

using test::Random;

Raster rasterOf(int width, int height, const std::function<float(int x, int y)>& heightOf, double pixel = 30)
{
    Raster raster;
    EXPECT_TRUE(allocateHeights(raster, std::uint64_t(width), std::uint64_t(height)));
    raster.pixelWidth = raster.pixelHeight = pixel;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            raster.heights[std::size_t(y) * std::size_t(width) + std::size_t(x)] = heightOf(x, y);
    finishRaster(raster, "made");
    return raster;
}

StillWater found(const Raster& raster, double step, const StillWaterRule& rule = {})
{
    Result<StillWater> water = findStillWater(raster, step, rule);
    EXPECT_TRUE(water);
    return water ? *water : StillWater{};
}

using Cell = std::pair<int, int>;  // column, row

bool isFlat(const Raster& r, Cell c)
{
    const auto [x, y] = c;
    if (x < 0 || y < 0 || x + 1 >= r.width || y + 1 >= r.height) return false;
    return r.at(x, y) == r.at(x + 1, y) && r.at(x, y) == r.at(x, y + 1) && r.at(x, y) == r.at(x + 1, y + 1);
}

// Applies the header's rule cell by cell.
bool isWater(const Raster& r, const std::set<Cell>& body, double step, const StillWaterRule& rule)
{
    const double area = r.pixelWidth * r.pixelHeight;
    if (body.size() < rule.leastCells || double(body.size()) * area < rule.leastArea) return false;
    const float level = r.at(body.begin()->first, body.begin()->second);
    double lower = 0, higher = 0, rise = 0;
    // A run of cells examines the surroundings of the whole run, so a sample counts once for each run that touches it.
    for (const Cell& c : body)
    {
        if (body.contains({c.first - 1, c.second})) continue;
        int end = c.first;
        while (body.contains({end + 1, c.second}))
            ++end;
        for (int y = c.second - 1; y <= c.second + 2; ++y)
            for (int x = c.first - 1; x <= end + 2; ++x)
            {
                if (x < 0 || y < 0 || x >= r.width || y >= r.height) continue;
                const double off = double(r.at(x, y)) - double(level);
                lower += off < 0;
                higher += off > 0;
                if (off > 0) rise += off;
            }
    }
    if (higher == 0) return false;
    const double spacing = std::sqrt(area);
    return lower <= rule.mostLowerShore * (lower + higher) && rise / higher >= rule.leastBank * step - 0.001 &&
           rise / higher <= rule.steepestBank * spacing;
}

std::vector<std::uint8_t> flooded(const Raster& r, double step, const StillWaterRule& rule, std::size_t& bodies)
{
    std::vector<std::uint8_t> mask(std::size_t(r.width - 1) * std::size_t(r.height - 1), 0);
    std::set<Cell> seen;
    bodies = 0;
    for (int y = 0; y + 1 < r.height; ++y)
        for (int x = 0; x + 1 < r.width; ++x)
        {
            if (!isFlat(r, {x, y}) || seen.contains({x, y})) continue;
            std::set<Cell> body;
            std::vector<Cell> todo = {{x, y}};
            while (!todo.empty())
            {
                const Cell c = todo.back();
                todo.pop_back();
                if (!isFlat(r, c) || !body.insert(c).second) continue;
                for (const Cell& d : {Cell(-1, 0), Cell(1, 0), Cell(0, -1), Cell(0, 1)})
                    todo.emplace_back(c.first + d.first, c.second + d.second);
            }
            seen.insert(body.begin(), body.end());
            if (!isWater(r, body, step, rule)) continue;
            ++bodies;
            for (const Cell& c : body)
                mask[std::size_t(c.second) * std::size_t(r.width - 1) + std::size_t(c.first)] = 255;
        }
    return mask;
}

TEST(StillWater, IsWhatAFloodFillFinds)
{
    Random random(7);
    std::size_t all = 0;
    for (int round = 0; round < test::scaled(60, 2000); ++round)
    {
        const int width = random.between(2, 70), height = random.between(2, 70), levels = random.between(2, 4);
        // Uses blocks of equal height, so that bodies touch at corners, wind and enclose each other; and a few voids.
        const int block = random.between(1, 6);
        std::vector<float> blocks(80 * 80);
        for (float& value : blocks)
            value = random.chance(1, 40) ? kVoid : float(3 * random.between(0, levels));
        const Raster raster = rasterOf(
            width, height, [&](int x, int y) { return blocks[std::size_t(y / block) * 80 + std::size_t(x / block)]; });
        const StillWaterRule rule{.leastCells = std::uint64_t(random.between(1, 12)),
                                  .leastArea = 900.0 * random.between(0, 12),
                                  .mostLowerShore = 0.25 * random.between(0, 4),
                                  .leastBank = 1.5,
                                  .steepestBank = random.chance(1, 2) ? 0.2 : 9.0};
        const double step = random.between(0, 2);
        std::size_t bodies = 0;
        const std::vector<std::uint8_t> expected = flooded(raster, step, rule, bodies);
        const StillWater water = found(raster, step, rule);
        ASSERT_EQ(water.bodies.size(), bodies) << "round " << round;
        all += bodies;
        if (bodies > 0)
        {
            ASSERT_EQ(water.mask, expected) << "round " << round;
        }
        std::uint64_t cells = 0;
        for (const std::uint8_t value : water.mask)
            cells += value == 255;
        EXPECT_EQ(water.cells, cells);
    }
    EXPECT_GT(all, 100u);
}

// Returns the height of a lake of 12 x 9 samples in rising land.
float lakeInAValley(int x, int y)
{
    const int dx = std::max({10 - x, x - 21, 0}), dy = std::max({10 - y, y - 18, 0});
    return 100.0f + 2.5f * float(dx) + 3.25f * float(dy);
}

TEST(StillWater, ALakeHasItsLevelAndItsRectangle)
{
    const StillWater water = found(rasterOf(40, 30, lakeInAValley), 0.25);
    ASSERT_EQ(water.bodies.size(), 1u);
    EXPECT_EQ(water.bodies[0], (WaterBody{100.0f, 10, 10, 20, 17}));
    EXPECT_EQ(water.cells, 11u * 8u);
}

TEST(StillWater, NeitherAPlainNorAStairNorAFilledVoidIsWater)
{
    EXPECT_TRUE(found(rasterOf(60, 60, [](int, int) { return 5.0f; }), 1).bodies.empty()) << "level from end to end";
    EXPECT_TRUE(found(rasterOf(60, 60, [](int x, int) { return float(x / 20); }), 1).bodies.empty())
        << "a stair of whole metres";
    EXPECT_TRUE(found(rasterOf(60, 60,
                               [](int x, int y) {
                                   return float(std::lround(0.0008 * ((x - 30) * (x - 30) + (y - 30) * (y - 30))));
                               }),
                      1)
                    .bodies.empty())
        << "the floor of a rounded hollow";
    const auto hole = [](float bottom) {
        return [bottom](int x, int y) {
            return x > 20 && x < 40 && y > 20 && y < 40 ? bottom : 900.0f + 3.0f * float((x * 7 + y * 13) % 11);
        };
    };
    EXPECT_TRUE(found(rasterOf(60, 60, hole(0)), 1).bodies.empty()) << "a void filled with 0";
    EXPECT_TRUE(found(rasterOf(60, 60, hole(-9999)), 1).bodies.empty()) << "a void filled with -9999";
    EXPECT_TRUE(found(rasterOf(60, 60, hole(kVoid)), 1).bodies.empty()) << "a void";
    EXPECT_FALSE(found(rasterOf(60, 60, hole(890)), 1).bodies.empty()) << "the same with water in it";
}

TEST(StillWater, APlainOfRoundedNoiseHasNone)
{
    Random random(3);
    for (const double noise : {0.1, 0.3, 0.6})
    {
        const Raster plain = rasterOf(300, 300, [&](int x, int y) {
            const double hills = 3 * std::sin(x * 0.05) * std::cos(y * 0.04);
            return float(std::round(50 + hills + noise * (random.unit() + random.unit() + random.unit() - 1.5)));
        });
        EXPECT_TRUE(found(plain, 1).bodies.empty()) << noise;
    }
}

// Norris Lake at 305 m, in a model with whole metres.
TEST(StillWater, TheShippedTerrainHasItsLake)
{
    const Result<Raster> raster = loadRaster(std::string(OROGEN_ROOT) + "/assets/heightmaps/jacksboro.tif");
    ASSERT_TRUE(raster);
    const StillWater water = found(*raster, 1);
    EXPECT_GT(water.bodies.size(), 5u);
    for (const WaterBody& body : water.bodies)
        EXPECT_NEAR(body.level, 308, 3.5);
}

TEST(StillWater, StopsWhenItIsAskedTo)
{
    const Result<StillWater> water = findStillWater(rasterOf(40, 30, lakeInAValley), 0.25, {}, [] { return false; });
    ASSERT_FALSE(water);
    EXPECT_EQ(water.error().code, ExitCode::kInterrupted);
}

}  // namespace
}  // namespace orogen
