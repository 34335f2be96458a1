// Tiles of the six faces: common borders and slopes.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/terrain/tiles/tile.h"
#include "tests/support/earth_tiles.h"

namespace orogen {
namespace {

using namespace orogen::test;

using TileMap = std::map<TileKey, std::shared_ptr<const Tile>>;

// Makes the tiles of a source's coarsest levels.
TileMap makeCoarse(const TileSource& source, int levels)
{
    TileMap tiles;
    const auto reader = std::move(*source.openReader());
    TileMaker maker(source);
    const int coarsest = source.grid().levels() - 1;
    for (int level = coarsest; level > coarsest - levels; --level)
        for (int at = 0; at < int(source.grid().tiles(level)); ++at)
        {
            const int side = 1 << (coarsest - level);
            const TileKey key{level, at % side, at / side % side, at / side / side};
            const auto parent = tiles.find(key.parent());
            tiles[key] = *maker.make(*reader, key, parent == tiles.end() ? nullptr : parent->second.get());
        }
    return tiles;
}

CubePoint cubePointOf(const TileGrid& grid, const TileKey& key, int column, int row)
{
    const int bits = cubeSampleBits(grid, key.level);
    return cubePoint({key.face, (key.x * kTileCells + column) << bits, (key.y * kTileCells + row) << bits});
}

using Place = std::tuple<int, int, int, int>;  // level, cube point

// Visits the samples on the border of every tile.
template <class Visit>
void forBorders(const TileGrid& grid, const TileMap& tiles, const Visit& visit)
{
    for (const auto& [key, tile] : tiles)
        for (int i = 0; i < 4 * kTileCells; ++i)
        {
            const int along = i % kTileCells, side = i / kTileCells;
            const int column = side == 0 ? along : side == 1 ? kTileCells : side == 2 ? kTileCells - along : 0;
            const int row = side == 0 ? 0 : side == 1 ? along : side == 2 ? kTileCells : kTileCells - along;
            const CubePoint p = cubePointOf(grid, key, column, row);
            visit(Place{key.level, p.x, p.y, p.z}, *tile, std::size_t(row * kTileSide + column));
        }
}

// Returns heights with voids in patches and scattered, as a function of the direction only.
double heightWithVoids(const glm::dvec3& n)
{
    const bool lake = std::sin(11 * n.x + 2) * std::sin(9 * n.y - 1) * std::sin(10 * n.z + 1) > 0.55;
    const bool gone = std::sin(9000 * n.x) * std::sin(8000 * n.y + 4000 * n.z) > 0.97;
    return lake || gone ? double(NAN) : earthHeight(n);
}

void expectParentsSamples(const Tile& tile, const TileMap& tiles)
{
    const auto parent = tiles.find(tile.key.parent());
    for (int r = 0; parent != tiles.end() && r < kTileSide; r += 2)
        for (int c = 0; c < kTileSide; c += 2)
        {
            const int column = (tile.key.x & 1) * kTileCells / 2 + c / 2;
            const int row = (tile.key.y & 1) * kTileCells / 2 + r / 2;
            ASSERT_EQ(tile.heights[std::size_t(r * kTileSide + c)],
                      parent->second->heights[std::size_t(row * kTileSide + column)]);
        }
}

TEST(TilesOnEarth, AgreeWhereTheyMeetOverAllEdgesAndCornersOfTheCubeAndWithTheirParents)
{
    const EarthTiles source(2, {}, heightWithVoids);
    const TileGrid grid = source.grid();
    const TileMap tiles = makeCoarse(source, 2);
    std::map<Place, std::pair<float, std::set<int>>> known;
    int voids = 0;
    forBorders(grid, tiles, [&](const Place& place, const Tile& tile, std::size_t sample) {
        const auto [at, fresh] = known.try_emplace(place, tile.heights[sample], std::set<int>());
        at->second.second.insert(tile.key.face);
        ASSERT_EQ(tile.heights[sample], at->second.first) << "level " << tile.key.level << ", face " << tile.key.face;
        voids += tile.voids > 0;
    });
    for (const auto& [key, tile] : tiles)
        expectParentsSamples(*tile, tiles);
    std::set<std::set<int>> edges, corners;
    for (const auto& [place, what] : known)
    {
        if (what.second.size() == 2) edges.insert(what.second);
        if (what.second.size() == 3) corners.insert(what.second);
    }
    EXPECT_EQ(edges.size(), 12u);
    EXPECT_EQ(corners.size(), 8u);
    EXPECT_GT(voids, 1000);
}

// A plane in space cuts the Earth in heights whose gradient is the tangential part of the plane's.
TEST(TilesOnEarth, HaveTheSlopesOfTheEllipsoid)
{
    const glm::dvec3 way(0.011, -0.007, 0.013);
    const EarthTiles source(7, {}, [&](const glm::dvec3& n) { return glm::dot(way, onEllipsoid(n)); });
    const TileGrid grid = source.grid();
    const auto reader = std::move(*source.openReader());
    std::vector<float> window(std::size_t(kTileReadSide) * kTileReadSide), out(std::size_t(2) * kTileSide * kTileSide);
    Random random(6);
    for (int i = 0; i < 40; ++i)
    {
        const int level = random.between(0, 3), last = (1 << (6 - level)) - 1;
        TileKey key{level, random.between(0, last), random.between(0, last), random.between(0, 5)};
        if (random.chance(1, 2)) key.x = random.chance(1, 2) ? 0 : last;
        if (random.chance(1, 2)) key.y = random.chance(1, 2) ? 0 : last;
        ASSERT_TRUE(reader->read(windowAround(key), window));
        cubeSlopes(grid, key, window, out);
        for (int k = 0; k < 60; ++k)
        {
            const int column = random.between(0, kTileCells), row = random.between(0, kTileCells);
            const FacePlace place =
                samplePlaceOnCube(grid, key.face, level, key.x * kTileCells + column, key.y * kTileCells + row);
            const auto at = [&](double x, double y) {
                return onEllipsoid(scaledDirection(FacePlace{place.face, place.at + glm::dvec2(x, y)}));
            };
            const glm::dvec3 up = normalAt(scaledDirection(place));
            const glm::dvec3 e1 = glm::normalize(at(1000, 0) - at(-1000, 0)), e2 = glm::cross(up, e1);
            const float* slope = out.data() + 2 * (row * kTileSide + column);
            ASSERT_NEAR(slope[0], glm::dot(way, e1), 2e-5) << "level " << level;
            ASSERT_NEAR(slope[1], glm::dot(way, e2), 2e-5) << "level " << level;
        }
    }
}

}  // namespace
}  // namespace orogen
