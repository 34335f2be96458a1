#include <algorithm>
#include <cmath>
#include <map>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/terrain/tiles/wanted_tiles.h"
#include "tests/support/random.h"
#include "tests/support/tile_fixtures.h"

namespace orogen {
namespace {

using namespace orogen::test;

TileGround smallGround()
{
    TileGround ground{TileGrid(5000, 3100), 10, 12, {0, 400, 0}};
    ground.residentLevel = 4;
    return ground;
}

TileView randomView(Random& random, const TileGround& ground)
{
    const auto within = [&](double extent) { return (random.unit() - 0.5) * 1.2 * extent; };
    TileView view = viewFrom({within(50'000), within(37'000), random.unit() * random.unit() * 9000}, 200);
    const double turn = 6.2831853 * random.unit();
    const float c = float(std::cos(turn)), s = float(std::sin(turn));
    for (glm::vec4& plane : view.planes)
        plane = glm::vec4(c * plane.x - s * plane.y, s * plane.x + c * plane.y, plane.z, plane.w);
    if (random.chance(1, 2)) view.velocity = {within(4000), within(4000), 0};
    (void)ground;
    return view;
}

std::map<TileKey, TileOrder> ordersOf(const std::vector<WantedTile>& wanted)
{
    std::map<TileKey, TileOrder> orders;
    for (const WantedTile& tile : wanted)
        orders[tile.key] = tile.order;
    return orders;
}

// Every tile with a point of the ground within reach and in the frustum must be wanted in view.
TEST(WantedTiles, AreAllThatHaveAPointInViewAndInReach)
{
    Random random(1);
    const TileGround ground = smallGround();
    for (int i = 0; i < 40; ++i)
    {
        const TileView view = randomView(random, ground);
        const double reach = 1500 * (1 + 3 * random.unit());
        const auto orders = ordersOf(wantedTiles(ground, view, reach));
        const double above = std::max(0.0, view.position.z - 400);
        for (int k = 0; k < 3000; ++k)
        {
            const double column = random.unit() * 4999, row = random.unit() * 3099;
            const glm::dvec3 point((column - 2499.5) * 10, (1549.5 - row) * 12, 400 * random.unit());
            const glm::dvec3 to = point - view.position;
            const double distance = std::sqrt(to.x * to.x + to.y * to.y + above * above);
            const bool seen = std::all_of(view.planes.begin(), view.planes.end(), [&](const glm::vec4& plane) {
                return glm::dot(glm::dvec3(plane), to) + double(plane.w) >= 0;
            });
            for (int level = 0; level < ground.grid.levels(); ++level)
            {
                const TileKey key{level, int(column / (128 << level)), int(row / (128 << level))};
                const auto found = orders.find(key);
                const bool reached = distance < std::ldexp(reach, level);
                const bool wanted = level >= ground.residentLevel || (seen && reached);
                const bool around = distance < kAroundShare * std::ldexp(reach, level);
                ASSERT_TRUE(found != orders.end() || (!wanted && !around)) << level;
                ASSERT_TRUE(!wanted || found->second <= TileOrder::kInView) << level;
            }
        }
    }
}

TEST(WantedTiles, LieWithinReachAndFollowTheirAncestors)
{
    Random random(2);
    const TileGround ground = smallGround();
    std::size_t ahead = 0;
    for (int i = 0; i < 100; ++i)
    {
        const TileView view = randomView(random, ground);
        const std::vector<WantedTile> wanted = wantedTiles(ground, view, 2000);
        std::map<TileKey, TileOrder> before;
        for (const WantedTile& tile : wanted)
        {
            const TileKey parent = tile.key.parent();
            ASSERT_TRUE(!ground.grid.has(parent) || before.contains(parent));
            EXPECT_TRUE(before.emplace(tile.key, tile.order).second);
            ahead += tile.order == TileOrder::kAhead;
            const bool inView = tile.order == TileOrder::kInView;
            EXPECT_TRUE(!inView || distanceOf(ground, tile.key, view) < std::ldexp(2000, tile.key.level));
        }
    }
    EXPECT_GT(ahead, 0u);
}

TEST(WantedTiles, GetCoarserNoMoreThanWhatIsInViewNeeds)
{
    Random random(3);
    const TileGround ground = smallGround();
    int shrunk = 0;
    for (int i = 0; i < 60; ++i)
    {
        const TileView view = randomView(random, ground);
        const std::size_t most = 40 + random.below(60);
        const int steps = coarserSteps(ground, view, 6000, most, 0);
        EXPECT_LE(countInView(ground, view, coarserReach(6000, steps), most), most);
        for (const int guess : {1, 40, 1000})
            EXPECT_EQ(coarserSteps(ground, view, 6000, most, guess), steps);
        if (steps == 0) continue;
        ++shrunk;
        EXPECT_GT(countInView(ground, view, coarserReach(6000, steps - 1), most), most);
    }
    EXPECT_GT(shrunk, 10);
}

}  // namespace
}  // namespace orogen
