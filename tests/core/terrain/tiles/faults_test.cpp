// Sources that are slow, damaged, or temporarily gone.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "core/terrain/tiles/tile_cache.h"
#include "core/terrain/tiles/tile_loader.h"
#include "tests/support/faulty_tiles.h"
#include "tests/support/tile_fixtures.h"

namespace orogen {
namespace {

using namespace orogen::test;

Error damaged(int block) { return {ExitCode::kInput, "hills.tif: block " + std::to_string(block) + " is cut off"}; }

// Terrain of 8 x 6 tiles at level 0, more than its cache holds.
class FaultyTerrain : public testing::Test
{
protected:
    void SetUp() override
    {
        source_ = std::make_shared<FaultyTiles>(rasterTiles(hills(1000, 750)));
        Result<std::unique_ptr<TileCache>> cache =
            TileCache::create(source_, 60 * kTileBytes, 2, [this] { return seconds_.load(); });
        ASSERT_TRUE(cache);
        cache_ = std::move(*cache);
    }
    // Draws frames, letting retry pauses pass, until nothing is missing or nothing changes.
    bool fly(int frames)
    {
        for (int i = 0; i < frames; ++i)
        {
            frame();
            if (cache_->stats().settled() && cache_->stats().wanted > 30) return true;
            std::this_thread::yield();
        }
        return false;
    }
    void frame()
    {
        cache_->update(view_, 4, 0.5f);
        seconds_ = seconds_ + 0.01;
        for (std::string& message : cache_->takeMessages())
            messages_.push_back(std::move(message));
        for (const ActiveTile& tile : cache_->active())
            ASSERT_TRUE(tile.key.level > 1 || ancestorsAreActive(tile.key));
    }
    bool ancestorsAreActive(const TileKey& key) const
    {
        const auto active = cache_->active();
        return std::any_of(active.begin(), active.end(),
                           [&](const ActiveTile& tile) { return tile.key == key.parent() && tile.weight == 1; });
    }
    int finest() const
    {
        const auto active = cache_->active();
        return int(std::count_if(active.begin(), active.end(), [](const ActiveTile& t) { return t.key.level == 0; }));
    }

    std::shared_ptr<FaultyTiles> source_;
    std::unique_ptr<TileCache> cache_;
    std::atomic<double> seconds_{0};
    TileView view_ = viewFrom({0, -3700, 300}, 6000);
    std::vector<std::string> messages_;
};

TEST_F(FaultyTerrain, AFrameWaitsForNoRead)
{
    Gate gate;
    source_->fail([&gate](const TileWindow&) { return gate.pass(), Status::ok(); });
    while (!gate.reached())
        frame();
    // A frame that waited would hang, since nothing is read meanwhile.
    const std::uint64_t loaded = cache_->stats().loaded;
    for (int i = 0; i < 500; ++i)
        frame();
    EXPECT_EQ(cache_->stats().loaded, loaded);
    EXPECT_EQ(finest(), 0);
    EXPECT_FALSE(cache_->active().empty());
    EXPECT_GT(cache_->stats().missing, 10);
    gate.open();
    EXPECT_TRUE(fly(1'000'000));
    cache_.reset();  // ends the threads that use objects of this test
}

TEST_F(FaultyTerrain, WhatCannotBeReadHasItsAncestorsAndOneMessageAndComesBack)
{
    source_->fail([](const TileWindow& window) {
        const bool gone = window.level == 0 && window.column > 300;
        return gone ? Status(damaged(window.column + 7 * window.row)) : Status::ok();
    });
    while (cache_->stats().failed < 5 || finest() < 5)
        frame();
    EXPECT_FALSE(cache_->stats().settled());
    ASSERT_EQ(messages_.size(), 1u);
    EXPECT_NE(messages_[0].find("hills.tif: block "), std::string::npos) << messages_[0];
    source_->fail({});
    EXPECT_TRUE(fly(1'000'000));
    EXPECT_EQ(cache_->stats().failed, 0);
    while (messages_.size() < 2)  // tiles around the view are read last
        frame();
    EXPECT_EQ(messages_[1], "hills.tif: can be read again");
}

TEST_F(FaultyTerrain, NoTileIsLostToADiskThatFailsNowAndThen)
{
    std::atomic<int> reads{0};
    source_->fail([&reads](const TileWindow&) {
        const int read = ++reads;
        return read % 3 == 0 ? Status(damaged(read)) : Status::ok();
    });
    EXPECT_TRUE(fly(1'000'000));
    // Each failure recovers; it may be reported again after a minute.
    EXPECT_LE(double(messages_.size()), 2 + 2 * std::floor(seconds_ / ReadFailures::kQuiet));
    EXPECT_GT(reads, 20);
    cache_.reset();  // ends the threads that use objects of this test
}

TEST_F(FaultyTerrain, SettlingGivesUpOnWhatFailsAgainAndAgain)
{
    source_->fail([](const TileWindow& window) { return window.level == 0 ? Status(damaged(1)) : Status::ok(); });
    std::atomic<bool> over{false};
    std::thread clock([this, &over] {
        while (!over)
        {
            seconds_ = seconds_ + 0.01;
            std::this_thread::yield();
        }
    });
    const bool settled = cache_->settle(view_, 1e6, [] {});  // bounded by the number of attempts
    over = true;
    clock.join();
    EXPECT_FALSE(settled);
    source_->fail({});
    seconds_ = seconds_ + 100;
    EXPECT_TRUE(cache_->settle(view_, 1e6, [] {}));
}

TEST_F(FaultyTerrain, WhatIsWantedNoLongerIsNotRead)
{
    Gate gate;
    std::mutex mutex;
    std::set<int> columns;
    source_->fail([&](const TileWindow& window) {
        gate.pass();
        const std::lock_guard lock(mutex);
        if (window.level == 0) columns.insert(window.column);
        return Status::ok();
    });
    view_ = viewFrom({-4900, -3700, 300}, 15);
    while (!gate.reached())
        frame();
    view_ = viewFrom({40'000, -3700, 300}, 15);  // too far away to request level 0
    for (int i = 0; i < 200; ++i)
        frame();
    gate.open();
    for (int i = 0; i < 2000; ++i)
        frame();
    cache_.reset();                 // ends the threads that use objects of this test
    EXPECT_LE(columns.size(), 2u);  // reads that were already running
}

TEST(ReadFailures, PauseTwiceAsLongAfterEachTry)
{
    ReadFailures failures;
    const TileKey key{0, 1, 2};
    double now = 0, pause = ReadFailures::kFirstPause;
    for (int i = 0; i < 10; ++i)
    {
        EXPECT_TRUE(failures.mayTry(key, now));
        failures.failed(key, "a.tif: gone", now);
        EXPECT_FALSE(failures.mayTry(key, now + 0.99 * pause));
        now += pause;
        pause = std::min(2 * pause, ReadFailures::kLongestPause);
    }
    EXPECT_EQ(failures.takeMessages().size(), 1u);
}

TEST(ReadFailures, AreForgottenBeforeTheyFillMemory)
{
    ReadFailures failures;
    for (int i = 0; i < int(ReadFailures::kMostKept) + 20; ++i)
        failures.failed({0, i, 0}, "a.tif: gone", i);
    EXPECT_FALSE(failures.has({0, 0, 0}));
    EXPECT_TRUE(failures.has({0, int(ReadFailures::kMostKept) + 19, 0}));
}

}  // namespace
}  // namespace orogen
