// What GDAL reads, where the program was built with it.  Files in formats that are text.
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

// An ESRI ASCII grid.
std::string grid(const std::string& cell, const std::string& rows)
{
    return "ncols 3\nnrows 2\nxllcorner 1000\nyllcorner 500\ncellsize " + cell + "\nNODATA_value -9999\n" + rows;
}

class Gdal : public testing::Test
{
protected:
    void SetUp() override
    {
        if (!builtWithGdal()) GTEST_SKIP() << "built without GDAL";
    }
    test::TemporaryFolder folder_;
};

TEST_F(Gdal, ReadsAnAsciiGrid)
{
    writeText(folder_ / "a.asc", grid("25", "1 2.5 3\n4 -9999 6\n"));
    const Result<Raster> raster = loadRaster(folder_ / "a.asc");
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->format, "AAIGrid");
    EXPECT_EQ(raster->width, 3);
    EXPECT_EQ(raster->height, 2);
    EXPECT_EQ(raster->at(1, 0), 2.5f);
    EXPECT_EQ(raster->at(2, 1), 6.0f);
    EXPECT_EQ(raster->voids, 1u);
    EXPECT_EQ(raster->pixelWidth, 25.0);
    EXPECT_EQ(raster->bits, 32);
    ASSERT_TRUE(raster->placement);
    EXPECT_EQ(raster->placement->x, 1012.5);
    EXPECT_EQ(raster->placement->y, 500 + 2 * 25 - 12.5);
}

TEST_F(Gdal, ReadsTheCoordinateSystemBesideIt)
{
    writeText(folder_ / "a.asc", grid("25", "1 2 3\n4 5 6\n"));
    writeText(
        folder_ / "a.prj",
        "PROJCS[\"x\",GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,298.257223563]],"
        "PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]],PROJECTION[\"Transverse_Mercator\"],"
        "PARAMETER[\"latitude_of_origin\",0],PARAMETER[\"central_meridian\",9],PARAMETER[\"scale_factor\",0.9996],"
        "PARAMETER[\"false_easting\",500000],PARAMETER[\"false_northing\",0],UNIT[\"foot\",0.3048],"
        "AUTHORITY[\"EPSG\",\"32632\"]]");
    const Result<Raster> raster = loadRaster(folder_ / "a.asc");
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->crs, "EPSG:32632");
    EXPECT_NEAR(raster->pixelWidth, 25 * 0.3048, 1e-9);
}

TEST_F(Gdal, DegreesBecomeMetresAtTheCentre)
{
    writeText(folder_ / "a.asc", "ncols 2\nnrows 2\nxllcorner 7\nyllcorner 44.999\ncellsize 0.001\n1 2\n3 4\n");
    writeText(folder_ / "a.prj", "GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,298.257223563]],"
                                 "PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]]");
    const Result<Raster> raster = loadRaster(folder_ / "a.asc");
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_NEAR(raster->pixelWidth, 78.8468, 0.001);
    EXPECT_NEAR(raster->pixelHeight, 111.1318, 0.001);
}

TEST_F(Gdal, DamagedFilesAreOneLineAndNothingIsPrinted)
{
    const auto refused = [&](const std::string& text) {
        writeText(folder_ / "bad.asc", text);
        testing::internal::CaptureStderr();
        const Result<Raster> raster = loadRaster(folder_ / "bad.asc");
        EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
        ASSERT_FALSE(raster) << text;
        EXPECT_EQ(raster.error().code, ExitCode::kInput);
        EXPECT_TRUE(raster.error().message.starts_with(folder_ / "bad.asc: ")) << raster.error().message;
        EXPECT_EQ(raster.error().message.find('\n'), std::string::npos);
    };
    refused("nothing that anybody knows");
    refused(grid("25", "1 2\n"));
    refused("ncols 60000\nnrows 60000\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3\n");
    refused("ncols 70000\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3\n");
    refused(grid("0", "1 2 3\n4 5 6\n"));
}

}  // namespace
}  // namespace orogen
