// ESRI ASCII grids, and the file with their coordinate system.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "core/terrain/io/ascii_grid_reader.h"
#include "core/terrain/io/gdal_reader.h"
#include "core/terrain/io/load_raster.h"
#include "tests/support/raster_files.h"

namespace orogen {
namespace {

Result<Raster> read(const std::string& text, const std::string& name = "a.asc")
{
    test::ByteWriter writer;
    writer.text(text);
    return test::readBytes(name, writer.bytes);
}

std::string grid(const std::string& cell, const std::string& rows)
{
    return "ncols 3\nnrows 2\nxllcorner 1000\nyllcorner 500\n" + cell + "\nNODATA_value -9999\n" + rows;
}

bool warns(const Raster& raster, const std::string& part)
{
    for (const std::string& warning : raster.warnings)
        if (warning.find(part) != std::string::npos) return true;
    return false;
}

TEST(AsciiGrid, ReadsHeaderAndSamples)
{
    const Result<Raster> raster = read(grid("cellsize 25", "1 2.5 3\n4 -9999 6e0\n"));
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->format, "ASCII grid");
    ASSERT_EQ(raster->width, 3);
    ASSERT_EQ(raster->height, 2);
    EXPECT_EQ(raster->at(1, 0), 2.5f);
    EXPECT_EQ(raster->at(2, 1), 6.0f);
    EXPECT_TRUE(std::isnan(raster->at(1, 1)));
    EXPECT_EQ(raster->voids, 1u);
    EXPECT_EQ(raster->nodata, -9999.0);
    EXPECT_EQ(raster->pixelWidth, 25.0);
    ASSERT_TRUE(raster->placement);
    EXPECT_EQ(raster->placement->x, 1012.5);
    EXPECT_EQ(raster->placement->y, 500 + 2 * 25 - 12.5);
    EXPECT_FALSE(warns(*raster, "degrees or metres")) << "1012 is no longitude";
}

TEST(AsciiGrid, AnySpellingOfTheSameIsTheSame)
{
    const std::string zeros(300, '0');
    const std::string spellings[] = {
        "  NCOLS 2 NROWS 2\r\nXLLCENTER 10\r\nYLLCENTER 20\r\ncellsize 5\r\n1 2\r\n3 4\r\n",
        "nrows\t2\nncols\t2\ndx 5\ndy 5\nxllcorner 7.5\nyllcorner 17.5\n\n+1 2.0e0\n\n  3\n4",
        "ncols 2\nnrows 2\nxllcorner 7.5\nyllcorner 17.5\ncellsize 5.0\nnodata_value nan\n1 2 3 4",
        "ncols 2\nnrows 2\nxllcorner 7.5" + zeros + "1\nyllcorner 17.5\ncellsize 5\nnodata_value -9999." + zeros +
            "\n1 2." + zeros + " 3 4",
    };
    for (const std::string& text : spellings)
    {
        SCOPED_TRACE(text);
        const Result<Raster> raster = read(text);
        ASSERT_TRUE(raster) << raster.error().message;
        EXPECT_EQ(raster->heights, (std::vector<float>{1, 2, 3, 4}));
        EXPECT_EQ(raster->placement->x, 10.0);
        EXPECT_EQ(raster->placement->y, 25.0);
        EXPECT_EQ(raster->pixelWidth, 5.0);
    }
}

TEST(AsciiGrid, InfiniteSamplesAreVoidsWithAWarning)
{
    const Result<Raster> raster = read("ncols 2\nnrows 2\ncellsize 10\n1 inf 3 1" + std::string(99, '0') + "\n");
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->voids, 2u);
    ASSERT_FALSE(raster->warnings.empty());
    EXPECT_TRUE(std::ranges::any_of(raster->warnings, [](const std::string& warning) {
        return warning.find("2 infinite samples") != std::string::npos;
    })) << raster->warnings.front();
}

TEST(AsciiGrid, CellsNeedNotBeSquareNorPlaced)
{
    const Result<Raster> raster = read("ncols 2\nnrows 2\ndx 10\ndy 20\n1 2 3 nan\n");
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->pixelWidth, 10.0);
    EXPECT_EQ(raster->pixelHeight, 20.0);
    EXPECT_FALSE(raster->placement->positioned);
    EXPECT_EQ(raster->voids, 1u);
}

// Words cross the boundaries of the blocks in which the file is read.
TEST(AsciiGrid, LongFilesAreReadInPieces)
{
    std::string text = "ncols 300\nnrows 301\ncellsize 1\n";
    std::vector<float> expected;
    for (int i = 0; i < 300 * 301; ++i)
    {
        expected.push_back(float(i % 977) + 0.25f * float(i % 4));
        text += std::to_string(expected.back()) + (i % 300 == 299 ? "\n" : " ");
    }
    const Result<Raster> raster = read(text);
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->heights, expected);
}

