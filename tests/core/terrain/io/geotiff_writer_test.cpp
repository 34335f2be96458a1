// Written GeoTIFFs are read back with samples and metadata unchanged.
#include "core/terrain/io/geotiff_writer.h"

#include <algorithm>
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

// Writes a raster and reads it back.
Raster roundTrip(const Raster& raster)
{
    const TemporaryFolder folder;
    const Status status = writeGeoTiff(raster, folder / "out.tif");
    EXPECT_TRUE(status) << status.error().message;
    Result<Raster> back = loadRaster(folder / "out.tif");
    EXPECT_TRUE(back) << back.error().message;
    return back ? std::move(*back) : Raster{};
}

void expectSame(const Raster& a, const Raster& b)
{
    EXPECT_EQ(a.width, b.width);
    EXPECT_EQ(a.height, b.height);
    EXPECT_EQ(a.voids, b.voids);
    EXPECT_EQ(a.pixelWidth, b.pixelWidth);
    EXPECT_EQ(a.pixelHeight, b.pixelHeight);
    EXPECT_EQ(a.crs, b.crs);
    ASSERT_EQ(a.heights.size(), b.heights.size());
    for (std::size_t i = 0; i < a.heights.size(); ++i)
        EXPECT_TRUE(a.heights[i] == b.heights[i] || (std::isnan(a.heights[i]) && std::isnan(b.heights[i]))) << i;
}

TEST(GeoTiffWriter, KeepsWholeMetresInDegreesOrMetresOrFeet)
{
    const Bytes samples = samplesOf<std::int16_t>(std::array{1, -32768, 3, 4, -500, 32767});
    for (const std::vector<double>& keys :
         {std::vector<double>{1024, 0, 1, 2, 2048, 0, 1, 4326}, std::vector<double>{1024, 0, 1, 1, 3072, 0, 1, 32611},
          std::vector<double>{1024, 0, 1, 1, 3072, 0, 1, 2229, 3076, 0, 1, 9003}})
    {
        SCOPED_TRACE(keys[7]);
        const Result<Raster> raster =
            test::readBytes("a.tif", TiffBuilder(3, 2, 16, 2).geo(0.25, 0.5, 7, 45, keys).strip(samples).build());
        ASSERT_TRUE(raster) << raster.error().message;
        const Raster back = roundTrip(*raster);
        expectSame(*raster, back);
        EXPECT_EQ(back.bits, 16);
        ASSERT_TRUE(back.placement);
        EXPECT_EQ(back.placement->x, raster->placement->x);
        EXPECT_EQ(back.placement->y, raster->placement->y);
    }
}

TEST(GeoTiffWriter, KeepsFractionsAndVoidsAsFloats)
{
    const Bytes samples = samplesOf<float>(std::array{1.5f, NAN, 3.0f, 1e6f});
    const Result<Raster> raster = test::readBytes("a_2x2.raw", samples);
    ASSERT_TRUE(raster);
    const Raster back = roundTrip(*raster);
    expectSame(*raster, back);
    EXPECT_EQ(back.bits, 32);
}

TEST(GeoTiffWriter, DoesNotMakeAnAssumptionAFact)
{
    const Result<Raster> raster = test::readBytes("a_2x2.raw", samplesOf<std::int16_t>(std::array{1, 2, 3, 4}));
    ASSERT_TRUE(raster);
    EXPECT_FALSE(roundTrip(*raster).placement);
}

TEST(GeoTiffWriter, WhatCannotBeWrittenIsAnOutputError)
{
    const Result<Raster> raster = test::readBytes("a_2x2.raw", samplesOf<std::int16_t>(std::array{1, 2, 3, 4}));
    ASSERT_TRUE(raster);
    const Status status = writeGeoTiff(*raster, "/no/such/folder/out.tif");
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ExitCode::kOutput);
}

TEST(GeoTiffWriter, HeightsThatReadersTakeForMissingAreRefused)
{
    const test::TemporaryFolder folder;
    Raster raster;
    raster.width = raster.height = 2;
    raster.heights = {1, 2, kLargestHeight, -2e7f};
    const Status status = writeGeoTiff(raster, folder / "out.tif");
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ExitCode::kOutput);
    EXPECT_NE(
        status.error().message.find("out.tif: column 1, row 1: found a height of -2e+07 m, expected -1e+07 to 1e+07"),
        std::string::npos)
        << status.error().message;
    EXPECT_FALSE(std::filesystem::exists(folder / "out.tif"));
}

TEST(GeoTiffWriter, KeepsEveryLinearUnit)
{
    constexpr double kClarkeFoot = 0.3047972654;
    for (const auto& [unit, code] : {std::pair(1.0, 9001), std::pair(0.3048, 9002), std::pair(1200.0 / 3937.0, 9003),
                                     std::pair(0.304800609601219, 9003), std::pair(kClarkeFoot, 32767)})
    {
        SCOPED_TRACE(unit);
        Raster raster;
        raster.width = raster.height = 2;
        raster.heights = {1, 2, 3, 4};
        raster.placement = Placement{false, true, 2'000'000, 500'000, 10, 10, unit};
        const std::vector<std::uint16_t> keys = geoTagsOf(raster).directory;
        const auto key = std::size_t(std::ranges::find(keys, kLinearUnits) - keys.begin());
        EXPECT_EQ(keys.at(key + 3), code);
        const Raster back = roundTrip(raster);
        ASSERT_TRUE(back.placement);
        EXPECT_NEAR(back.placement->unit, unit, 1e-15);
        EXPECT_NEAR(back.pixelWidth, 10 * unit, 1e-14);
        EXPECT_EQ(back.placement->x, 2'000'000);
    }
}

TEST(GeoTiffWriter, RotatedRastersKeepTheirPlace)
{
    Raster raster;
    raster.width = raster.height = 2;
    raster.heights = {1, 2, 3, 4.5f};
    raster.crs = "EPSG:32611";
    raster.placement = Placement{false, true, 500'000, 3'762'600, 30, 30, 1.0};
    raster.placement->eastward = {0.8, 0.6};
    raster.placement->southward = {0.6, -0.8};
    const test::TemporaryFolder folder;
    ASSERT_TRUE(writeGeoTiff(raster, folder / "out.tif"));
    const Result<Raster> back = loadRaster(folder / "out.tif");
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_NEAR(back->placement->x, 500'000, 1e-6);
    EXPECT_NEAR(back->placement->y, 3'762'600, 1e-6);
    EXPECT_NEAR(back->placement->eastward.y, 0.6, 1e-12);
    EXPECT_NEAR(back->placement->southward.x, 0.6, 1e-12);
    EXPECT_NEAR(back->pixelWidth, 30, 1e-9);
}

}  // namespace
}  // namespace orogen
