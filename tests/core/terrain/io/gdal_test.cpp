// Rasters read through GDAL, if built in; all files are in text formats.
#include <cmath>

#include <gtest/gtest.h>

#include "core/terrain/io/gdal_reader.h"
#include "core/terrain/io/load_raster.h"
#include "tests/support/raster_files.h"

namespace orogen {
namespace {

void writeText(const std::string& path, const std::string& text)
{
    test::ByteWriter writer;
    writer.text(text);
    test::writeBytes(path, writer.bytes);
}

// Returns a virtual raster over an ASCII grid beside it.
std::string virtualRaster(const std::string& extra, int width = 3)
{
    return "<VRTDataset rasterXSize=\"" + std::to_string(width) +
           "\" rasterYSize=\"2\"><GeoTransform>1000, 25, 0, 550, 0, -25</GeoTransform>" + extra +
           "<SimpleSource><SourceFilename relativeToVRT=\"1\">a.asc</SourceFilename><SourceBand>1</SourceBand>"
           "</SimpleSource></VRTRasterBand></VRTDataset>";
}

constexpr const char* kBand = "<VRTRasterBand dataType=\"Float32\" band=\"1\"><NoDataValue>-9999</NoDataValue>";
constexpr const char* kGrid = "ncols 3\nnrows 2\nxllcorner 1000\nyllcorner 500\ncellsize 25\n1 2.5 3\n4 -9999 6\n";

class Gdal : public testing::Test
{
protected:
    void SetUp() override
    {
        if (!hasGdal()) GTEST_SKIP() << "built without GDAL";
    }
    test::TemporaryFolder folder_;
};

TEST_F(Gdal, ReadsAVirtualRaster)
{
    writeText(folder_ / "a.asc", kGrid);
    writeText(folder_ / "a.vrt", virtualRaster(kBand));
    const Result<Raster> raster = loadRaster(folder_ / "a.vrt");
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->format, "VRT");
    EXPECT_EQ(raster->width, 3);
    EXPECT_EQ(raster->height, 2);
    EXPECT_EQ(raster->at(1, 0), 2.5f);
    EXPECT_EQ(raster->at(2, 1), 6.0f);
    EXPECT_EQ(raster->voids, 1u);
    EXPECT_EQ(raster->nodata, -9999.0);
    EXPECT_EQ(raster->pixelWidth, 25.0);
    ASSERT_TRUE(raster->placement);
    EXPECT_EQ(raster->placement->x, 1012.5);
    EXPECT_EQ(raster->placement->y, 500 + 2 * 25 - 12.5);
}

TEST_F(Gdal, CoordinateSystemAndUnits)
{
    writeText(folder_ / "a.asc", kGrid);
    writeText(folder_ / "a.vrt",
              virtualRaster(std::string("<SRS>EPSG:32632</SRS>") + kBand + "<UnitType>ft</UnitType>"));
    const Result<Raster> raster = loadRaster(folder_ / "a.vrt");
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->crs, "EPSG:32632");
    EXPECT_EQ(raster->heightUnit, HeightUnit::kFoot);
    EXPECT_FLOAT_EQ(raster->maxHeight, 6 * 0.3048f);
    EXPECT_TRUE(TerrainGeography::of(*raster));
}

TEST_F(Gdal, DamagedFilesAreOneLineAndNothingIsPrinted)
{
    const auto refused = [&](const std::string& text) {
        writeText(folder_ / "bad.vrt", text);
        testing::internal::CaptureStderr();
        const Result<Raster> raster = loadRaster(folder_ / "bad.vrt");
        EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
        ASSERT_FALSE(raster) << text;
        EXPECT_EQ(raster.error().code, ExitCode::kInput);
        EXPECT_TRUE(raster.error().message.starts_with(folder_ / "bad.vrt: ")) << raster.error().message;
        EXPECT_EQ(raster.error().message.find('\n'), std::string::npos);
    };
    refused("nothing that anybody knows");
    refused("<VRTDataset rasterXSize=\"3\"");
    refused(virtualRaster(kBand));  // the source is missing
    refused(virtualRaster(kBand, 70'000));
}

}  // namespace
}  // namespace orogen