TEST(AsciiGrid, WhatFollowsIsPassedOver)
{
    const Result<Raster> raster = read(grid("cellsize 25", "1 2 3\n4 5 6\n7"));
    ASSERT_TRUE(raster);
    EXPECT_TRUE(warns(*raster, "line 9, column 1: more than 3 x 2 samples")) << raster->warnings.back();
}

TEST(AsciiGrid, DamageNamesItsPlace)
{
    struct Case
    {
        std::string text;
        const char* says;
    };
    const Case cases[] = {
        {grid("cellsize 25", "1 2 3\n4 x 6\n"), "line 8, column 3: found 'x', expected sample 2 of row 2"},
        {grid("cellsize 25", "1 2 3\n4 5\n"), "the file ends, expected sample 3 of row 2"},
        {grid("cellsize 25", "1,5 2 3\n4 5 6\n"), "line 7, column 1: found '1,5'"},
        {grid("cellsize 25", std::string(600, '1') + " 2 3\n4 5 6\n"), "line 7, column 1"},
        {grid("cellsize 0." + std::string(600, '1'), "1 2 3\n4 5 6\n"), "line 5, column 10: found '0.111"},
        {grid("cellsize x", "1 2 3\n4 5 6\n"), "line 5, column 10: found 'x', expected a number after cellsize"},
        {grid("cellsize 0", "1 2 3\n4 5 6\n"), "cells of 0 x 0"},
        {grid("cellsize -5", "1 2 3\n4 5 6\n"), "cells of -5"},
        {grid("cellsize inf", "1 2 3\n4 5 6\n"), "finite"},
        {grid("cellsize 5 cellsize 5", "1 2 3\n4 5 6\n"), "once"},
        {grid("dx 5", "1 2 3\n4 5 6\n"), "no cellsize"},
        {"ncols 60000\nnrows 60000\ncellsize 1\n1 2 3\n", "more than 41 bytes"},
        {"ncols 70000\nnrows 2\ncellsize 1\n1 2 3\n", "expected 2 to 65536"},
        {"ncols 2.5\nnrows 2\ncellsize 1\n1 2 3\n", "expected 2 to 65536"},
        {"ncols 2\ncellsize 1\n1 2 3\n", "expected 2 to 65536"},
        {"ncols", "the file ends, expected a number after ncols"},
    };
    for (const Case& c : cases)
    {
        const Result<Raster> raster = read(c.text);
        ASSERT_FALSE(raster) << c.text;
        EXPECT_EQ(raster.error().code, ExitCode::kInput);
        EXPECT_TRUE(raster.error().message.starts_with("a.asc: ")) << raster.error().message;
        EXPECT_NE(raster.error().message.find(c.says), std::string::npos) << raster.error().message;
    }
}

constexpr const char* kEsriUtm =
    "PROJCS[\"NAD_1983_UTM_Zone_11N\",GEOGCS[\"GCS_North_American_1983\",DATUM[\"D_North_American_1983\",SPHEROID["
    "\"GRS_1980\",6378137.0,298.257222101]],PRIMEM[\"Greenwich\",0.0],UNIT[\"Degree\",0.0174532925199433]],PROJECTION["
    "\"Transverse_Mercator\"],PARAMETER[\"False_Easting\",500000.0],PARAMETER[\"False_Northing\",0.0],PARAMETER["
    "\"Central_Meridian\",-117.0],PARAMETER[\"Scale_Factor\",0.9996],PARAMETER[\"Latitude_Of_Origin\",0.0],UNIT["
    "\"Meter\",1.0]]";

class PrjFile : public testing::Test
{
protected:
    void SetUp() override
    {
        if (!hasGdal()) GTEST_SKIP() << "built without GDAL";
    }
    Result<Raster> loadWith(const std::string& grid, const std::string& prj) const
    {
        folder_.write("a.asc", grid);
        folder_.write("a.prj", prj);
        return loadRaster(folder_ / "a.asc");
    }
    Result<Raster> read(const std::string& prj) const
    {
        return loadWith("ncols 2\nnrows 2\nxllcenter 500000\nyllcenter 3762600\ncellsize 10\n1 2\n3 4\n", prj);
    }
    const test::TemporaryFolder folder_;
};

