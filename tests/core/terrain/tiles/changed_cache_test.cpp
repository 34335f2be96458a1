// A cache whose source changes: resident tiles are replaced together, without a hole or a mixture.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/terrain/sources/changed_tiles.h"
#include "core/terrain/tiles/tile_cache.h"
#include "tests/support/faulty_tiles.h"
#include "tests/support/random.h"
#include "tests/support/test_scale.h"
#include "tests/support/tile_fixtures.h"

namespace orogen {
namespace {

using namespace orogen::test;

constexpr IndexBox kEverywhere{-10'000, -10'000, 20'000, 20'000};

// Returns the terrain raised by `metres`, the same at all samples of all levels.
std::shared_ptr<const ChangedTiles> raised(std::shared_ptr<const TileSource> below, float metres)
{
    const TileGrid grid = below->grid();
    const ChangeWindow window = windowOf(grid, 0, 0, 0, kMostWindowSide);
    return ChangedTiles::over(std::move(below), window)
        ->with(std::vector<float>(window.samples(), metres), {0, 0, window.width(), window.height()});
}

// Returns a bump of `metres` in a window of a level.
std::shared_ptr<const ChangedTiles> bumped(std::shared_ptr<const TileSource> below, const ChangeWindow& window,
                                           float metres)
{
    const WindowFade fade(below->grid(), window);
    std::vector<float> differences;
    for (int row = 0; row < window.height(); ++row)
        for (int column = 0; column < window.width(); ++column)
            differences.push_back(metres * fade.at(column, row) * float(1 + (3 * column + 5 * row) % 7) / 7);
    return ChangedTiles::over(std::move(below), window)
        ->with(std::move(differences), {0, 0, window.width(), window.height()});
}

IndexBox reachOf(const ChangeWindow& window)
{
    return orogen::reachOf(window, {0, 0, window.width(), window.height()});
}

// Returns the codes as the GPU gets them.
std::vector<std::byte> imageOf(const TileErrors& errors)
{
    std::vector<std::byte> image(kErrorImageBytes);
    writeErrorImage(errors.own, image.data());
    return image;
}

class ChangedCache : public testing::Test
{
protected:
    void open(std::uint64_t budget, const Raster& raster)
    {
        raster_ = raster;
        source_ = std::make_shared<FaultyTiles>(rasterTiles(raster));
        Result<std::unique_ptr<TileCache>> cache =
            TileCache::create(source_, budget, 2, [this] { return seconds_.load(); });
        ASSERT_TRUE(cache);
        cache_ = std::move(*cache);
    }
    ~ChangedCache() override { cache_.reset(); }  // ends the threads that use objects of a test

    // Draws a frame, as the GPU sees it: slots, and the tiles in them.
    void frame(const TileView& view, int uploads = 4, float fade = 0.3f)
    {
        cache_->update(view, uploads, fade);
        take();
        seconds_ = seconds_ + 0.01;
        std::this_thread::yield();
    }
    void take()
    {
        for (const TileUpload& upload : cache_->uploads())
        {
            ASSERT_GE(upload.slot, 0);
            ASSERT_LT(upload.slot, cache_->slots());
            if (!upload.errorsAlone) slots_[upload.slot] = upload.tile;
            errors_[upload.slot] = upload.errors ? *upload.errors : upload.tile->errors;
        }
        for (const ActiveTile& active : cache_->active())
        {
            ASSERT_TRUE(slots_[active.slot]);
            ASSERT_EQ(slots_[active.slot]->key, active.key);
        }
    }
    // Returns by how much the drawn tiles are raised; empty: not all by the same.
    std::optional<double> raise()
    {
        std::optional<double> all;
        for (const ActiveTile& active : cache_->active())
        {
            const Tile& tile = *slots_[active.slot];
            for (const int at : {0, 64 * kTileSide + 50, 20 * kTileSide + 3})
            {
                const int step = 1 << tile.key.level;
                const int x = (tile.key.x * kTileCells + at % kTileSide) * step;
                const int y = (tile.key.y * kTileCells + at / kTileSide) * step;
                if (x >= raster_.width || y >= raster_.height) continue;
                const double by = double(tile.heights[std::size_t(at)]) - double(raster_.at(x, y));
                if (std::fabs(all.value_or(by) - by) > 1e-3) return std::nullopt;
                all = by;
            }
        }
        return all;
    }

