#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "core/terrain/tiles/tile_cache.h"
#include "tests/support/tile_fixtures.h"

namespace orogen {
namespace {

using namespace orogen::test;

TEST(TileCache, SettlesToTheHeightsOfTheFinestLevel)
{
    const Raster raster = hills(700, 500);
    const auto cache = cacheOf(rasterTiles(raster));
    ASSERT_TRUE(cache);
    ASSERT_TRUE(cache->settle(viewFrom({0, 0, 600}), 60, [] {}));
    for (int y = 0; y < 500; y += 7)
        for (int x = 0; x < 700; x += 7)
            EXPECT_EQ(cache->heightAt((x - 349.5) * 10, (249.5 - y) * 10), raster.at(x, y));
}

// What update() leaves is what the GPU is told: slots below the number that the budget holds, each with one tile.
void expectConsistent(const TileCache& cache, std::map<int, TileKey>& inSlot)
{
    for (const TileUpload& upload : cache.uploads())
    {
        ASSERT_GE(upload.slot, 0);
        ASSERT_LT(upload.slot, cache.slots());
        inSlot[upload.slot] = upload.tile->key;
    }
    std::map<TileKey, float> weights;
    for (const ActiveTile& tile : cache.active())
    {
        ASSERT_EQ(inSlot[tile.slot], tile.key);
        const auto parent = weights.find(tile.key.parent());
        ASSERT_TRUE(parent == weights.end() || parent->second == 1.0f);
        weights[tile.key] = tile.weight;
    }
    const TileStats stats = cache.stats();
    ASSERT_LE(stats.residentBytes, stats.budgetBytes);
    ASSERT_LE(stats.resident, stats.capacity);
}

TEST(TileCache, StaysInItsBudgetOverAFlight)
{
    const auto cache = cacheOf(rasterTiles(hills(4000, 3000)), 60 * kTileBytes);
    ASSERT_TRUE(cache);
    std::map<int, TileKey> inSlot;
    for (int i = 0; i < 300; ++i)
    {
        cache->update(viewFrom({18000 * std::sin(i * 0.021), 14000 * std::cos(i * 0.033), 500}), 4, 0.1f);
        expectConsistent(*cache, inSlot);
    }
    EXPECT_TRUE(cache->settle(viewFrom({0, 0, 500}), 60, [&] { expectConsistent(*cache, inSlot); }));
    EXPECT_GT(cache->stats().evicted, 0u);
}

}  // namespace
}  // namespace orogen
