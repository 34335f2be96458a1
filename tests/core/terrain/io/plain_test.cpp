// Rasters without a header: SRTM tiles, raw samples, and world files beside images.
#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include "core/terrain/io/hgt_reader.h"
#include "core/terrain/io/load_raster.h"
#include "core/terrain/io/raw_reader.h"
#include "tests/support/raster_files.h"

namespace orogen {
namespace {

using test::Bytes;
using test::PngBuilder;
using test::readBytes;
using test::samplesOf;

bool warns(const Raster& raster, const std::string& part)
{
    for (const std::string& warning : raster.warnings)
        if (warning.find(part) != std::string::npos) return true;
    return false;
}

Bytes hgt(int side, int first, int second)
{
    std::vector<int> samples(std::size_t(side) * std::size_t(side), 100);
    samples[0] = first;
    samples[1] = second;
    return samplesOf<std::int16_t>(samples, true);
}

TEST(Hgt, ReadsBothSizesWithPositionAndVoids)
{
    for (const int side : {1201, 3601})
    {
        SCOPED_TRACE(side);
        const Result<Raster> raster = readBytes("srtm/N34W119.hgt", hgt(side, -32768, -7));
        ASSERT_TRUE(raster) << raster.error().message;
        EXPECT_EQ(raster->width, side);
        EXPECT_EQ(raster->height, side);
        EXPECT_EQ(raster->voids, 1u);
        EXPECT_TRUE(std::isnan(raster->at(0, 0)));
        EXPECT_EQ(raster->minHeight, -7.0f);
        EXPECT_EQ(raster->maxHeight, 100.0f);
        EXPECT_EQ(raster->format, "HGT");
        EXPECT_EQ(raster->crs, "EPSG:4326");
        ASSERT_TRUE(raster->placement);
        EXPECT_EQ(raster->placement->x, -119.0);
        EXPECT_EQ(raster->placement->y, 35.0);  // the name gives the south-western corner
        // Tables give 110.93 km and 91.85 km for a degree at 34.5 north.
        EXPECT_NEAR(raster->north(), 110'930, 20);
        EXPECT_NEAR(raster->east(), 91'850, 30);
    }
}

TEST(Hgt, NamesTellThePosition)
{
    const auto at = [](const std::string& name) { return hgtPosition(name); };
    ASSERT_TRUE(at("N34W119.hgt"));
    EXPECT_EQ(at("N34W119.hgt")->latitude, 34);
    EXPECT_EQ(at("N34W119.hgt")->longitude, -119);
    ASSERT_TRUE(at("/a.b/s01e006.SRTMGL1.hgt"));
    EXPECT_EQ(at("/a.b/s01e006.SRTMGL1.hgt")->latitude, -1);
    EXPECT_EQ(at("/a.b/s01e006.SRTMGL1.hgt")->longitude, 6);
    for (const char* name : {"", "N34.hgt", "X34W119.hgt", "N3aW119.hgt", "N34W119", "N95W119.hgt", "N34W190.hgt"})
        EXPECT_FALSE(at(name)) << name;
}

TEST(Hgt, WithoutAPositionTheEquatorIsAssumed)
{
    const Result<Raster> raster = readBytes("alps.hgt", hgt(1201, 1, 2));
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_NEAR(raster->east(), 111'320, 1);
    EXPECT_TRUE(warns(*raster, "equator"));
}

TEST(Hgt, AnyOtherSizeIsAnErrorWithBothSizes)
{
    for (const std::size_t size : {std::size_t(0), std::size_t(1), std::size_t(2884801), std::size_t(2884803)})
    {
        const Result<Raster> raster = readBytes("N34W119.hgt", Bytes(size));
        ASSERT_FALSE(raster);
        EXPECT_EQ(raster.error().code, ExitCode::kInput);
        EXPECT_NE(raster.error().message.find("2884802"), std::string::npos) << raster.error().message;
        EXPECT_NE(raster.error().message.find("25934402"), std::string::npos) << raster.error().message;
    }
}

TEST(Raw, LengthAndNameTellTheType)
{
    const std::vector<int> values = {1, -2, 3, 40, 50, 60};
    const std::vector<float> heights = {1, -2, 3, 40, 50, 60}, unsignedHeights = {1, 65534, 3, 40, 50, 60};
    const auto read = [](const std::string& name, const Bytes& bytes) {
        const Result<Raster> raster = readBytes(name, bytes);
        EXPECT_TRUE(raster) << name << ": " << raster.error().message;
        return raster ? raster->heights : std::vector<float>();
    };
    EXPECT_EQ(read("a_3x2.raw", samplesOf<std::int16_t>(values)), heights);
    EXPECT_EQ(read("a_3x2.raw", samplesOf<float>(values)), heights);
    EXPECT_EQ(read("a_b_3X2_I16.RAW", samplesOf<std::int16_t>(values)), heights);
    EXPECT_EQ(read("3x2_u16.raw", samplesOf<std::uint16_t>(values)), unsignedHeights);
    EXPECT_EQ(read("a_3x2_i32.raw", samplesOf<std::int32_t>(values)), heights);
    EXPECT_EQ(read("a_3x2_i16be.raw", samplesOf<std::int16_t>(values, true)), heights);
    EXPECT_EQ(read("a_3x2_f32be.raw", samplesOf<float>(values, true)), heights);
    EXPECT_EQ(read("a_3x2.r16", samplesOf<std::uint16_t>(values)), unsignedHeights);
    EXPECT_EQ(read("a_3x2.r32", samplesOf<float>(values)), heights);
    EXPECT_EQ(read("/x_9x9/a_3x2_u32.raw", samplesOf<std::uint32_t>(std::array{1, 2, 3, 4, 5, 6})),
              (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST(Raw, SaysWhatItAssumed)
{
    const Result<Raster> raster = readBytes("a_2x2.raw", samplesOf<std::int16_t>(std::array{1, -32768, 3, 4}));
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->voids, 1u);
    EXPECT_EQ(raster->bits, 16);
    EXPECT_EQ(raster->format, "raw");
    EXPECT_EQ(raster->pixelWidth, kUnknownPixel);
    EXPECT_TRUE(warns(*raster, "little-endian int16"));
    EXPECT_TRUE(warns(*raster, "no pixel size"));
}

TEST(Raw, NotFiniteSamplesAreVoids)
{
    const Result<Raster> raster = readBytes("a_2x2.raw", samplesOf<float>(std::array{1.0f, NAN, -INFINITY, 4.0f}));
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->voids, 2u);
    EXPECT_EQ(raster->maxHeight, 4.0f);
}

TEST(Raw, SizesThatDoNotFitAreErrors)
{
    const auto refuses = [](const std::string& name, std::size_t bytes, const std::string& found) {
        const Result<Raster> raster = readBytes(name, Bytes(bytes));
        ASSERT_FALSE(raster) << name;
        EXPECT_EQ(raster.error().code, ExitCode::kInput) << name;
        EXPECT_TRUE(raster.error().message.starts_with(name + ": ")) << raster.error().message;
        EXPECT_NE(raster.error().message.find(found), std::string::npos) << raster.error().message;
    };
    refuses("a.raw", 8, "NAME_WIDTHxHEIGHT");
    refuses("a_2x.raw", 8, "NAME_WIDTHxHEIGHT");
    refuses("a_2x2x2.raw", 8, "NAME_WIDTHxHEIGHT");
    refuses("a_-2x2.raw", 8, "NAME_WIDTHxHEIGHT");
    refuses("a_99999999999999999999x2.raw", 8, "NAME_WIDTHxHEIGHT");
    refuses("a_2x2.raw", 9, "expected 8 or 16");
    refuses("a_2x2_i32.raw", 8, "expected 16");
    refuses("a_1x4.raw", 8, "1 x 4");
    refuses("a_65537x2.raw", 8, "65537");
    refuses("a_65536x65536.raw", 8, "expected 8589934592 or 17179869184");
    // 2^32 x 2^32 samples overflow to 0 in 64 bits.
    refuses("a_4294967296x4294967296.raw", 0, "4294967296");
}

TEST(WorldFile, GivesAnImageItsPixelSize)
{
    const test::TemporaryFolder folder;
    test::writeBytes(folder / "a.png",
                     PngBuilder(2, 2, 16, 0, samplesOf<std::uint16_t>(std::array{1, 2, 3, 4}, true)).build());
    for (const std::string name : {"a.pgw", "a.pngw", "a.wld"})
    {
        SCOPED_TRACE(name);
        test::ByteWriter text;
        text.text("12.5\n0\n0.0\n -10\n600000\n5000000\n");
        test::writeBytes(folder / name, text.bytes);
        const Result<Raster> raster = loadRaster(folder / "a.png");
        ASSERT_TRUE(raster) << raster.error().message;
        EXPECT_EQ(raster->pixelWidth, 12.5);
        EXPECT_EQ(raster->pixelHeight, 10.0);
        EXPECT_TRUE(warns(*raster, "world file"));
        EXPECT_FALSE(warns(*raster, "no pixel size"));
        std::remove((folder / name).c_str());
    }
}

TEST(WorldFile, DamagedOnesAreSaidAndIgnored)
{
    const test::TemporaryFolder folder;
    test::writeBytes(folder / "a.png",
                     PngBuilder(2, 2, 16, 0, samplesOf<std::uint16_t>(std::array{1, 2, 3, 4}, true)).build());
    for (const std::string content : {"", "1\n2\n3\n", "12\n1\n1\n-12\n0\n0\n", "nan\n0\n0\n-1\n0\n0\n",
                                      "1\n0\n0\n1\n0\n0\n", "x\n0\n0\n-1\n0\n0\n"})
    {
        SCOPED_TRACE(content);
        test::ByteWriter text;
        text.text(content);
        test::writeBytes(folder / "a.pgw", text.bytes);
        const Result<Raster> raster = loadRaster(folder / "a.png");
        ASSERT_TRUE(raster) << raster.error().message;
        EXPECT_EQ(raster->pixelWidth, kUnknownPixel);
        EXPECT_TRUE(warns(*raster, "a.pgw: not a world file"));
    }
}

// A file without line breaks must not be read into memory in search of lines.
TEST(WorldFile, OfAnySizeIsNotRead)
{
    const test::TemporaryFolder folder;
    test::writeBytes(folder / "a.png",
                     PngBuilder(2, 2, 16, 0, samplesOf<std::uint16_t>(std::array{1, 2, 3, 4}, true)).build());
    std::filesystem::resize_file(folder.write("a.pgw", ""), std::uint64_t(8) << 30);
    const Result<Raster> raster = loadRaster(folder / "a.png");
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->pixelWidth, kUnknownPixel);
    EXPECT_TRUE(warns(*raster, "a.pgw: found 8589934592 bytes, expected at most 65536: ignored"));
}

TEST(Raster, WhatIsNoFileIsOneLine)
{
    const test::TemporaryFolder folder;
    test::writeBytes(folder / "empty.tif", {});
    test::writeBytes(folder / "text.tif", Bytes(100, std::byte('a')));
    const auto message = [](const std::string& dem) {
        const Result<Raster> raster = loadRaster(dem);
        EXPECT_FALSE(raster) << dem;
        if (raster) return std::string();
        EXPECT_EQ(raster.error().code, ExitCode::kInput);
        EXPECT_EQ(raster.error().message.find('\n'), std::string::npos);
        return raster.error().message;
    };
    EXPECT_NE(message(folder / "missing.tif").find("No such file"), std::string::npos);
    EXPECT_NE(message(folder / "empty.tif").find("empty file"), std::string::npos);
    EXPECT_NE(message(folder / "text.tif").find("text.tif: not a raster"), std::string::npos);
    EXPECT_NE(message("/dev/null").find("not a regular file"), std::string::npos);
    EXPECT_FALSE(message("").empty());
    EXPECT_NE(message("no\nsuch\nfile").find("no\\nsuch\\nfile"), std::string::npos);
}

// The content decides on the format, whatever the suffix says.
TEST(Raster, SuffixesAreNotBelieved)
{
    const Bytes png = PngBuilder(2, 2, 16, 0, samplesOf<std::uint16_t>(std::array{1, 2, 3, 4}, true)).build();
    const Result<Raster> raster = readBytes("heights.tif", png);
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->format, "PNG");
}

TEST(Raster, HeightAtIsBilinearAroundTheCentre)
{
    // 3 x 2 samples, 10 m and 20 m apart: x from -10 to 10, y from -10 to 10.
    Raster raster;
    raster.width = 3, raster.height = 2;
    raster.heights = {0, 10, 20, 100, 110, 150};
    raster.pixelWidth = 10, raster.pixelHeight = 20;
    EXPECT_EQ(heightAt(raster, -10, 10), 0.0f);
    EXPECT_EQ(heightAt(raster, 10, 10), 20.0f);
    EXPECT_EQ(heightAt(raster, -10, -10), 100.0f);
    EXPECT_EQ(heightAt(raster, 10, -10), 150.0f);
    EXPECT_EQ(heightAt(raster, 5, 10), 15.0f);
    EXPECT_EQ(heightAt(raster, 0, 0), 60.0f);
    EXPECT_EQ(heightAt(raster, 5, 0), (15.0f + 130.0f) / 2);
    EXPECT_EQ(heightAt(raster, 1e9, 1e9), 20.0f);
    EXPECT_EQ(heightAt(raster, -1e9, -1e9), 100.0f);
    raster.heights[0] = NAN;
    EXPECT_TRUE(std::isnan(heightAt(raster, -9, 9)));
    EXPECT_EQ(heightAt(raster, 0, 10), 10.0f);  // voids are left out
}

}  // namespace
}  // namespace orogen
