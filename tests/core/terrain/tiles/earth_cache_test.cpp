// The tile cache over the whole Earth.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <set>
#include <thread>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/terrain/tiles/tile_cache.h"
#include "tests/support/earth_tiles.h"
#include "tests/support/faulty_tiles.h"
#include "tests/support/test_scale.h"
#include "tests/support/tile_fixtures.h"

namespace orogen {
namespace {

using namespace orogen::test;

constexpr std::uint64_t kEarthBudget = 200 * kTileBytes;

// Earth that is coarse everywhere and fine at a few places.
struct SparseEarth
{
    static constexpr int kLevels = 10, kEverywhere = 4;

    SparseEarth()
    {
        Random random(8);
        for (int i = 0; i < 4; ++i)
            insets.push_back(awkwardDirection(random));
        source = std::make_shared<EarthTiles>(kLevels, refinedAround(kLevels, kEverywhere, insets));
    }
    std::vector<glm::dvec3> insets;
    std::shared_ptr<EarthTiles> source;
};

bool resident(const TileCache& cache, const TileKey& key)
{
    return std::any_of(cache.active().begin(), cache.active().end(),
                       [&](const ActiveTile& tile) { return tile.key == key; });
}

TEST(TileCacheOnEarth, HoldsTheThreeCoarsestLevelsWhateverTheBudget)
{
    const SparseEarth earth;
    const auto cache = cacheOf(earth.source, 140 * kTileBytes);
    ASSERT_TRUE(cache);
    for (const std::uint64_t budget : {140 * kTileBytes, std::uint64_t(1)})
    {
        cache->setBudget(budget);
        EXPECT_GE(cache->slots(), 126);
        cache->update(earthView({7e6, 0, 0}, {1, 0, 0}), 8, 1);
        for (int level = 0; level < 3; ++level)
            for (int at = 0; at < 6 << (2 * level); ++at)
            {
                const int side = 1 << level;
                EXPECT_TRUE(resident(*cache, {9 - level, at % side, at / side % side, at / side / side}));
            }
    }
    EXPECT_TRUE(cacheOf(std::make_shared<EarthTiles>(2), 1));  // limited by the number of levels
}

TEST(TileCacheOnEarth, ShowsWhatIsNearAndAsksForNothingThatIsNotThere)
{
    const SparseEarth earth;
    const auto cache = cacheOf(earth.source, kEarthBudget);
    ASSERT_TRUE(cache);
    for (const glm::dvec3& n : earth.insets)
    {
        const TileView view =
            earthView(raised(n, earthHeight(n) + 2), glm::normalize(glm::dvec3(1, 2, 3) - normalAt(n)));
        ASSERT_TRUE(cache->settle(view, 600, [] {}));
        const FacePlace under = facePlaceOf(n);
        ASSERT_TRUE(resident(*cache, tileAt(earth.source->grid(), under, 0)));
        ASSERT_NEAR(cache->heightAt(under), earthHeight(n), 1);
        ASSERT_LE(cache->stats().residentBytes, kEarthBudget);
    }
    std::set<TileKey> asked;
    for (const TileKey& key : earth.source->asked())
    {
        ASSERT_TRUE(earth.source->exists(key)) << "level " << key.level;
        asked.insert(key);
    }
    EXPECT_GT(asked.size(), 150u);
}

// All levels are asked for in the first frame, and only the finest fades in.
TEST(TileCacheOnEarth, ShowsANewPlaceAfterOneFade)
{
    constexpr float kFade = 0.1f;
    constexpr int kMostUploads = 1000;
    const SparseEarth earth;
    const auto cache = cacheOf(earth.source, kEarthBudget);
    ASSERT_TRUE(cache);
    ASSERT_TRUE(cache->settle(earthView({2e7, 0, 0}, {-1, 0, 0}), 600, [] {}));
    const glm::dvec3& n = earth.insets.front();
    const TileView view = earthView(raised(n, earthHeight(n) + 2), -normalAt(n));
    cache->update(view, kMostUploads, kFade);
    const TileKey finest = tileAt(earth.source->grid(), facePlaceOf(n), 0);
    const auto asked = [&] {
        const std::vector<TileKey> keys = earth.source->asked();
        return std::find(keys.begin(), keys.end(), finest) != keys.end();
    };
    for (int i = 0; i < 6000 && !asked(); ++i)  // without another frame
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_TRUE(asked());
    for (int i = 0; i < 6000 && (i == 0 || cache->stats().missing > 0); ++i)
    {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        cache->update(view, kMostUploads, kFade);
    }
    ASSERT_EQ(cache->stats().missing, 0);
    int frames = 0;
    for (; frames < 200 && cache->stats().fading > 0; ++frames)
        cache->update(view, kMostUploads, kFade);
    EXPECT_LE(frames, 10);
}

TEST(TileCacheOnEarth, HeightsAreThoseOfTheSamplesOnEveryFace)
{
    const auto source = std::make_shared<EarthTiles>(3);
    const auto cache = cacheOf(source, 200 * kTileBytes);
    ASSERT_TRUE(cache);
    ASSERT_TRUE(cache->settle(earthView({7e6, 0, 0}, {1, 0, 0}), 600, [] {}));
    Random random(3);
    for (int i = 0; i < 3000; ++i)
    {
        const int last = kTileCells << 2;
        const FacePlace place = samplePlaceOnCube(source->grid(), random.between(0, 5), 0, random.between(0, last),
                                                  random.chance(1, 4) ? last : random.between(0, last));
        ASSERT_EQ(cache->heightAt(place), float(earthHeight(scaledDirection(place))));
    }
}

TEST(TileCacheOnEarth, StaysInItsBudgetAndIsConsistentWhereverTheCameraGoes)
{
    const SparseEarth earth;
    const auto cache = cacheOf(earth.source, kEarthBudget);
    ASSERT_TRUE(cache);
    Random random(12);
    std::map<int, TileKey> inSlot;
    // Counts evicted tiles instead of frames, so that a slow machine flies longer.
    while (cache->stats().evicted < scaled<std::uint64_t>(10, 5'000))
    {
        TileView view = randomEarthView(random);
        if (random.chance(1, 2))
        {
            const glm::dvec3 n = random.pick(earth.insets);
            view = earthView(raised(n, earthHeight(n) + 2 * std::pow(1e5, random.unit())), randomDirection(random));
        }
        for (int frame = 0; frame < 12; ++frame)
        {
            cache->update(view, 8, 0.4f);
            expectConsistent(*cache, inSlot);
            view.position += view.velocity / 60.0;
            if (cache->stats().loading > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
    EXPECT_EQ(cache->stats().failed, 0);
    for (const TileKey& key : earth.source->asked())
        ASSERT_TRUE(earth.source->exists(key)) << "level " << key.level;
}

// Gives one message for all failures, shows coarser ground meanwhile, and loads everything once it can be read again.
TEST(TileCacheOnEarth, ShowsAncestorsOfWhatCannotBeRead)
{
    const SparseEarth earth;
    const auto source = std::make_shared<FaultyTiles>(earth.source);
    double seconds = 0;
    const auto cache = std::move(*TileCache::create(source, kEarthBudget, 2, [&seconds] { return seconds; }));
    source->fail([](const TileWindow& window) {
        return window.level < 4 ? Status(Error{ExitCode::kInput, "earth.tif: is gone"}) : Status::ok();
    });
    const glm::dvec3 n = earth.insets[0];
    const TileView view = earthView(raised(n, earthHeight(n) + 2), -normalAt(n));
    const FacePlace under = facePlaceOf(n);
    while (cache->stats().failed == 0 || cache->levelAt(under) > 4)
    {
        cache->update(view, 8, 1);
        std::this_thread::yield();
    }
    EXPECT_EQ(cache->levelAt(under), 4);
    EXPECT_EQ(cache->takeMessages().size(), 1u);
    source->fail({});
    seconds = 100;
    ASSERT_TRUE(cache->settle(view, 600, [] {}));
    EXPECT_EQ(cache->levelAt(under), 0);
}

}  // namespace
}  // namespace orogen
