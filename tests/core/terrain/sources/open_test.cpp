// Choice between one image and tiles for each terrain.
#include <gtest/gtest.h>

#include "core/terrain/io/gdal_reader.h"
#include "core/terrain/sources/open_source.h"
#include "tests/support/raster_files.h"
#include "tests/support/tiff_pyramids.h"

namespace orogen {
namespace {

// Writes a file in tiles of 512 samples that omits all of them.
void writeSparse(const std::string& path, int width, int height)
{
    const std::size_t tiles = std::size_t((width + 511) / 512) * std::size_t((height + 511) / 512);
    test::TiffBuilder builder(2, 2, 16, 2);
    builder.longs(256, {double(width)}).longs(257, {double(height)}).geo(30, 30, 0, 0, {1024, 0, 1, 1}).tiles(512, 512);
    for (std::size_t i = 0; i < tiles; ++i)
        builder.tile({});
    test::writeBytes(path, builder.build());
}

TEST(OpenTerrain, LargeOnesAreInTilesAndOthersOneImage)
{
    const test::TemporaryFolder folder;
    test::writeTiff(folder / "small.tif", {.width = 300, .height = 200});
    const auto image = openTerrain(folder / "small.tif", {}, TerrainTiles::kAuto);
    ASSERT_TRUE(image) << image.error().message;
    EXPECT_FALSE(image->tiles);
    EXPECT_EQ(image->raster.heights.size(), 300u * 200);
    const auto always = openTerrain(folder / "small.tif", {}, TerrainTiles::kAlways);
    ASSERT_TRUE(always) << always.error().message;
    ASSERT_TRUE(always->tiles);
    EXPECT_EQ(always->raster.width, 300);
    EXPECT_TRUE(always->raster.heights.empty());
    writeSparse(folder / "large.tif", 16'385, 4);
    const auto large = openTerrain(folder / "large.tif", {}, TerrainTiles::kAuto);
    ASSERT_TRUE(large) << large.error().message;
    ASSERT_TRUE(large->tiles);
    EXPECT_EQ(large->raster.width, 16'385);
}

// Opens 34 GB of samples in half a megabyte.
TEST(OpenTerrain, ALargeSparseFileIsOpenedWithoutReadingIt)
{
    const test::TemporaryFolder folder;
    writeSparse(folder / "sparse.tif", 131'072, 131'072);
    const auto opened = openTerrain(folder / "sparse.tif", {}, TerrainTiles::kAuto);
    ASSERT_TRUE(opened) << opened.error().message;
    ASSERT_TRUE(opened->tiles);
    EXPECT_EQ(opened->tiles->grid().levels(), 11);
    const auto reader = opened->tiles->openReader();
    ASSERT_TRUE(reader);
    std::vector<float> heights(kTileSide * kTileSide);
    EXPECT_TRUE((*reader)->read({10, 0, 0, kTileSide, kTileSide}, heights));
}

// Rasters read as a whole may claim up to 1040 bytes per byte of the file. The limit does not apply to files that omit
// tiles.
TEST(OpenTerrain, ASmallSparseFileIsInTiles)
{
    const test::TemporaryFolder folder;
    writeSparse(folder / "sparse.tif", 16'384, 16'384);
    const auto opened = openTerrain(folder / "sparse.tif", {}, TerrainTiles::kAuto);
    ASSERT_TRUE(opened) << opened.error().message;
    ASSERT_TRUE(opened->tiles);
    EXPECT_EQ(opened->raster.width, 16'384);
}

TEST(OpenTerrain, AClaimThatNoListOfTilesBearsOutIsOneLine)
{
    const test::TemporaryFolder folder;
    test::TiffBuilder tiles(2, 2, 16, 2), strips(2, 2, 16, 2);
    for (test::TiffBuilder* const builder : {&tiles, &strips})
        builder->longs(256, {16'384}).longs(257, {16'384}).geo(30, 30, 0, 0, {1024, 0, 1, 1});
    test::writeBytes(folder / "tiles.tif", tiles.tiles(16, 16).tile({}).build());
    test::writeBytes(folder / "strips.tif", strips.strip(test::Bytes(64)).build());
    for (const char* const name : {"tiles.tif", "strips.tif"})
    {
        SCOPED_TRACE(name);
        const auto opened = openTerrain(folder / name, {}, TerrainTiles::kAuto);
        ASSERT_FALSE(opened);
        EXPECT_EQ(opened.error().code, ExitCode::kInput);
        EXPECT_TRUE(opened.error().message.starts_with((folder / name) + ": ")) << opened.error().message;
        EXPECT_EQ(opened.error().message.find('\n'), std::string::npos);
    }
}

TEST(OpenTerrain, WithoutGdalItSaysHowToGetIt)
{
    if (hasGdal()) GTEST_SKIP() << "built with GDAL";
    const auto opened = openTerrain("/vsicurl/https://example.org/dem.tif", {}, TerrainTiles::kAuto);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ExitCode::kInput);
    EXPECT_NE(opened.error().message.find("./run viewer"), std::string::npos) << opened.error().message;
}

}  // namespace
}  // namespace orogen