TEST_F(PrjFile, SaysWhereTheGridLies)
{
    const Result<Raster> raster = read(kEsriUtm);
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->crs, "EPSG:26911");
    EXPECT_FALSE(warns(*raster, "degrees or metres"));
    const auto geography = TerrainGeography::of(*raster);
    ASSERT_TRUE(geography);
    EXPECT_NEAR(geography->place(-5, 0)->longitude, -117.0, 1e-9);
}

TEST_F(PrjFile, NamesTheSystemOfAnyProjection)
{
    const Result<Raster> raster = read(
        "PROJCS[\"RGF_1993_Lambert_93\",GEOGCS[\"GCS_RGF_1993\",DATUM[\"D_RGF_1993\",SPHEROID[\"GRS_1980\",6378137.0,"
        "298.257222101]],PRIMEM[\"Greenwich\",0.0],UNIT[\"Degree\",0.0174532925199433]],PROJECTION["
        "\"Lambert_Conformal_Conic\"],PARAMETER[\"False_Easting\",700000.0],PARAMETER[\"False_Northing\",6600000.0],"
        "PARAMETER[\"Central_Meridian\",3.0],PARAMETER[\"Standard_Parallel_1\",44.0],PARAMETER["
        "\"Standard_Parallel_2\",49.0],PARAMETER[\"Latitude_Of_Origin\",46.5],UNIT[\"Meter\",1.0]]");
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->crs, "EPSG:2154");
    EXPECT_FALSE(raster->placement->geographic);
    EXPECT_FALSE(warns(*raster, "degrees or metres"));
}

TEST_F(PrjFile, UnitsOfLengthAndHeight)
{
    const std::string map =
        "PROJCS[\"Our map\",GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,298.257223563]],PRIMEM["
        "\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]],PROJECTION[\"Transverse_Mercator\"],PARAMETER["
        "\"latitude_of_origin\",34],PARAMETER[\"central_meridian\",-117],PARAMETER[\"scale_factor\",1],PARAMETER["
        "\"false_easting\",500002.5],PARAMETER[\"false_northing\",3762602.5],UNIT[\"Foot_US\",0.3048006096012192]]";
    const Result<Raster> raster =
        read("COMPD_CS[\"x\"," + map + ",VERT_CS[\"h\",VERT_DATUM[\"d\",2005],UNIT[\"foot\",0.3048]]]");
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->crs, "Our map");
    EXPECT_NEAR(raster->placement->unit, 0.3048006096012192, 1e-12);
    EXPECT_EQ(raster->heightUnit, HeightUnit::kFoot);
    // The false origin, which the file gives in feet, lies at the raster's centre.
    const auto geography = TerrainGeography::of(*raster);
    ASSERT_TRUE(geography);
    EXPECT_NEAR(geography->place(0, 0)->latitude, 34.0, 1e-4);
    EXPECT_NEAR(geography->place(0, 0)->longitude, -117.0, 1e-4);
}

TEST_F(PrjFile, GeographicSystemsAreInDegrees)
{
    const Result<Raster> raster = loadWith(
        "ncols 2\nnrows 2\nxllcenter 7\nyllcenter 46\ncellsize 0.01\n1 2\n3 4\n",
        "GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,298.257223563]],PRIMEM[\"Greenwich\",0],"
        "UNIT[\"degree\",0.0174532925199433],AUTHORITY[\"EPSG\",\"4326\"]]");
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->crs, "EPSG:4326");
    EXPECT_TRUE(raster->placement->geographic);
}

TEST_F(PrjFile, DamagedOnesAreIgnoredWithAWarning)
{
    const std::string whole = kEsriUtm;
    std::string deep;
    for (int i = 0; i < 30'000; ++i)
        deep += "A[";
    for (const std::string& text : {std::string(), whole.substr(0, 200), whole.substr(0, whole.size() - 1), deep,
                                    std::string("LOCAL_CS[\"here\"]"), std::string("EPSG:26911")})
    {
        const Result<Raster> raster = read(text);
        ASSERT_TRUE(raster) << raster.error().message;
        EXPECT_EQ(raster->crs, "");
        EXPECT_TRUE(warns(*raster, "a.prj: no coordinate system as well-known text: ignored"));
    }
}

TEST(PrjFileWithoutGdal, IsIgnoredWithAWarning)
{
    if (hasGdal()) GTEST_SKIP() << "built with GDAL";
    const test::TemporaryFolder folder;
    folder.write("a.asc", "ncols 2\nnrows 2\ncellsize 10\n1 2\n3 4\n");
    folder.write("a.prj", kEsriUtm);
    const Result<Raster> raster = loadRaster(folder / "a.asc");
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->crs, "");
    EXPECT_TRUE(warns(*raster, "a.prj: a coordinate system is read through GDAL"));
}

}  // namespace
}  // namespace orogen
