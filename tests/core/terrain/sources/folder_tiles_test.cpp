// Folder of files as one tiled terrain, against the reader that loads all of it.
#include <cmath>

#include <gtest/gtest.h>

#include "core/terrain/io/gdal_reader.h"
#include "core/terrain/io/tiles.h"
#include "core/terrain/sources/folder_tiles.h"
#include "tests/support/raster_files.h"
#include "tests/support/tile_windows.h"
#include "tests/support/zip_files.h"

namespace orogen {
namespace {

// Writes tiles of 40 x 30 samples. Every third is missing; neighbours overlap by two columns, some with voids.
void writeTiffs(const test::TemporaryFolder& folder, bool southUp)
{
    for (int i = 0; i < 60; ++i)
    {
        if (i % 3 == 2) continue;
        const int x = i % 10 * 38, y = i / 10 * 30;
        std::vector<int> heights;
        for (int k = 0; k < 40 * 30; ++k)
            heights.push_back(k % 40 < 2 && i % 2 == 0 ? -1 : i * 7 + k % 97);
        test::TiffBuilder builder(40, 30, 16, 2);
        const double left = 400'000 + 30.0 * x, top = 5'000'000 - 30.0 * y;
        if (southUp)
            builder.doubles(34264, {30, 0, 0, left, 0, 30, 0, top - 30.0 * 30, 0, 0, 0, 0, 0, 0, 0, 1})
                .shorts(34735, {1, 1, 0, 1, 1024, 0, 1, 1});
        else
            builder.geo(30, 30, left, top, {1024, 0, 1, 1});
        builder.ascii(42113, "-1").strip(test::samplesOf<std::int16_t>(heights));
        test::writeBytes(folder / (std::to_string(100 + i) + ".tif"), builder.build());
    }
}

TEST(FolderByTiles, GeoTiffsAreTheRasterThatTheyForm)
{
    for (const bool southUp : {false, true})
    {
        const test::TemporaryFolder folder;
        writeTiffs(folder, southUp);
        SourceOverrides overrides;
        if (southUp) overrides.unit = HeightUnit::kFoot;
        const Result<Raster> whole = readTiles(folder.path(), {}, overrides);
        ASSERT_TRUE(whole) << whole.error().message;
        ASSERT_GT(whole->voids, 0u);
        const auto tiles = FolderTiles::open(folder.path(), overrides);
        ASSERT_TRUE(tiles) << tiles.error().message;
        EXPECT_EQ((*tiles)->raster().width, whole->width);
        EXPECT_EQ((*tiles)->raster().placement->y, whole->placement->y);
        test::expectSamplesOf(*whole, **tiles, 3);
    }
}

TEST(FolderByTiles, HgtTilesAreTheRasterThatTheyForm)
{
    const test::TemporaryFolder folder;
    const auto square = [](int add) {
        std::vector<int> heights;
        for (int k = 0; k < 1201 * 1201; ++k)
            heights.push_back(k % 1201 == 7 ? -32768 : (k / 1201 + k % 1201 + add) % 3000);
        return test::samplesOf<std::int16_t>(heights, true);
    };
    test::writeBytes(folder / "N34W119.hgt", square(0));
    test::writeBytes(folder / "N34W118.hgt", square(1200));
    test::writeBytes(folder / "N35W119.hgt", square(500));
    const Result<Raster> whole = readTiles(folder.path());
    ASSERT_TRUE(whole) << whole.error().message;
    const auto tiles = FolderTiles::open(folder.path());
    ASSERT_TRUE(tiles) << tiles.error().message;
    EXPECT_EQ((*tiles)->raster().format, "HGT tiles");
    test::expectSamplesOf(*whole, **tiles, 4);
}

// The reader keeps two unpacked archives in memory; other files do not displace them.
TEST(FolderByTiles, ArchivesAreNotUnpackedAgainBecauseOfFilesBesideThem)
{
    if (!hasGdal()) GTEST_SKIP() << "built without GDAL";
    const test::TemporaryFolder folder;
    constexpr std::size_t kTile = 2u * 1201 * 1201;
    std::uint64_t archives = 0;
    for (const std::string name : {"N34W119.hgt", "N34W117.hgt"})
    {
        const test::Bytes archive = test::ZipBuilder().zeros(name, kTile).build();
        test::writeBytes(folder / (name + ".zip"), archive);
        archives += archive.size();
    }
    for (const char* const name : {"N34W118.hgt", "N34W116.hgt"})
        test::writeBytes(folder / name, test::Bytes(kTile, std::byte{1}));
    const auto tiles = FolderTiles::open(folder.path());
    ASSERT_TRUE(tiles) << tiles.error().message;
    const auto reader = (*tiles)->openReader();
    // Reads an archive and the file beside it, then the other pair; returns the bytes read.
    std::vector<float> heights(100 * 10);
    const auto lookAround = [&] {
        const std::uint64_t before = (*reader)->bytesRead();
        for (const int column : {1150, 3550})
            EXPECT_TRUE((*reader)->read({0, column, 600, 100, 10}, heights));
        return (*reader)->bytesRead() - before;
    };
    const std::uint64_t first = lookAround();
    EXPECT_EQ(lookAround(), first - archives);
    EXPECT_EQ(lookAround(), first - archives);
}

TEST(FolderByTiles, AFileThatIsGoneIsAnErrorUntilItIsBack)
{
    const test::TemporaryFolder folder;
    writeTiffs(folder, false);
    const auto tiles = FolderTiles::open(folder.path());
    ASSERT_TRUE(tiles);
    const auto reader = (*tiles)->openReader();
    const std::string bytes = folder.read("101.tif");
    std::filesystem::remove(folder / "101.tif");
    std::vector<float> heights(100 * 20);
    const Status status = (*reader)->read({0, 0, 0, 100, 20}, heights);
    ASSERT_FALSE(status);
    EXPECT_NE(status.error().message.find("101.tif"), std::string::npos);
    EXPECT_EQ(status.error().message.find('\n'), std::string::npos);
    folder.write("101.tif", bytes);
    EXPECT_TRUE((*reader)->read({0, 0, 0, 100, 20}, heights));
    EXPECT_EQ(heights[45], 7 + 45 - 38.0f);
}

}  // namespace
}  // namespace orogen
