// Folder of tiles as one raster.
#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "core/terrain/io/load_raster.h"
#include "tests/support/raster_files.h"

namespace orogen {
namespace {

using test::Bytes;
using test::samplesOf;
using test::TemporaryFolder;
using test::TiffBuilder;

// Returns a GeoTIFF of 3 x 2 samples of value `height`, with its corner at (x, y).
Bytes tile(double x, double y, int height, double pixel = 10, int epsg = 32611)
{
    return TiffBuilder(3, 2, 16, 2)
        .geo(pixel, pixel, x, y, {1024, 0, 1, 1, 3072, 0, 1, double(epsg)})
        .strip(samplesOf<std::int16_t>(std::vector<int>(6, height)))
        .build();
}

TEST(Tiles, FormOneRasterAndMissingOnesAreVoids)
{
    const TemporaryFolder folder;
    test::writeBytes(folder / "nw.tif", tile(1000, 500, 1));
    test::writeBytes(folder / "ne.TIF", tile(1030, 500, 2));
    test::writeBytes(folder / "sw.tiff", tile(1000, 480, 3));
    test::writeBytes(folder / "readme.txt", Bytes(10));
    const Result<Raster> raster = loadRaster(folder.path());
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->format, "GeoTIFF tiles");
    EXPECT_EQ(raster->name, folder.path());
    EXPECT_EQ(raster->crs, "EPSG:32611");
    ASSERT_EQ(raster->width, 6);
    ASSERT_EQ(raster->height, 4);
    EXPECT_EQ(raster->pixelWidth, 10.0);
    EXPECT_EQ(raster->voids, 6u);
    EXPECT_EQ(raster->at(0, 0), 1.0f);
    EXPECT_EQ(raster->at(3, 1), 2.0f);
    EXPECT_EQ(raster->at(2, 2), 3.0f);
    EXPECT_TRUE(std::isnan(raster->at(3, 2)));
    EXPECT_EQ(raster->placement->x, 1005.0);
    EXPECT_EQ(raster->placement->y, 495.0);
}

TEST(Tiles, WhereTheyOverlapAHeightWinsOverAVoid)
{
    const TemporaryFolder folder;
    test::writeBytes(folder / "a.tif", tile(0, 0, 5));
    test::writeBytes(folder / "b.tif", tile(20, 0, -32768));  // one common column
    const Result<Raster> raster = loadRaster(folder.path());
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->width, 5);
    EXPECT_EQ(raster->at(2, 0), 5.0f);
    EXPECT_EQ(raster->voids, 4u);
}

TEST(Tiles, ThatDoNotFitNameBothFiles)
{
    const auto refused = [](const Bytes& second, const std::string& found) {
        const TemporaryFolder folder;
        test::writeBytes(folder / "a.tif", tile(0, 0, 5));
        test::writeBytes(folder / "b.tif", second);
        const Result<Raster> raster = loadRaster(folder.path());
        ASSERT_FALSE(raster);
        EXPECT_EQ(raster.error().code, ExitCode::kInput);
        EXPECT_NE(raster.error().message.find("a.tif"), std::string::npos) << raster.error().message;
        EXPECT_NE(raster.error().message.find("b.tif"), std::string::npos) << raster.error().message;
        EXPECT_NE(raster.error().message.find(found), std::string::npos) << raster.error().message;
    };
    refused(tile(30, 0, 5, 20), "pixel size");
    refused(tile(30, 0, 5, 10, 32612), "EPSG:32612");
    refused(tile(33, 0, 5), "grid");
    refused(tile(1e300, 0, 5), "far");
}

TEST(Tiles, OneDamagedTileIsAnErrorWithItsName)
{
    const TemporaryFolder folder;
    test::writeBytes(folder / "a.tif", tile(0, 0, 5));
    Bytes damaged = tile(30, 0, 5);
    damaged.resize(damaged.size() - 4);
    test::writeBytes(folder / "b.tif", damaged);
    const Result<Raster> raster = loadRaster(folder.path());
    ASSERT_FALSE(raster);
    EXPECT_NE(raster.error().message.find("b.tif"), std::string::npos) << raster.error().message;
}

TEST(Tiles, FoldersThatAreNoneAreErrors)
{
    const TemporaryFolder empty;
    EXPECT_FALSE(loadRaster(empty.path()));

    const TemporaryFolder unplaced;
    test::writeBytes(unplaced / "a.tif", TiffBuilder(2, 2, 16, 2).strip(Bytes(8)).build());
    const Result<Raster> raster = loadRaster(unplaced.path());
    ASSERT_FALSE(raster);
    EXPECT_NE(raster.error().message.find("position"), std::string::npos) << raster.error().message;

    const TemporaryFolder mixed;
    test::writeBytes(mixed / "a.tif", tile(0, 0, 5));
    test::writeBytes(mixed / "N01E001.hgt", Bytes(2 * 1201 * 1201));
    const Result<Raster> both = loadRaster(mixed.path());
    ASSERT_FALSE(both);
    EXPECT_NE(both.error().message.find("two kinds"), std::string::npos) << both.error().message;
}

TEST(Tiles, ThatLieTooFarApartAreRefusedBeforeMemoryIsTaken)
{
    const TemporaryFolder folder;
    test::writeBytes(folder / "a.tif", tile(0, 0, 5));
    test::writeBytes(folder / "b.tif", tile(800'000, 0, 5));
    const Result<Raster> raster = loadRaster(folder.path());
    ASSERT_FALSE(raster);
    EXPECT_EQ(raster.error().code, ExitCode::kInput);
    EXPECT_NE(raster.error().message.find("80003 x 2"), std::string::npos) << raster.error().message;
}

TEST(Tiles, HgtTilesShareTheirEdges)
{
    const TemporaryFolder folder;
    const auto flat = [](int height) {
        return samplesOf<std::int16_t>(std::vector<int>(std::size_t(1201) * 1201, height), true);
    };
    test::writeBytes(folder / "N46E007.hgt", flat(10));
    test::writeBytes(folder / "N47E008.hgt", flat(20));
    const Result<Raster> raster = loadRaster(folder.path());
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->format, "HGT tiles");
    ASSERT_EQ(raster->width, 2401);
    ASSERT_EQ(raster->height, 2401);
    EXPECT_EQ(raster->at(0, 2400), 10.0f);  // south-west
    EXPECT_EQ(raster->at(2400, 0), 20.0f);  // north-east
    EXPECT_TRUE(std::isnan(raster->at(0, 0)));
    EXPECT_EQ(raster->voids, 2u * 1200u * 1200u);
    EXPECT_NEAR(raster->north(), 2 * 111'180, 50);  // degrees at 47 north
}

}  // namespace
}  // namespace orogen
