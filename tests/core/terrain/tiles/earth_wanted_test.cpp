// Tiles that a camera on the Earth requests.
#include <algorithm>
#include <cmath>
#include <map>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/terrain/tiles/wanted_tiles.h"
#include "tests/support/earth_tiles.h"

namespace orogen {
namespace {

using namespace orogen::test;

constexpr int kLevels = 14;

TileGround earthGround(const EarthTiles& source)
{
    TileGround ground;
    ground.grid = source.grid();
    ground.pixelWidth = ground.pixelHeight = cubeSampleMetres(ground.grid, 0);
    ground.whole = {-kEarthGround, kEarthGround, 0};
    ground.residentLevel = ground.grid.levels() - 3;
    ground.refines = [&source](const TileKey& key) { return source.refines(key); };
    return ground;
}

std::map<TileKey, TileOrder> ordersOnEarth(const std::vector<WantedTile>& wanted)
{
    std::map<TileKey, TileOrder> orders;
    for (const WantedTile& tile : wanted)
        orders[tile.key] = tile.order;
    return orders;
}

// Returns whether ground below all terrain blocks the line of sight.
bool hidden(const glm::dvec3& from, const glm::dvec3& to)
{
    const glm::dvec3 axes(kEarthEquatorRadius - kEarthGround, kEarthEquatorRadius - kEarthGround,
                          kEarthPoleRadius - kEarthGround);
    const glm::dvec3 a = from / axes, b = (to - from) / axes;
    const double aa = glm::dot(b, b), ab = glm::dot(a, b), c = glm::dot(a, a) - 1, d = ab * ab - aa * c;
    if (d <= 0) return false;
    const double t = (-ab - std::sqrt(d)) / aa;
    return t > 0 && t < 1;
}

// Returns a place on the Earth, near the camera or far away.
glm::dvec3 placeAround(Random& random, const TileView& view)
{
    if (random.chance(1, 4)) return randomDirection(random);
    const glm::dvec3 under = scaledDirectionUnder(view.position);
    return glm::normalize(under + randomDirection(random) * std::pow(10.0, -6 * random.unit()));
}

bool isInside(const TileView& view, const glm::dvec3& to)
{
    return std::all_of(view.planes.begin(), view.planes.end(),
                       [&](const glm::vec4& plane) { return glm::dot(glm::dvec3(plane), to) + double(plane.w) >= 0; });
}

// Returns the distance as the shaders measure it.
double vertexDistance(const TileView& view, const glm::dvec3& n)
{
    const glm::dvec3 foot = onEllipsoid(scaledDirectionUnder(view.position));
    const double above = std::max(0.0, geodeticOf(view.position).height - double(kEarthGround));
    return std::hypot(glm::length(onEllipsoid(n) - foot), above);
}

TEST(WantedOnEarth, AreAllThatHaveAPointInViewAndInReach)
{
    Random random(1);
    const EarthTiles source(kLevels);
    const TileGround ground = earthGround(source);
    int seen = 0;
    for (int i = 0; i < 60; ++i)
    {
        const TileView view = randomEarthView(random);
        const double reach = ground.pixelWidth * view.pixelsPerRadian;
        const auto orders = ordersOnEarth(wantedTiles(ground, view, reach));
        for (int k = 0; k < 400; ++k)
        {
            const glm::dvec3 n = placeAround(random, view);
            const glm::dvec3 point = raised(n, double(kEarthGround) * (2 * random.unit() - 1));
            const double distance = vertexDistance(view, n);
            const bool visible = isInside(view, point - view.position) && !hidden(view.position, point);
            for (int level = 0; level < kLevels; ++level)
            {
                const auto found = orders.find(tileAt(ground.grid, facePlaceOf(n), level));
                const bool near = distance < kAroundShare * std::ldexp(reach, level);
                const bool wanted = level >= ground.residentLevel || (visible && distance < std::ldexp(reach, level));
                ASSERT_TRUE(found != orders.end() || (!wanted && !near)) << "level " << level << ", " << distance;
                ASSERT_TRUE(!wanted || found->second <= TileOrder::kInView) << "level " << level << ", " << distance;
                seen += wanted && level < ground.residentLevel;
            }
        }
    }
    EXPECT_GT(seen, 3000);
}

TEST(WantedOnEarth, LieWithinReachFollowTheirAncestorsAndExist)
{
    Random random(2);
    std::vector<glm::dvec3> insets;
    for (int i = 0; i < 30; ++i)
        insets.push_back(awkwardDirection(random));
    const EarthTiles source(kLevels, refinedAround(kLevels, 5, insets));
    const TileGround ground = earthGround(source);
    int ahead = 0, fine = 0;
    for (int i = 0; i < 100; ++i)
    {
        TileView view = randomEarthView(random);
        if (random.chance(1, 2))
        {
            const glm::dvec3 n = insets[random.below(30)];
            view = earthView(raised(n, earthHeight(n) + 2), glm::normalize(randomDirection(random) - normalAt(n)));
        }
        const double reach = ground.pixelWidth * view.pixelsPerRadian;
        std::map<TileKey, TileOrder> before;
        for (const WantedTile& tile : wantedTiles(ground, view, reach))
        {
            const TileKey parent = tile.key.parent();
            ASSERT_TRUE(!ground.grid.has(parent) || before.contains(parent));
            ASSERT_TRUE(!ground.grid.has(parent) || source.refines(parent));
            ASSERT_TRUE(before.emplace(tile.key, tile.order).second);
            const bool resident = tile.key.level >= ground.residentLevel;
            ASSERT_TRUE(resident || tile.order == TileOrder::kAhead ||
                        distanceOf(ground, tile.key, view) < std::ldexp(reach, tile.key.level));
            ahead += tile.order == TileOrder::kAhead;
            fine += tile.key.level == 0;
        }
        EXPECT_GE(before.size(), 126u);
    }
    EXPECT_GT(ahead, 10);
    EXPECT_GT(fine, 100);
}

// Every visible tile lies within the horizon.
TEST(WantedOnEarth, LieBeforeTheHorizonIfSeen)
{
    const EarthTiles source(7);
    const TileGround ground = earthGround(source);
    const CubeTiles tiles(ground);
    Random random(3);
    const double low = kEarthPoleRadius - double(kEarthGround), high = kEarthPoleRadius + double(kEarthGround);
    for (const double height : {2.0, 1e3, 1e5, 2e6, 2e7})
        for (int i = 0; i < 4; ++i)
        {
            const glm::dvec3 n = awkwardDirection(random);
            const CubeTiles::Camera camera(ground,
                                           earthView(raised(n, double(kEarthGround) + height), -normalAt(n), 1.55));
            CubeTiles::Camera flat = camera;
            flat.above = 0;
            const double horizon = std::acos(low / (high + height)) + std::acos(low / high);
            const double farthest = 2 * kEarthEquatorRadius * std::sin((horizon + 0.01) / 2);
            int seen = 0;
            for (int level = 0; level < 7; ++level)
                for (int at = 0; at < 6 << (12 - 2 * level); ++at)
                {
                    const int side = 1 << (6 - level);
                    const TileKey key{level, at % side, at / side % side, at / side / side};
                    const CubeTiles::Where where = tiles.where(key);
                    const double distance = tiles.distance(where, flat);
                    if (!tiles.sees(key, where, ground.whole, camera, tiles.distance(where, camera))) continue;
                    ASSERT_LT(distance, farthest) << height << " m, level " << level;
                    ++seen;
                }
            EXPECT_GE(seen, 7);
        }
}

// The walk visits only children of wanted tiles, a few per ring around the camera.
TEST(WantedOnEarth, CostAWalkOfBoundedLength)
{
    Random random(4);
    const EarthTiles source(18);
    TileGround ground = earthGround(source);
    std::size_t looked = 0, most = 0;
    ground.boundsOf = [&](const TileKey&) -> std::optional<TileBounds> { return ++looked, std::nullopt; };
    for (int i = 0; i < 60; ++i)
    {
        TileView view = randomEarthView(random);
        view.pixelsPerRadian = 900;
        looked = 0;
        const std::size_t wanted = wantedTiles(ground, view, ground.pixelWidth * 900).size();
        EXPECT_LE(looked, 4 * wanted);
        most = std::max(most, wanted);
    }
    EXPECT_LT(most, 6000u);
    EXPECT_GT(most, 1000u);
}

TEST(WantedOnEarth, GetCoarserNoMoreThanWhatIsInViewNeeds)
{
    Random random(5);
    const EarthTiles source(kLevels);
    const TileGround ground = earthGround(source);
    int shrunk = 0;
    for (int i = 0; i < 30; ++i)
    {
        const TileView view = randomEarthView(random);
        const double asked = ground.pixelWidth * view.pixelsPerRadian;
        const std::size_t most = 130 + random.below(100);
        const int steps = coarserSteps(ground, view, asked, most, int(random.below(60)));
        EXPECT_LE(countInView(ground, view, coarserReach(asked, steps), most), most);
        if (steps == 0) continue;
        ++shrunk;
        EXPECT_GT(countInView(ground, view, coarserReach(asked, steps - 1), most), most);
    }
    EXPECT_GT(shrunk, 5);
}

}  // namespace
}  // namespace orogen
