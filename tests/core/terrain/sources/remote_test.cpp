// Terrain on a web server: bytes fetched, and recovery from server failures.
#include <cstdlib>
#include <optional>

#include <gtest/gtest.h>

#include "core/terrain/io/gdal_reader.h"
#include "core/terrain/sources/open_source.h"
#include "tests/support/file_server.h"
#include "tests/support/tiff_pyramids.h"

namespace orogen {
namespace {

// Short timeouts, set as a user would. They must be set before any test makes GDAL read its defaults, which it keeps.
[[maybe_unused]] const bool kImpatient =
    ::setenv("GDAL_HTTP_TIMEOUT", "1", 1) == 0 && ::setenv("GDAL_HTTP_MAX_RETRY", "0", 1) == 0;

class RemoteTerrain : public testing::Test
{
protected:
    void SetUp() override
    {
        if (!hasGdal()) GTEST_SKIP() << "built without GDAL";
        server_.emplace(folder_);
        ASSERT_TRUE(server_->running());
    }
    std::shared_ptr<const TileSource> open(const test::TiffPyramid& how)
    {
        test::writeTiff(folder_ / "www/dem.tif", how);
        const auto opened = openTerrain("/vsicurl/" + server_->url("dem.tif"), {}, TerrainTiles::kAuto);
        EXPECT_TRUE(opened) << opened.error().message;
        return opened ? opened->tiles : nullptr;
    }
    test::TemporaryFolder folder_;
    std::optional<test::FileServer> server_;
};

// Returns heights that hardly compress, so that file sizes match those of the samples.
double rough(int x, int y) { return double((x * 7919 + y * 104729 + x * y * 31) % 4001); }

TEST_F(RemoteTerrain, AViewFetchesAtMostThreeTimesItsTiles)
{
    const auto tiles = open({.width = 1200, .height = 1200, .tile = 256, .overviews = 4, .height_ = rough});
    ASSERT_TRUE(tiles);
    EXPECT_TRUE(tiles->remote());
    const auto reader = tiles->openReader();
    ASSERT_TRUE(reader);
    const std::uint64_t before = server_->bytesSent(), counted = (*reader)->bytesRead();
    // Zooms to a place in the middle: 4 x 4 tiles of every level around it.
    std::uint64_t tileBytes = 0;
    std::vector<float> heights(kTileReadSide * kTileReadSide);
    for (int level = tiles->grid().levels() - 1; level >= 0; --level)
        for (int y = 0; y < tiles->grid().rows(level); ++y)
            for (int x = 0; x < tiles->grid().columns(level); ++x)
            {
                const int cx = (600 >> level) / kTileCells, cy = (700 >> level) / kTileCells;
                if (std::abs(x - cx) > 2 || std::abs(y - cy) > 2) continue;
                const Status status = (*reader)->read(
                    {level, x * kTileCells - kTileApron, y * kTileCells - kTileApron, kTileReadSide, kTileReadSide},
                    heights);
                ASSERT_TRUE(status) << status.error().message;
                tileBytes += kTileCells * kTileCells * 2;
            }
    const std::uint64_t sent = server_->bytesSent() - before;
    EXPECT_GT(sent, 0u);
    EXPECT_LE(sent, 3 * tileBytes) << "of " << tileBytes;
    EXPECT_GT((*reader)->bytesRead() - counted, sent / 2);
    RecordProperty("sent", std::to_string(sent));
    RecordProperty("tiles", std::to_string(tileBytes));
}

using RemoteTerrainThorough = RemoteTerrain;

TEST_F(RemoteTerrainThorough, AServerThatFailsIsOneLineAndReadAgainWhenItIsWell)
{
    const auto tiles = open({.width = 1024, .height = 1024, .tile = 128, .overviews = 3, .height_ = rough});
    ASSERT_TRUE(tiles);
    const auto reader = tiles->openReader();
    ASSERT_TRUE(reader);
    std::vector<float> heights(100 * 100);
    int column = 0;
    testing::internal::CaptureStderr();
    for (const std::string how : {"500", "404", "html", "slow"})
    {
        SCOPED_TRACE(how);
        column += 200;
        const TileWindow window{0, column, column, 100, 100};
        server_->misbehave(how);
        const Status status = (*reader)->read(window, heights);
        ASSERT_FALSE(status);
        EXPECT_EQ(status.error().code, ExitCode::kInput);
        EXPECT_EQ(status.error().message.find('\n'), std::string::npos);
        EXPECT_TRUE(status.error().message.starts_with(tiles->raster().name + ": ")) << status.error().message;
        EXPECT_FALSE((*reader)->read(window, heights));
        server_->behave(how);
        const Status again = (*reader)->read(window, heights);
        ASSERT_TRUE(again) << again.error().message;
        EXPECT_EQ(heights[203], float(rough(column + 3, column + 2)));
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(RemoteTerrain, AFileThatIsCutOnTheServerIsOneLineAndReadAgainWhenItIsWhole)
{
    const auto tiles = open({.width = 1024, .height = 1024, .tile = 128, .overviews = 3, .height_ = rough});
    ASSERT_TRUE(tiles);
    const auto reader = tiles->openReader();
    const std::string whole = folder_.read("www/dem.tif");
    folder_.write("www/dem.tif", std::string_view(whole).substr(0, whole.size() / 8));
    std::vector<float> heights(100 * 100);
    const TileWindow window{0, 750, 750, 100, 100};
    const Status status = (*reader)->read(window, heights);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().message.find('\n'), std::string::npos);
    folder_.write("www/dem.tif", whole);
    const Status again = (*reader)->read(window, heights);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(heights[203], float(rough(753, 752)));
}

TEST_F(RemoteTerrain, WhatIsNotThereIsOneLine)
{
    testing::internal::CaptureStderr();
    for (const char* const name : {"none.tif", "page.html"})
    {
        const auto opened = openTerrain("/vsicurl/" + server_->url(name), {}, TerrainTiles::kAuto);
        ASSERT_FALSE(opened);
        EXPECT_EQ(opened.error().code, ExitCode::kInput);
        EXPECT_EQ(opened.error().message.find('\n'), std::string::npos);
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace orogen
