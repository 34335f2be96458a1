#include "compute/terrain_model/drainage.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace orogen::compute {
namespace {

struct Relief
{
    int width, height;
    std::vector<double> heights;
    std::vector<CellKind> kinds;

    DrainedRaster raster() const { return {heights, kinds, width, height, 30, 20}; }
    template <class Use>
    void forNeighbours(std::size_t cell, const Use& use) const
    {
        const int x = int(cell) % width, y = int(cell) / width;
        for (int v = std::max(y - 1, 0); v <= std::min(y + 1, height - 1); ++v)
            for (int u = std::max(x - 1, 0); u <= std::min(x + 1, width - 1); ++u)
                if (const auto j = std::size_t(v * width + u); j != cell && kinds[j] != CellKind::kOutside) use(j);
    }
};

// Random heights, of few values so that many are equal, with voids; border cells are outlets.
Relief reliefOf(int width, int height, unsigned seed, unsigned values)
{
    std::mt19937 random(seed);
    Relief relief{width, height, {}, std::vector<CellKind>(std::size_t(width * height), CellKind::kFree)};
    for (CellKind& kind : relief.kinds)
    {
        relief.heights.push_back(double(random() % values));
        if (random() % 40 == 0) kind = CellKind::kOutside;
    }
    const std::vector<CellKind> inner = relief.kinds;
    for (std::size_t i = 0; i < inner.size(); ++i)
    {
        const int x = int(i) % width, y = int(i) / width;
        if (inner[i] != CellKind::kFree) continue;
        bool edge = x == 0 || y == 0 || x == width - 1 || y == height - 1;
        for (int v = std::max(y - 1, 0); v <= std::min(y + 1, height - 1); ++v)
            for (int u = std::max(x - 1, 0); u <= std::min(x + 1, width - 1); ++u)
                edge = edge || inner[std::size_t(v * width + u)] == CellKind::kOutside;
        if (edge) relief.kinds[i] = CellKind::kFixed;
    }
    return relief;
}

// Water levels by Barnes' priority flood, from the outlets inwards.
std::vector<double> floodLevels(const Relief& relief)
{
    using Entry = std::pair<double, std::size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    std::vector<double> levels(relief.heights.size(), -1);
    for (std::size_t i = 0; i < levels.size(); ++i)
        if (relief.kinds[i] == CellKind::kFixed) queue.emplace(levels[i] = relief.heights[i], i);
    while (!queue.empty())
    {
        const auto [level, cell] = queue.top();
        queue.pop();
        relief.forNeighbours(cell, [&, at = level](std::size_t j) {
            if (levels[j] >= 0) return;
            levels[j] = std::max(at, relief.heights[j]);
            queue.emplace(levels[j], j);
        });
    }
    return levels;
}

void expectDrained(const Relief& relief, ThreadPool& pool)
{
    Drainage drainage;
    drainage.route(relief.raster(), pool);
    const auto receivers = drainage.receivers();
    const std::vector<double> levels = floodLevels(relief);
    std::vector<double> highest(levels.size(), -1);
    std::vector<std::uint32_t> through(levels.size(), 0);
    std::size_t outlets = 0, inside = 0;
    for (std::size_t i = 0; i < levels.size(); ++i)
        inside += relief.kinds[i] != CellKind::kOutside;
    ASSERT_EQ(drainage.order().size(), inside);
    for (const std::uint32_t cell : drainage.order())
    {
        const std::uint32_t to = receivers[cell];
        ASSERT_NE(relief.kinds[cell], CellKind::kOutside);
        ASSERT_EQ(to == cell, relief.kinds[cell] == CellKind::kFixed);
        ASSERT_EQ(highest[cell], -1) << "listed twice";
        ASSERT_TRUE(to == cell || highest[to] >= 0) << "before its receiver";
        highest[cell] = std::max(relief.heights[cell], to == cell ? -1.0 : highest[to]);
        ASSERT_EQ(highest[cell], levels[cell]) << cell;
        bool beside = to == cell;
        relief.forNeighbours(cell, [&](std::size_t j) { beside = beside || j == to; });
        ASSERT_TRUE(beside) << cell;
    }
    for (std::size_t k = drainage.order().size(); k-- > 0;)
    {
        const std::uint32_t cell = drainage.order()[k];
        ASSERT_EQ(++through[cell], drainage.cells()[cell]);
        if (receivers[cell] != cell)
            through[receivers[cell]] += through[cell];
        else
            outlets += through[cell];
    }
    EXPECT_EQ(outlets, inside);
}

TEST(Drainage, LeavesEveryDepressionOverItsLowestSill)
{
    ThreadPool pool(2);
    for (unsigned seed = 0; seed < 60; ++seed)
        expectDrained(reliefOf(3 + int(seed) % 37, 3 + int(seed * 7) % 29, seed, seed % 3 == 0 ? 5 : 1000), pool);
    expectDrained(reliefOf(300, 200, 77, 100000), pool);
}

TEST(Drainage, FollowsTheSteepestDescent)
{
    ThreadPool pool(1);
    // A plane that falls by 3 m a cell to the east and 1 m to the south: slopes 3/30, 1/20 and, diagonally, 4/36.06.
    Relief relief{6, 6, {}, std::vector<CellKind>(36, CellKind::kFree)};
    for (int i = 0; i < 36; ++i)
    {
        relief.heights.push_back(100.0 - 3 * (i % 6) - i / 6);
        if (i % 6 == 0 || i % 6 == 5 || i / 6 == 0 || i / 6 == 5) relief.kinds[std::size_t(i)] = CellKind::kFixed;
    }
    Drainage drainage;
    drainage.route(relief.raster(), pool);
    EXPECT_EQ(drainage.depressions(), 0u);
    EXPECT_EQ(drainage.receivers()[7], 14u);
    EXPECT_DOUBLE_EQ(drainage.distance(7), std::hypot(30, 20));
    relief.heights[8] = 90;  // steeper to the east
    drainage.route(relief.raster(), pool);
    EXPECT_EQ(drainage.receivers()[7], 8u);
    EXPECT_DOUBLE_EQ(drainage.distance(7), 30);
}

TEST(Drainage, DoesNotDependOnThreads)
{
    const Relief relief = reliefOf(257, 190, 3, 50);
    Drainage one, three;
    ThreadPool single(1), several(3);
    one.route(relief.raster(), single);
    three.route(relief.raster(), several);
    EXPECT_TRUE(std::ranges::equal(one.receivers(), three.receivers()));
    EXPECT_TRUE(std::ranges::equal(one.order(), three.order()));
}

}  // namespace
}  // namespace orogen::compute
