// Elevation models loaded in the background.
#include "app/session/terrain_loading.h"

#include <cstdint>

#include <gtest/gtest.h>

#include "app/session/filled_heights.h"
#include "tests/support/without_threads.h"

namespace orogen::app {
namespace {

TEST(TerrainLoading, LeavesWhatTheGpuGets)
{
    const Result<std::unique_ptr<TerrainLoading>> loading = startLoading("synthetic:64:3", {});
    ASSERT_TRUE(loading) << loading.error().message;
    const Result<LoadedTerrain> loaded = (*loading)->take();
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(loaded->raster.width, 64);
    EXPECT_EQ(loaded->field.width, 64);
    EXPECT_FALSE(loaded->bounds.heights.levels.empty());
    EXPECT_FALSE(loaded->bounds.errors.measured());  // they wait until they are needed
    EXPECT_GE((*loading)->progress().fraction(), 0.8);
}

// The overview has the extent of the whole; coarse tiles are there from the first frame.
TEST(TerrainLoading, OfTilesLeavesAnOverviewAndACacheWithinItsBudget)
{
    const auto loading = startLoading("synthetic:64:3", {}, {TerrainTiles::kAlways, 32});
    ASSERT_TRUE(loading) << loading.error().message;
    const Result<LoadedTerrain> loaded = (*loading)->take();
    ASSERT_TRUE(loaded) << loaded.error().message;
    ASSERT_TRUE(loaded->tiles && loaded->cache);
    EXPECT_EQ(loaded->raster.width, 64);
    EXPECT_LE(loaded->field.width, 64);
    EXPECT_NEAR((loaded->field.width - 1) * loaded->field.pixelWidth, loaded->raster.east(), 1e-6);
    EXPECT_TRUE(loaded->bounds.relief);
    EXPECT_FALSE(loaded->bounds.errors.measured()) << "tiles have errors of their own";
    EXPECT_EQ(loaded->cache->stats().budgetBytes, budgetBytes(32));
    const float tiled = loaded->cache->heightAt(0, 0);
    EXPECT_GE(tiled, loaded->raster.minHeight);
    EXPECT_LE(tiled, loaded->raster.maxHeight);
}

TEST(TerrainLoading, WhatCannotBeReadIsNamedInOneLine)
{
    const Result<std::unique_ptr<TerrainLoading>> loading = startLoading("none.tif", {});
    ASSERT_TRUE(loading);
    const Result<LoadedTerrain> loaded = (*loading)->take();
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().code, ExitCode::kInput);
    EXPECT_EQ(loaded.error().message, "none.tif: No such file or directory");
}

TEST(TerrainLoading, WithoutAThreadThereIsAnError)
{
    const test::WithoutThreads none;
    const Result<std::unique_ptr<TerrainLoading>> loading = startLoading("synthetic:64", {});
    ASSERT_FALSE(loading);
    EXPECT_EQ(loading.error().code, ExitCode::kLimit);
    EXPECT_TRUE(loading.error().message.starts_with("synthetic:64: no thread can be started"))
        << loading.error().message;
}

TEST(VoidFiller, WithoutAThreadTheProcessorIsFreeAgain)
{
    HeightField field;
    field.width = field.height = 2;
    field.codes = {0, 0, 0, 0};
    field.voidMask = {255, 0, 0, 0};
    VoidFiller session;
    {
        const test::WithoutThreads none;
        const Status status = session.fill(field);
        ASSERT_FALSE(status);
        EXPECT_EQ(status.error().code, ExitCode::kLimit);
    }
    EXPECT_FALSE(session.running());
    EXPECT_TRUE(session.fill(field));
}

}  // namespace
}  // namespace orogen::app
