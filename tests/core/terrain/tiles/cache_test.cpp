#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <map>
#include <thread>

#include <gtest/gtest.h>

#include "core/terrain/sources/synthetic_tiles.h"
#include "core/terrain/tiles/tile_cache.h"
#include "tests/support/faulty_tiles.h"
#include "tests/support/random.h"
#include "tests/support/test_scale.h"
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

// Returns the resident memory of this process (bytes).
std::uint64_t residentMemory()
{
    std::ifstream file("/proc/self/statm");
    std::uint64_t pages = 0, resident = 0;
    file >> pages >> resident;
    return resident * 4096;
}

std::shared_ptr<const TileSource> largePlane() { return *openSyntheticTiles("synthetic:131072:3"); }

// Runs a frame that gives the threads time to load.
void frameWithLoads(TileCache& cache, const TileView& view, float fade = 0.2f)
{
    cache.update(view, 8, fade);
    if (cache.stats().loading > 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

// Random flight that turns, climbs, dives, and sometimes jumps elsewhere.
class RandomFlight
{
public:
    TileView next()
    {
        if (random_.chance(1, 200)) position_ = {within(120'000), within(120'000), 600};
        turn_ += 0.1 * (random_.unit() - 0.5);
        speed_ = std::clamp(speed_ * (0.9 + 0.2 * random_.unit()), 20.0, 4000.0);
        const glm::dvec3 velocity{-speed_ * std::sin(turn_), speed_ * std::cos(turn_), 0};
        position_ += velocity / 60.0;
        position_.z = std::clamp(position_.z * (0.97 + 0.06 * random_.unit()), 50.0, 20'000.0);
        TileView view = viewFrom(position_, 900);
        const float c = float(std::cos(turn_)), s = float(std::sin(turn_));
        for (glm::vec4& plane : view.planes)
            plane = glm::vec4(c * plane.x - s * plane.y, s * plane.x + c * plane.y, plane.z, plane.w);
        view.velocity = velocity;
        return view;
    }

private:
    double within(double side) { return (random_.unit() - 0.5) * 2 * side; }

    Random random_{9};
    glm::dvec3 position_{0, 0, 800};
    double turn_ = 0, speed_ = 300;
};

TEST(TileCache, StaysInItsBudgetAndInItsMemoryOverAFlight)
{
    constexpr std::uint64_t kBudget = 32'000'000;
    const auto cache = cacheOf(largePlane(), kBudget);
    ASSERT_TRUE(cache);
    std::map<int, TileKey> inSlot;
    RandomFlight flight;
    // Counts evicted tiles instead of frames, so that a slow machine flies longer.
    const std::uint64_t most = scaled(300, 200'000);
    std::uint64_t full = 0;
    while (cache->stats().evicted < most)
    {
        frameWithLoads(*cache, flight.next());
        expectConsistent(*cache, inSlot);
        ASSERT_LE(cache->stats().residentBytes, kBudget);
        if (full == 0 && cache->stats().evicted > most / 3) full = residentMemory();
    }
    // The allocator keeps some freed memory. Leaked tiles would be 30 MB in the shortest flight.
    constexpr double kAllocator = 8e6;
    EXPECT_LE(double(residentMemory()), 1.05 * double(full) + kAllocator);
    EXPECT_EQ(cache->stats().failed, 0);
}

// The reach depends on the view alone: the tiles in view fit, and a still view changes nothing.
TEST(TileCache, ShowsCoarserGroundWhereTheBudgetDoesNotHoldTheView)
{
    const auto cache = cacheOf(largePlane(), 60 * kTileBytes);
    ASSERT_TRUE(cache);
    const TileView view = viewFrom({0, 0, 900}, 900);
    ASSERT_TRUE(cache->settle(view, 600, [] {}));
    const TileStats stats = cache->stats();
    EXPECT_GT(stats.coarser, 1.2f);
    EXPECT_EQ(stats.missing, 0);
    EXPECT_FLOAT_EQ(float(cache->reach()), 900 * 2 / stats.coarser);
    const std::uint64_t loaded = stats.loaded;
    for (int i = 0; i < 100; ++i)
    {
        cache->update(view, 8, 0.1f);
        EXPECT_TRUE(cache->uploads().empty());
        EXPECT_EQ(cache->stats().coarser, stats.coarser);
    }
    EXPECT_EQ(cache->stats().loaded, loaded);
}

TEST(TileCache, FadesATileInOnceItsParentHasFadedIn)
{
    const auto cache = cacheOf(largePlane());
    ASSERT_TRUE(cache);
    std::map<TileKey, float> before;
    std::map<int, TileKey> inSlot;
    for (int i = 0; i < 400; ++i)
    {
        frameWithLoads(*cache, viewFrom({0, 0, 900}, 300), 0.005f);
        expectConsistent(*cache, inSlot);
        for (const ActiveTile& tile : cache->active())
        {
            ASSERT_LE(tile.weight, 1.0f);
            ASSERT_GE(tile.weight, before[tile.key]);
            before[tile.key] = tile.weight;
        }
    }
}

TEST(TileCache, AnotherBudgetKeepsWhatFits)
{
    const auto cache = cacheOf(largePlane(), 200 * kTileBytes);
    ASSERT_TRUE(cache);
    const TileView view = viewFrom({0, 0, 900}, 300);
    std::map<int, TileKey> inSlot;
    const auto upload = [&] { expectConsistent(*cache, inSlot); };
    ASSERT_TRUE(cache->settle(view, 600, upload));
    EXPECT_FALSE(cache->setBudget(200 * kTileBytes + 1));
    for (const int slots : {70, 300, 20, 150})
    {
        const int resident = cache->stats().resident;
        ASSERT_TRUE(cache->setBudget(std::uint64_t(slots) * kTileBytes));
        EXPECT_EQ(cache->slots(), slots);
        inSlot.clear();
        cache->update(view, 1, 1.0f);
        expectConsistent(*cache, inSlot);
        EXPECT_EQ(int(inSlot.size()), std::min(slots, resident));
        ASSERT_TRUE(cache->settle(view, 600, upload));
    }
}

TEST(TileCache, UploadsAgainAllThatIsThere)
{
    const auto cache = cacheOf(largePlane());
    ASSERT_TRUE(cache);
    const TileView view = viewFrom({0, 0, 900}, 300);
    ASSERT_TRUE(cache->settle(view, 600, [] {}));
    cache->uploadAgain();
    std::map<int, TileKey> inSlot;
    cache->update(view, 1, 1.0f);
    expectConsistent(*cache, inSlot);
    EXPECT_EQ(int(inSlot.size()), cache->stats().resident);
}

// If the source does not know deviations, they are measured from the children.
TEST(TileCache, MeasuresDeviationsThatTheSourceDoesNotKnow)
{
    const auto known = rasterTiles(hills(1000, 750));
    auto unknown = std::make_shared<FaultyTiles>(known);
    unknown->known = false;
    const auto cache = cacheOf(unknown);
    ASSERT_TRUE(cache);
    ASSERT_TRUE(cache->settle(viewFrom({0, 0, 900}), 600, [] {}));
    for (const ActiveTile& tile : cache->active())
    {
        const TileBounds exact = *known->bounds(tile.key);
        EXPECT_GE(tile.bounds.deviation, 0.999f * exact.deviation) << tile.key.level;
        EXPECT_LE(tile.bounds.deviation, 3.1f * exact.deviation + 1) << tile.key.level;
        EXPECT_LE(tile.bounds.lowest, exact.lowest);
        EXPECT_GE(tile.bounds.highest, exact.highest);
    }
}

TEST(TileCache, CountsWhatWasWantedAndThereAlready)
{
    const auto cache = cacheOf(largePlane());
    ASSERT_TRUE(cache);
    const TileView here = viewFrom({0, 0, 900}, 200), there = viewFrom({6000, 0, 900}, 200);
    ASSERT_TRUE(cache->settle(here, 600, [] {}));
    const TileStats first = cache->stats();
    EXPECT_LT(first.hits, first.requests);
    EXPECT_GE(first.loaded, std::uint64_t(first.resident));
    ASSERT_TRUE(cache->settle(there, 600, [] {}));
    ASSERT_TRUE(cache->settle(here, 600, [] {}));
    EXPECT_GT(cache->stats().hits, first.hits);
}

TEST(TileCache, TellsHowFarApartSamplesInViewAreAndAreToBe)
{
    const auto cache = cacheOf(largePlane());
    ASSERT_TRUE(cache);
    const TileView view = viewFrom({0, 0, 900}, 900);
    cache->update(view, 0, 1);  // nothing is read
    const TileStats coarse = cache->stats();
    EXPECT_EQ(coarse.samplesWanted, 2) << "those of the source";
    EXPECT_GT(coarse.missing, 0);
    EXPECT_GE(coarse.samplesShown, 2 * coarse.samplesWanted);
    ASSERT_TRUE(cache->settle(view, 600, [] {}));
    EXPECT_EQ(cache->stats().samplesWanted, 2);
    EXPECT_EQ(cache->stats().samplesShown, 2);
}

}  // namespace
}  // namespace orogen
