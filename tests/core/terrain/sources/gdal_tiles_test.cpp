// Tiles read through GDAL, if built in: COG, virtual rasters, and refused files.
#include <cstdlib>

#include <gtest/gtest.h>

#include "core/terrain/io/gdal_reader.h"
#include "core/terrain/io/load_raster.h"
#include "core/terrain/sources/gdal_tiles.h"
#include "core/terrain/sources/open_source.h"
#include "tests/support/raster_files.h"
#include "tests/support/run_program.h"
#include "tests/support/test_scale.h"
#include "tests/support/tiff_pyramids.h"
#include "tests/support/tile_windows.h"

namespace orogen {
namespace {

using test::TiffPyramid;

class GdalByTiles : public testing::Test
{
protected:
    void SetUp() override
    {
        if (!hasGdal()) GTEST_SKIP() << "built without GDAL";
    }
    std::string refusal(const std::string& path)
    {
        testing::internal::CaptureStderr();
        const auto opened = openTerrain(path, {}, TerrainTiles::kAuto);
        EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
        if (opened) return "opened";
        EXPECT_EQ(opened.error().code, ExitCode::kInput);
        EXPECT_TRUE(opened.error().message.starts_with(path + ": ")) << opened.error().message;
        EXPECT_EQ(opened.error().message.find('\n'), std::string::npos);
        return opened.error().message;
    }
    // Writes a virtual raster of side x side samples with one source.
    std::string writeVirtual(const std::string& name, const std::string& source, int side = 64)
    {
        return folder_.write(name, "<VRTDataset rasterXSize=\"" + std::to_string(side) + "\" rasterYSize=\"" +
                                       std::to_string(side) +
                                       "\"><GeoTransform>0, 30, 0, 0, 0, -30</GeoTransform><VRTRasterBand "
                                       "dataType=\"Int16\" band=\"1\"><SimpleSource><SourceFilename "
                                       "relativeToVRT=\"1\">" +
                                       source +
                                       "</SourceFilename><SourceBand>1</SourceBand></SimpleSource></VRTRasterBand>"
                                       "</VRTDataset>");
    }
    test::TemporaryFolder folder_;
};

TEST_F(GdalByTiles, ReadsTheSamplesOfTheWholeAtEveryLevel)
{
    for (const int tile : {0, 64})
    {
        test::writeTiff(folder_ / "a.tif", {.width = 611, .height = 487, .tile = tile, .southUp = tile == 0});
        const Result<Raster> whole = loadRaster(folder_ / "a.tif");
        const auto tiles = openGdalTiles(folder_ / "a.tif");
        ASSERT_TRUE(tiles) << tiles.error().message;
        EXPECT_TRUE((*tiles)->decimated());
        EXPECT_EQ((*tiles)->raster().placement->y, whole->placement->y);
        test::expectSamplesOf(*whole, **tiles, 3);
    }
}

TEST_F(GdalByTiles, MeansOfACloudOptimizedGeoTiffLieAtTheirPlaces)
{
    const std::string translate = "/usr/bin/gdal_translate";
    if (!std::filesystem::exists(translate)) GTEST_SKIP() << "gdal_translate is not installed";
    const auto plane = [](int x, int y) { return 100 + 0.5 * x + 0.25 * y; };
    test::writeTiff(folder_ / "plane.tif",
                    {.width = 750, .height = 550, .bits = 32, .format = SAMPLEFORMAT_IEEEFP, .height_ = plane});
    const auto done = test::runProgram({translate, "-q", "-of", "COG", "-co", "BLOCKSIZE=128", "-co",
                                        "OVERVIEW_RESAMPLING=AVERAGE", folder_ / "plane.tif", folder_ / "cog.tif"});
    ASSERT_EQ(done.code, 0) << done.err;
    const auto tiles = openGdalTiles(folder_ / "cog.tif");
    ASSERT_TRUE(tiles) << tiles.error().message;
    EXPECT_FALSE((*tiles)->decimated());
    const auto reader = (*tiles)->openReader();
    for (int level = 0; level < (*tiles)->grid().levels(); ++level)
    {
        const TileWindow window{level, 1, 1, (740 >> level) - 3, (540 >> level) - 3};
        std::vector<float> heights(std::size_t(window.width * window.height));
        ASSERT_TRUE((*reader)->read(window, heights));
        for (int y = 0; y < window.height; ++y)
            for (int x = 0; x < window.width; ++x)
                ASSERT_NEAR(heights[std::size_t(y * window.width + x)], plane((1 + x) << level, (1 + y) << level), 0.51)
                    << "level " << level << ", " << x << ", " << y;
    }
}

TEST_F(GdalByTiles, AVirtualRasterOfManyFiles)
{
    const int rows = test::scaled(4, 60), files = 50 * rows;  // 20 x 20 samples each
    std::string text = "<VRTDataset rasterXSize=\"1000\" rasterYSize=\"" + std::to_string(20 * rows) +
                       "\"><SRS>EPSG:32632</SRS><GeoTransform>0, 30, "
                       "0, 0, 0, -30</GeoTransform><VRTRasterBand dataType=\"Int16\" band=\"1\">";
    for (int i = 0; i < files; ++i)
    {
        const std::string name = std::to_string(i) + ".tif";
        const auto rect = [](const char* tag, int x, int y) {
            return std::string("<") + tag + " xOff=\"" + std::to_string(x) + "\" yOff=\"" + std::to_string(y) +
                   "\" xSize=\"20\" ySize=\"20\"/>";
        };
        test::writeBytes(
            folder_ / name,
            test::TiffBuilder(20, 20, 16, 2).strip(test::samplesOf<std::int16_t>(std::vector<int>(400, i))).build());
        text += "<SimpleSource><SourceFilename relativeToVRT=\"1\">" + name +
                "</SourceFilename><SourceBand>1</SourceBand>" + rect("SrcRect", 0, 0) +
                rect("DstRect", i % 50 * 20, i / 50 * 20) + "</SimpleSource>";
    }
    const std::string path = folder_.write("all.vrt", text + "</VRTRasterBand></VRTDataset>");
    const auto tiles = openGdalTiles(path);
    ASSERT_TRUE(tiles) << tiles.error().message;
    const auto reader = (*tiles)->openReader();
    for (const int level : {0, (*tiles)->grid().levels() - 1})
    {
        std::vector<float> heights(kTileSide * kTileSide);
        ASSERT_TRUE((*reader)->read({level, 0, 0, kTileSide, kTileSide}, heights));
        for (int y = 0; y < kTileSide; ++y)
            for (int x = 0; x < kTileSide; ++x)
            {
                // At coarse levels GDAL selects samples per file, up to one sample of the level away from the place.
                const int height = int(heights[std::size_t(y * kTileSide + x)]), off = (1 << level) - 1;
                const int west = height % 50 * 20, north = height / 50 * 20;
                const int column = std::min(x << level, 999), row = std::min(y << level, 20 * rows - 1);
                ASSERT_TRUE(west <= column + off && column - off < west + 20 && north <= row + off &&
                            row - off < north + 20)
                    << height << " at " << column << ", " << row << ", level " << level;
            }
    }
    std::filesystem::remove(folder_ / "7.tif");
    std::vector<float> heights(20 * 20);
    const Status status = (*(*tiles)->openReader())->read({0, 140, 0, 20, 20}, heights);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().message.find('\n'), std::string::npos);
    EXPECT_TRUE((*reader)->read({0, 400, 0, 20, 20}, heights));
    EXPECT_EQ(heights[0], 20.0f);
}

TEST_F(GdalByTiles, VirtualRastersInACircleAreRefused)
{
    EXPECT_NE(refusal(writeVirtual("self.vrt", "self.vrt")).find("names itself"), std::string::npos);
    writeVirtual("b.vrt", "c.vrt");
    writeVirtual("c.vrt", "a.vrt");
    EXPECT_NE(refusal(writeVirtual("a.vrt", "b.vrt")).find("by way of"), std::string::npos);
    EXPECT_NE(refusal(writeVirtual("large.vrt", "large.vrt", 40'000)).find("names itself"), std::string::npos);
}

TEST_F(GdalByTiles, AFileMayNotSendTheProgramToANetwork)
{
    for (const char* const target : {"/vsicurl/http://127.0.0.1:9/a.tif", "/vsis3/bucket/a.tif", "/VSIZIP/a.zip/a.tif",
                                     "http://127.0.0.1:9/a.tif", "&#47;vsicurl/http://127.0.0.1:9/a.tif"})
    {
        EXPECT_NE(refusal(writeVirtual("far.vrt", target)).find("network"), std::string::npos) << target;
        EXPECT_NE(refusal(writeVirtual("by.vrt", "far.vrt", 20'000)).find("network"), std::string::npos) << target;
    }
}

TEST_F(GdalByTiles, WhatIsNoTerrainInTilesIsRefused)
{
    test::writeTiff(folder_ / "a.tif", {.width = 300, .height = 200, .georeference = false});
    EXPECT_NE(refusal("/vsisubfile/0," + (folder_ / "a.tif")).find("--pixel-size"), std::string::npos);
    EXPECT_NE(refusal("/vsisubfile/0," + (folder_ / "none.tif")), "opened");
    EXPECT_NE(refusal("ftp://example.org/dem.tif").find("/vsicurl/ftp://example.org/dem.tif"), std::string::npos);
    EXPECT_NE(refusal("s3://bucket/dem.tif").find("/vsis3/bucket/dem.tif"), std::string::npos);
    folder_.write("complex.vrt", "<VRTDataset rasterXSize=\"20000\" rasterYSize=\"4\"><VRTRasterBand "
                                 "dataType=\"CFloat32\" band=\"1\"/></VRTDataset>");
    EXPECT_NE(refusal(folder_ / "complex.vrt").find("complex"), std::string::npos);
    folder_.write("palette.vrt", "<VRTDataset rasterXSize=\"20000\" rasterYSize=\"4\"><VRTRasterBand dataType=\"Byte\" "
                                 "band=\"1\"><ColorInterp>Palette</ColorInterp><ColorTable><Entry c1=\"1\" c2=\"2\" "
                                 "c3=\"3\"/></ColorTable></VRTRasterBand></VRTDataset>");
    EXPECT_NE(refusal(folder_ / "palette.vrt").find("palette"), std::string::npos);
    folder_.write("huge.vrt", "<VRTDataset rasterXSize=\"20000000\" rasterYSize=\"4\"><VRTRasterBand "
                              "dataType=\"Int16\" band=\"1\"/></VRTDataset>");
    EXPECT_NE(refusal(folder_ / "huge.vrt").find("16777216"), std::string::npos);
}

}  // namespace
}  // namespace orogen