    Raster raster_;
    std::shared_ptr<FaultyTiles> source_;
    std::unique_ptr<TileCache> cache_;
    std::map<int, std::shared_ptr<const Tile>> slots_;
    std::map<int, TileErrors> errors_;
    std::atomic<double> seconds_{0};
};

TEST_F(ChangedCache, ReplacesAllTilesInOneFrame)
{
    open(kSmallBudget, hills(1000, 750));
    const TileView view = viewFrom({0, -3700, 300}, 6000);
    ASSERT_TRUE(cache_->settle(view, 600, [this] { take(); }));
    ASSERT_EQ(raise(), 0.0);
    const std::size_t drawn = cache_->active().size();
    Gate gate;
    source_->fail([&gate](const TileWindow&) { return gate.pass(), Status::ok(); });
    cache_->change(raised(source_, 1000), kEverywhere);
    while (!gate.reached())
    {
        ASSERT_TRUE(cache_->changing());
        frame(view);
    }
    for (int i = 0; i < 100; ++i)
    {
        frame(view);
        ASSERT_EQ(raise(), 0.0) << "until all tiles are there";
        ASSERT_EQ(cache_->active().size(), drawn);
        ASSERT_TRUE(cache_->changing());
        ASSERT_FALSE(cache_->stats().settled());
    }
    gate.open();
    std::optional<double> before = 0.0;
    while (cache_->changing())
    {
        ASSERT_EQ(before, 0.0) << "heights change with the frame in which the change ends";
        frame(view);
        before = raise();
        ASSERT_EQ(cache_->active().size(), drawn);
    }
    EXPECT_EQ(before, 1000.0);
    EXPECT_NEAR(cache_->heightAt(0, 0), double(raster_.at(499, 374)) + 1000, 60);
    EXPECT_GE(cache_->highest(), raster_.maxHeight + 999);
    EXPECT_EQ(cache_->raster().maxHeight, cache_->highest());
}

// Another change during a change: what is shown goes from the first to the last.
TEST_F(ChangedCache, ALaterChangeTakesThePlaceOfOneNotShownYet)
{
    open(kSmallBudget, hills(1000, 750));
    const TileView view = viewFrom({0, -3700, 300}, 6000);
    ASSERT_TRUE(cache_->settle(view, 600, [this] { take(); }));
    std::atomic<int> reads{0};
    Gate gate;
    source_->fail([&](const TileWindow&) {
        if (++reads > 20) gate.pass();
        return Status::ok();
    });
    cache_->change(raised(source_, 500), kEverywhere);
    while (!gate.reached())
    {
        ASSERT_TRUE(cache_->changing());
        frame(view);
    }
    ASSERT_EQ(raise(), 0.0);
    cache_->change(raised(source_, 1000), kEverywhere);
    gate.open();
    while (cache_->changing())
    {
        ASSERT_EQ(raise(), 0.0);
        frame(view);
    }
    EXPECT_EQ(raise(), 1000.0);
}

using ChangedCacheThorough = ChangedCache;

// Tiles come and go in a small budget, while the terrain rises by 100 m again and again.
TEST_F(ChangedCacheThorough, ShowsOneSourceInEveryFrameOfAFlight)
{
    open(60 * kTileBytes, hills(2000, 1500));
    Random random(5);
    glm::dvec3 position{0, -3700, 300};
    double shown = 0, next = 0;
    int changes = 0;
    const int most = scaled(12, 2000);
    // However slow the loaders are, tiles have to leave for others.
    while (changes < most || cache_->changing() || cache_->stats().evicted <= 30)
    {
        if (random.chance(1, 20)) position = {18'000 * (random.unit() - 0.5), 14'000 * (random.unit() - 0.5), 300};
        if (!cache_->changing() && changes < most && random.chance(1, 12))
        {
            ++changes;
            shown = next;
            next = 100.0 * changes;
            cache_->change(raised(source_, float(next)), kEverywhere);
        }
        position.x += 20;
        frame(viewFrom(position));
        if (cache_->stats().loading > 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
        const std::optional<double> raised = raise();
        ASSERT_TRUE(raised) << "a mixture, after " << changes << " changes";
        ASSERT_NEAR(*raised, cache_->changing() ? shown : next, 1e-3);
        ASSERT_LE(cache_->stats().residentBytes, cache_->stats().budgetBytes);
    }
}

// A terrain with voids, changed in windows, has the tiles of one that was opened so.
TEST_F(ChangedCache, HasTheTilesOfACacheThatWasOpenedSo)
{
    Raster raster = hills(1000, 750);
    Random random(3);
    for (int y = 0; y < raster.height; ++y)
        for (int x = 0; x < raster.width; ++x)
            if ((x / 90 + y / 70) % 5 == 0 || random.chance(1, 500))
                raster.heights[std::size_t(y) * std::size_t(raster.width) + std::size_t(x)] = NAN;
    finishRaster(raster, "hills");
    open(kSmallBudget, raster);
    const TileView view = viewFrom({0, -3700, 300}, 6000);
    ASSERT_TRUE(cache_->settle(view, 600, [this] { take(); }));
    std::shared_ptr<const TileSource> below = source_;
    for (const ChangeWindow window :
         {windowOf(source_->grid(), 0, 300, 300, 200), windowOf(source_->grid(), 2, 150, 90, 120),
          windowOf(source_->grid(), 1, 430, 330, 100)})
    {
        const auto changed = bumped(below, window, 300);
        cache_->change(changed, reachOf(window));
        ASSERT_TRUE(cache_->settle(view, 600, [this] { take(); }));
        EXPECT_FALSE(cache_->changing());
        const auto fresh = cacheOf(changed);
        ASSERT_TRUE(fresh);
        std::map<TileKey, std::shared_ptr<const Tile>> tiles;
        std::map<TileKey, std::pair<TileErrors, TileBounds>> bounds;
        ASSERT_TRUE(fresh->settle(view, 600, [&] {
            for (const TileUpload& upload : fresh->uploads())
            {
                tiles[upload.tile->key] = upload.tile;
                bounds[upload.tile->key].first = upload.errors ? *upload.errors : upload.tile->errors;
            }
        }));
        for (const ActiveTile& active : fresh->active())
            bounds[active.key].second = active.bounds;
        ASSERT_EQ(cache_->active().size(), fresh->active().size());
        for (const ActiveTile& active : cache_->active())
        {
            const Tile &ours = *slots_[active.slot], &its = *tiles[active.key];
            EXPECT_TRUE(ours.heights == its.heights) << active.key.level;
            EXPECT_TRUE(ours.slopes == its.slopes) << active.key.level;
            EXPECT_TRUE(ours.roughness == its.roughness) << active.key.level;
            EXPECT_TRUE(imageOf(errors_[active.slot]) == imageOf(bounds[active.key].first)) << active.key.level;
            EXPECT_FLOAT_EQ(active.bounds.deviation, bounds[active.key].second.deviation) << active.key.level;
            EXPECT_FLOAT_EQ(active.bounds.lowest, bounds[active.key].second.lowest) << active.key.level;
            EXPECT_FLOAT_EQ(active.bounds.highest, bounds[active.key].second.highest) << active.key.level;
        }
        below = changed;
    }
}

// A tile that cannot be read holds the whole change back, also from tiles that come into view meanwhile.
TEST_F(ChangedCache, ShowsTheOldGroundWhileATileCannotBeRead)
{
    open(60 * kTileBytes, hills(1000, 750));
    const TileView far = viewFrom({0, -3700, 300}, 100), view = viewFrom({0, -3700, 300}, 6000);
    ASSERT_TRUE(cache_->settle(far, 600, [this] { take(); }));
    const std::size_t drawn = cache_->active().size();
    source_->fail([](const TileWindow& window) {
        const bool gone = window.level == 2 && window.column > 100;
        return gone ? Status(Error{ExitCode::kInput, "hills.tif: block 3 is cut off"}) : Status::ok();
    });
    cache_->change(raised(source_, 1000), kEverywhere);
    std::vector<std::string> messages;
    for (int tries = 0; tries < 500 || cache_->stats().failed == 0; ++tries)
    {
        frame(view);
        ASSERT_EQ(raise(), 0.0);
        ASSERT_GE(cache_->active().size(), drawn);
        for (std::string& message : cache_->takeMessages())
            messages.push_back(std::move(message));
    }
    EXPECT_TRUE(cache_->changing());
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_NE(messages[0].find("block 3"), std::string::npos);
    source_->fail({});
    while (cache_->changing())
        frame(view);
    EXPECT_EQ(raise(), 1000.0);
    ASSERT_TRUE(cache_->settle(view, 600, [this] { take(); }));
    EXPECT_EQ(raise(), 1000.0);
    EXPECT_GT(cache_->active().size(), drawn);
}

}  // namespace
}  // namespace orogen
