// GeoTIFF: samples, strips and tiles, tags, units; files built from the specification and by libtiff's writer.
#include <cmath>
#include <filesystem>
#include <numbers>
#include <numeric>

#include <gtest/gtest.h>
#include <tiffio.h>

#include "core/terrain/io/load_raster.h"
#include "core/terrain/raster/georeference.h"
#include "core/terrain/sources/open_source.h"
#include "tests/support/raster_files.h"

namespace orogen {
namespace {

using test::Bytes;
using test::readBytes;
using test::samplesOf;
using test::TiffBuilder;

const std::vector<double> kUtm = {1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 32611};
const std::vector<double> kDegrees = {1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, 4326};

std::vector<float> heightsOf(const Result<Raster>& raster) { return raster ? raster->heights : std::vector<float>(); }

bool warns(const Raster& raster, const std::string& part)
{
    for (const std::string& warning : raster.warnings)
        if (warning.find(part) != std::string::npos) return true;
    return false;
}

TEST(GeoTiff, ReadsSamplesOfEveryTypeInBothByteOrders)
{
    const std::vector<float> whole = {0, 1, 2, 3, 100, 90}, fractions = {-1.5f, 0.25f, 3, 4, 5, 1000.5f};
    const std::vector<float> negative = {-12, 1, 2, 3, 100, 90};
    for (const bool big : {false, true})
    {
        SCOPED_TRACE(big ? "big-endian" : "little-endian");
        const auto read = [&](int bits, int format, const Bytes& samples) {
            return heightsOf(readBytes("a.tif", TiffBuilder(3, 2, bits, format, big).strip(samples).build()));
        };
        EXPECT_EQ(read(8, 1, samplesOf<std::uint8_t>(whole, big)), whole);
        EXPECT_EQ(read(8, 2, samplesOf<std::int8_t>(negative, big)), negative);
        EXPECT_EQ(read(16, 1, samplesOf<std::uint16_t>(whole, big)), whole);
        EXPECT_EQ(read(16, 2, samplesOf<std::int16_t>(negative, big)), negative);
        EXPECT_EQ(read(32, 1, samplesOf<std::uint32_t>(whole, big)), whole);
        EXPECT_EQ(read(32, 2, samplesOf<std::int32_t>(negative, big)), negative);
        EXPECT_EQ(read(32, 3, samplesOf<float>(fractions, big)), fractions);
        EXPECT_EQ(read(64, 3, samplesOf<double>(fractions, big)), fractions);
        EXPECT_EQ(read(64, 1, samplesOf<std::uint64_t>(whole, big)), whole);
        EXPECT_EQ(read(64, 2, samplesOf<std::int64_t>(negative, big)), negative);
        const std::vector<int> halves = {0xbe00, 0x3400, 0x4200, 0x0001, 0x8400, 0x63d2};
        EXPECT_EQ(read(16, 3, samplesOf<std::uint16_t>(halves, big)),
                  (std::vector<float>{-1.5f, 0.25f, 3, 0x1p-24f, -0x1p-14f, 1001}));
    }
}

TEST(GeoTiff, HalfFloatsThatAreInfiniteOrNoNumbersAreVoids)
{
    const Result<Raster> raster =
        readBytes("a.tif", TiffBuilder(2, 2, 16, 3)
                               .ascii(42113, "-65504")
                               .strip(samplesOf<std::uint16_t>(std::vector<int>{0x7c00, 0xfc00, 0x7e00, 0xfbff}))
                               .build());
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->voids, 4u);
    EXPECT_EQ(raster->bits, 16);
}

// Packs samples as GDAL's NBITS does: each row starts at a byte boundary.
Bytes packed(const std::vector<std::vector<std::uint32_t>>& rows, int bits)
{
    Bytes bytes;
    for (const std::vector<std::uint32_t>& row : rows)
    {
        std::uint32_t left = 0;  // free bits in the last byte
        for (const std::uint32_t sample : row)
            for (int bit = bits - 1; bit >= 0; --bit)
            {
                if (left == 0) bytes.push_back(std::byte{0}), left = 8;
                bytes.back() |= std::byte((sample >> bit & 1) << --left);
            }
    }
    return bytes;
}

TEST(GeoTiff, ReadsSamplesThatArePackedIntoBits)
{
    for (const int bits : {9, 10, 11, 12, 13, 14, 15})
        for (const bool big : {false, true})
        {
            SCOPED_TRACE(bits);
            const std::uint32_t most = (1u << bits) - 1;
            const std::vector<std::vector<std::uint32_t>> rows = {{0, most, 1}, {most - 1, 300, most / 3}};
            const Result<Raster> raster =
                readBytes("a.tif", TiffBuilder(3, 2, bits, 1, big).strip(packed(rows, bits)).build());
            ASSERT_TRUE(raster) << raster.error().message;
            EXPECT_EQ(raster->bits, bits);
            for (int y = 0; y < 2; ++y)
                for (int x = 0; x < 3; ++x)
                    EXPECT_EQ(raster->at(x, y), float(rows[std::size_t(y)][std::size_t(x)]));
        }
}

TEST(GeoTiff, ReadsSamplesOfThreeBytesInTheFilesOrder)
{
    for (const bool big : {false, true})
    {
        Bytes bytes;
        for (const std::uint32_t sample : {0u, 1u, 0x010203u, 4'000'000u})
            for (int i = 0; i < 3; ++i)
                bytes.push_back(std::byte(sample >> 8 * (big ? 2 - i : i) & 255));
        const Result<Raster> raster = readBytes("a.tif", TiffBuilder(2, 2, 24, 1, big).strip(bytes).build());
        ASSERT_TRUE(raster) << raster.error().message;
        EXPECT_EQ(raster->heights, (std::vector<float>{0, 1, 0x010203, 4'000'000}));
    }
}

TEST(GeoTiff, NodataAtTheEndOfSixtyFourBitsIsFound)
{
    const std::vector<std::int64_t> whole = {INT64_MIN, 5, INT64_MAX, 7};
    const Result<Raster> low = readBytes(
        "a.tif",
        TiffBuilder(2, 2, 64, 2).ascii(42113, "-9223372036854775808").strip(samplesOf<std::int64_t>(whole)).build());
    ASSERT_TRUE(low) << low.error().message;
    EXPECT_TRUE(std::isnan(low->at(0, 0)));
    const Result<Raster> high = readBytes(
        "a.tif",
        TiffBuilder(2, 2, 64, 2).ascii(42113, "9223372036854775807").strip(samplesOf<std::int64_t>(whole)).build());
    ASSERT_TRUE(high) << high.error().message;
    EXPECT_TRUE(std::isnan(high->at(0, 1)));
    EXPECT_EQ(high->at(1, 1), 7.0f);
}

// Writes one place in arc seconds, minutes, grads, milliradians (user-defined) and radians.
TEST(GeoTiff, AnglesThatAreNoDegreesBecomeDegrees)
{
    const double radian = 180 / std::numbers::pi;
    const std::vector<std::pair<double, double>> units = {{9104, 1 / 3600.0}, {9103, 1 / 60.0},        {9105, 0.9},
                                                          {9106, 0.9},        {32767, 0.001 * radian}, {9101, radian}};
    for (const auto& [code, degrees] : units)
    {
        SCOPED_TRACE(code);
        std::vector<double> keys = {1024, 0, 1, 2, 1025, 0, 1, 2, 2048, 0, 1, 4326, 2054, 0, 1, code};
        if (code == 32767) keys.insert(keys.end(), {2055, 34736, 1, 0});
        TiffBuilder builder(2, 2, 16, 2);
        builder.geo(0.01 / degrees, 0.02 / degrees, -118 / degrees, 34 / degrees, keys);
        builder.doubles(34736, {0.001});
        builder.strip(samplesOf<std::int16_t>(std::array{1, 2, 3, 4}));
        const Result<Raster> raster = readBytes("a.tif", builder.build());
        ASSERT_TRUE(raster) << raster.error().message;
        EXPECT_TRUE(raster->placement->geographic);
        EXPECT_NEAR(raster->placement->x, -118, 1e-9);
        EXPECT_NEAR(raster->placement->y, 34, 1e-9);
        EXPECT_NEAR(raster->placement->stepEast, 0.01, 1e-12);
        EXPECT_NEAR(raster->placement->stepSouth, 0.02, 1e-12);
        EXPECT_TRUE(raster->warnings.empty()) << raster->warnings.front();
    }
}

TEST(GeoTiff, AnAngularUnitThatIsNotKnownIsSaid)
{
    const Bytes bytes = TiffBuilder(2, 2, 16, 2)
                            .geo(0.01, 0.01, -118, 34, {1024, 0, 1, 2, 2048, 0, 1, 4326, 2054, 0, 1, 9999})
                            .strip(samplesOf<std::int16_t>(std::array{1, 2, 3, 4}))
                            .build();
    const Result<Raster> raster = readBytes("a.tif", bytes);
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_TRUE(warns(*raster, "angular unit 9999 is not known: read as degrees"));
}

// A sparse file takes no space on disk, but may claim any amount for libtiff to read.
TEST(GeoTiff, TagsThatClaimMuchAreRefusedUnread)
{
    const test::TemporaryFolder folder;
    Bytes bytes = TiffBuilder(2, 2, 16, 2, false, true)
                      .doubles(34736, {1, 2, 3, 4})
                      .strip(samplesOf<std::int16_t>(std::array{1, 2, 3, 4}))
                      .build();
    for (std::size_t entry = 24; entry + 20 < bytes.size(); entry += 20)
        if (std::uint16_t tag = 0; std::memcpy(&tag, &bytes[entry], 2), tag == 34736)
        {
            const std::uint64_t count = 1u << 27;
            std::memcpy(&bytes[entry + 4], &count, 8);
        }
    test::writeBytes(folder / "sparse.tif", bytes);
    std::filesystem::resize_file(folder / "sparse.tif", std::uint64_t(8) << 30);
    for (const TerrainTiles tiles : {TerrainTiles::kAuto, TerrainTiles::kAlways})
    {
        const auto opened = openTerrain(folder / "sparse.tif", {}, tiles);
        ASSERT_FALSE(opened);
        EXPECT_EQ(opened.error().code, ExitCode::kInput);
        EXPECT_NE(opened.error().message.find("tag 34736: 134217728 values of 8 bytes, expected"), std::string::npos)
            << opened.error().message;
    }
}

TEST(GeoTiff, ReadsBigTiff)
{
    for (const bool big : {false, true})
    {
        const Bytes bytes = TiffBuilder(2, 3, 16, 2, big, true)
                                .strip(samplesOf<std::int16_t>(std::array{1, 2, 3, 4, 5, 6}, big))
                                .build();
        EXPECT_EQ(heightsOf(readBytes("a.tif", bytes)), (std::vector<float>{1, 2, 3, 4, 5, 6}));
    }
}

TEST(GeoTiff, ReadsStripsOfAFewRowsWithAShortLastOne)
{
    const Bytes bytes = TiffBuilder(2, 3, 16, 1)
                            .shorts(278, {2})
                            .strip(samplesOf<std::uint16_t>(std::array{1, 2, 3, 4}))
                            .strip(samplesOf<std::uint16_t>(std::array{5, 6}))
                            .build();
    EXPECT_EQ(heightsOf(readBytes("a.tif", bytes)), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST(GeoTiff, ReadsTilesThatHangOverTheEdge)
{
    // 20 x 17 in tiles of 16 x 16; each sample encodes its position.
    TiffBuilder builder(20, 17, 16, 2);
    builder.tiles(16, 16);
    for (int ty = 0; ty < 2; ++ty)
        for (int tx = 0; tx < 2; ++tx)
        {
            std::vector<int> tile;
            for (int y = 0; y < 16; ++y)
                for (int x = 0; x < 16; ++x)
                    tile.push_back((ty * 16 + y) * 100 + tx * 16 + x);
            builder.tile(samplesOf<std::int16_t>(tile));
        }
    const Result<Raster> raster = readBytes("a.tif", builder.build());
    ASSERT_TRUE(raster) << raster.error().message;
    for (int y = 0; y < 17; ++y)
        for (int x = 0; x < 20; ++x)
            ASSERT_EQ(raster->at(x, y), float(y * 100 + x));
}

TEST(GeoTiff, TilesThatAreLeftOutAreVoids)
{
    TiffBuilder builder(32, 16, 16, 2);
    builder.tiles(16, 16).tile(samplesOf<std::int16_t>(std::vector<int>(256, 7))).tile({}).ascii(42113, "-9999");
    const Result<Raster> raster = readBytes("a.tif", builder.build());
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->voids, 256u);
    EXPECT_EQ(raster->at(15, 0), 7.0f);
    EXPECT_TRUE(std::isnan(raster->at(16, 0)));
    EXPECT_TRUE(warns(*raster, "1 strip or tile is left out of the file: voids"));
}

TEST(GeoTiff, TilesThatAreLeftOutWithoutANodataValueAreSamplesOfZero)
{
    for (const int bits : {16, 32})
    {
        TiffBuilder builder(32, 16, bits, bits == 16 ? 2 : 3);
        const std::vector<float> sevens(256, 7);
        builder.tiles(16, 16).tile(bits == 16 ? samplesOf<std::int16_t>(sevens) : samplesOf<float>(sevens)).tile({});
        builder.ascii(42112, "<GDALMetadata><Item name=\"OFFSET\" sample=\"0\" role=\"offset\">-12</Item>"
                             "</GDALMetadata>");
        const Result<Raster> raster = readBytes("a.tif", builder.build());
        ASSERT_TRUE(raster) << raster.error().message;
        EXPECT_EQ(raster->voids, 0u);
        EXPECT_EQ(raster->at(15, 0), -5.0f);
        EXPECT_EQ(raster->at(16, 0), -12.0f);
        EXPECT_TRUE(warns(*raster, "left out of the file: -12 m, since it names no nodata value"));
    }
}

TEST(GeoTiff, PixelSizeAndNameOfAProjectedRaster)
{
    const Bytes bytes = TiffBuilder(3, 2, 16, 2)
                            .geo(30, 20, 376313.5, 3807917.5, kUtm)
                            .strip(samplesOf<std::int16_t>(std::array{1, 2, 3, 4, 5, 6}))
                            .build();
    const Result<Raster> raster = readBytes("a.tif", bytes);
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->format, "GeoTIFF");
    EXPECT_EQ(raster->crs, "EPSG:32611");
    EXPECT_EQ(raster->pixelWidth, 30.0);
    EXPECT_EQ(raster->pixelHeight, 20.0);
    EXPECT_EQ(raster->east(), 60.0);
    EXPECT_EQ(raster->north(), 20.0);
    EXPECT_TRUE(raster->warnings.empty()) << raster->warnings.front();
    ASSERT_TRUE(raster->placement);
    EXPECT_EQ(raster->placement->x, 376313.5 + 15);  // the sample is at the centre of its pixel
    EXPECT_EQ(raster->placement->y, 3807917.5 - 10);
}

TEST(GeoTiff, PixelIsPointLiesOnTheTiePoint)
{
    std::vector<double> keys = kUtm;
    keys[7] = 2;
    const Bytes bytes = TiffBuilder(2, 2, 16, 2)
                            .geo(30, 30, 500, 900, keys)
                            .strip(samplesOf<std::int16_t>(std::array{1, 2, 3, 4}))
                            .build();
    const Result<Raster> raster = readBytes("a.tif", bytes);
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->placement->x, 500);
    EXPECT_EQ(raster->placement->y, 900);
}

TEST(GeoTiff, TiePointNeedNotBeTheFirstPixel)
{
    const Bytes bytes = TiffBuilder(2, 2, 16, 2)
                            .geo(10, 10, 0, 0, kUtm)
                            .doubles(33922, {2, 2, 0, 1000, 2000, 0})
                            .strip(samplesOf<std::int16_t>(std::array{1, 2, 3, 4}))
                            .build();
    const Result<Raster> raster = readBytes("a.tif", bytes);
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->placement->x, 985);
    EXPECT_EQ(raster->placement->y, 2015);
}

// Lengths of a degree on the ellipsoid of NIMA TR8350.2, from printed tables: 110 574 m and 111 320 m at the equator,
// 111 132 m and 78 847 m at 45 degrees, 111 694 m at a pole.
TEST(GeoTiff, DegreesAreThoseOfTheEllipsoid)
{
    EXPECT_NEAR(metresPerDegree(0).north, 110'574.3, 0.5);
    EXPECT_NEAR(metresPerDegree(0).east, 111'319.5, 0.5);
    EXPECT_NEAR(metresPerDegree(45).north, 111'131.8, 0.5);
    EXPECT_NEAR(metresPerDegree(45).east, 78'846.8, 0.5);
    EXPECT_NEAR(metresPerDegree(90).north, 111'693.9, 0.5);
}

TEST(GeoTiff, PixelSizeOfAGeographicRasterIsThatAtItsCentre)
{
    // Two rows, centred at 45 degrees north.
    const Bytes bytes = TiffBuilder(2, 2, 16, 2)
                            .geo(0.001, 0.001, 7, 45.001, kDegrees)
                            .strip(samplesOf<std::int16_t>(std::array{1, 2, 3, 4}))
                            .build();
    const Result<Raster> raster = readBytes("a.tif", bytes);
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_NEAR(raster->pixelWidth, 78.8468, 0.001);
    EXPECT_NEAR(raster->pixelHeight, 111.1318, 0.001);
    EXPECT_EQ(raster->crs, "EPSG:4326");
    EXPECT_TRUE(raster->warnings.empty());
}

TEST(GeoTiff, AWideGeographicRasterIsWarnedAbout)
{
    const Bytes bytes = TiffBuilder(2, 2, 16, 2)
                            .geo(5, 5, 0, 60, kDegrees)
                            .strip(samplesOf<std::int16_t>(std::array{1, 2, 3, 4}))
                            .build();
    const Result<Raster> raster = readBytes("a.tif", bytes);
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_TRUE(warns(*raster, "drawn as a plane"));
}

TEST(GeoTiff, SouthUpAndMirroredMapsAreTurnedRound)
{
    // x decreases with the column, y increases with the row.
    const Bytes bytes = TiffBuilder(2, 3, 16, 2)
                            .doubles(34264, {-30, 0, 0, 1000, 0, 30, 0, 500, 0, 0, 0, 0, 0, 0, 0, 1})
                            .shorts(34735, {1, 1, 0, 1, 1024, 0, 1, 1})
                            .strip(samplesOf<std::int16_t>(std::array{1, 2, 3, 4, 5, 6}))
                            .build();
    const Result<Raster> raster = readBytes("a.tif", bytes);
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->heights, (std::vector<float>{6, 5, 4, 3, 2, 1}));
    EXPECT_EQ(raster->placement->x, 1000 - 30 * 1.5);
    EXPECT_EQ(raster->placement->y, 500 + 30 * 2.5);
    EXPECT_EQ(raster->pixelWidth, 30.0);
}

TEST(GeoTiff, RotatedMapsKeepTheirPixelSizeAndAreWarnedAbout)
{
    const Bytes bytes = TiffBuilder(2, 2, 16, 2)
                            .doubles(34264, {24, 18, 0, 0, 18, -24, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1})
                            .shorts(34735, {1, 1, 0, 1, 1024, 0, 1, 1})
                            .strip(samplesOf<std::int16_t>(std::array{1, 2, 3, 4}))
                            .build();
    const Result<Raster> raster = readBytes("a.tif", bytes);
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->pixelWidth, 30.0);
    EXPECT_EQ(raster->pixelHeight, 30.0);
    EXPECT_TRUE(warns(*raster, "rotated"));
}

TEST(GeoTiff, ATransformationThatEndsEarlyGivesNoPosition)
{
    const Bytes bytes = TiffBuilder(2, 2, 16, 2)
                            .doubles(33550, {30, 30, 0})
                            .doubles(34264, {30, 0, 0, 1000, 0, -30, 0})
                            .shorts(34735, {1, 1, 0, 1, 1024, 0, 1, 1})
                            .strip(samplesOf<std::int16_t>(std::array{1, 2, 3, 4}))
                            .build();
    const Result<Raster> raster = readBytes("a.tif", bytes);
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->pixelWidth, 30.0);
    ASSERT_TRUE(raster->placement);
    EXPECT_FALSE(raster->placement->positioned);
}

TEST(GeoTiff, FeetBecomeMetres)
{
    std::vector<double> keys = kUtm;
    keys.insert(keys.end(), {3076, 0, 1, 9002, 4099, 0, 1, 9003});
    const Bytes bytes = TiffBuilder(2, 2, 16, 2)
                            .geo(100, 100, 0, 0, keys)
                            .strip(samplesOf<std::int16_t>(std::array{3937, 0, 0, 0}))
                            .build();
    const Result<Raster> raster = readBytes("a.tif", bytes);
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_NEAR(raster->pixelWidth, 30.48, 1e-9);
    EXPECT_EQ(raster->maxHeight, 1200.0f);  // definition of the survey foot
    EXPECT_TRUE(warns(*raster, "US survey feet"));
}

TEST(GeoTiff, UtmZonesInWordsAreRecognised)
{
    const std::string words = "PCS Name = WGS_84_UTM_zone_33S|";
    const Bytes bytes = TiffBuilder(2, 2, 16, 2)
                            .geo(30, 30, 0, 0, {1024, 0, 1, 1, 1026, 34737, double(words.size()), 0})
                            .ascii(34737, words)
                            .strip(samplesOf<std::int16_t>(std::array{1, 2, 3, 4}))
                            .build();
    const Result<Raster> raster = readBytes("a.tif", bytes);
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->crs, "EPSG:32733");
}

// PROJ writes the citation "unknown".
TEST(GeoTiff, UnnamedSystemsAreCalledAfterTheirMethod)
{
    const auto crsOf = [](double key, double code) {
        const Result<Raster> raster =
            readBytes("a.tif", TiffBuilder(2, 2, 16, 2)
                                   .geo(30, 30, 500'000, 4'000'000,
                                        {1024, 0, 1, 1, 1026, 34737, 8, 0, 3072, 0, 1, 32767, key, 0, 1, code})
                                   .ascii(34737, "unknown|")
                                   .strip(samplesOf<std::int16_t>(std::array{1, 2, 3, 4}))
                                   .build());
        return raster ? raster->crs : raster.error().message;
    };
    EXPECT_EQ(crsOf(3075, 11), "unnamed (Albers Equal Area)");
    EXPECT_EQ(crsOf(3074, 16011), "unnamed (UTM)");
    EXPECT_EQ(crsOf(3075, 32767), "projected");
}

TEST(GeoTiff, GroundControlPointsAloneAreWarnedAbout)
{
    const Result<Raster> raster = readBytes("a.tif", TiffBuilder(2, 2, 16, 2)
                                                         .doubles(33922, {0, 0, 0, 5e5, 4e6, 0, 2, 2, 0, 6e5, 3e6, 0})
                                                         .strip(samplesOf<std::int16_t>(std::array{1, 2, 3, 4}))
                                                         .build());
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_TRUE(warns(*raster, "2 ground control points (tag 33922) are not used"));
}

TEST(GeoTiff, WithoutATagTheUnitsAreAssumedAndSaid)
{
    const Bytes bytes = TiffBuilder(2, 2, 16, 2).strip(samplesOf<std::int16_t>(std::array{1, 2, 3, 4})).build();
    const Result<Raster> raster = readBytes("a.tif", bytes);
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->format, "TIFF");
    EXPECT_EQ(raster->pixelWidth, kUnknownPixel);
    EXPECT_EQ(raster->crs, "");
    EXPECT_TRUE(warns(*raster, "no pixel size"));
}

TEST(GeoTiff, NodataBecomesVoids)
{
    const auto read = [](int bits, int format, const Bytes& samples, const std::string& nodata) {
        return readBytes("a.tif", TiffBuilder(2, 2, bits, format).ascii(42113, nodata).strip(samples).build());
    };
    const Result<Raster> whole = read(16, 2, samplesOf<std::int16_t>(std::array{1, 32767, 3, 4}), "32767");
    ASSERT_TRUE(whole);
    EXPECT_EQ(whole->voids, 1u);
    EXPECT_EQ(whole->maxHeight, 4.0f);
    // GDAL's text of the lowest float, with more digits than a float has.
    const Result<Raster> least =
        read(32, 3, samplesOf<float>(std::array{1.0f, -3.4028235e38f, 3.0f, 4.0f}), "-3.4028234663852886e+38");
    ASSERT_TRUE(least);
    EXPECT_EQ(least->voids, 1u);
    const Result<Raster> nan = read(32, 3, samplesOf<float>(std::array{1.0f, NAN, INFINITY, 4.0f}), "nan");
    ASSERT_TRUE(nan);
    EXPECT_EQ(nan->voids, 2u);
    // A half float has 11 bits: the sample of -9999 is -10000 (0xf0e2), and its neighbour is -9992 (0xf0e1).
    const Result<Raster> half =
        read(16, 3, samplesOf<std::uint16_t>(std::array{0x3c00, 0xf0e2, 0xf0e1, 0x4400}), "-9999");
    ASSERT_TRUE(half) << half.error().message;
    EXPECT_EQ(half->voids, 1u);
    EXPECT_EQ(half->minHeight, -9992.0f);
    EXPECT_EQ(half->maxHeight, 4.0f);
    const Result<Raster> outside = read(16, 1, samplesOf<std::uint16_t>(std::array{1, 2, 3, 4}), "-9999");
    ASSERT_TRUE(outside);
    EXPECT_EQ(outside->voids, 0u);
    EXPECT_TRUE(warns(*outside, "out of the range of uint16"));
}

TEST(GeoTiff, MarksThatNoTagNamesAreVoidsAndSaid)
{
    const Bytes samples = samplesOf<float>(std::array{1.0f, -3.4028235e38f, 1e20f, 4.0f});
    const Result<Raster> raster = readBytes("a.tif", TiffBuilder(2, 2, 32, 3).strip(samples).build());
    ASSERT_TRUE(raster);
    EXPECT_EQ(raster->voids, 2u);
    EXPECT_EQ(raster->maxHeight, 4.0f);
    EXPECT_TRUE(warns(*raster, "2 samples beyond"));
}

TEST(GeoTiff, TheVoidOfSrtmNeedsNoTag)
{
    const Result<Raster> raster = readBytes(
        "a.tif", TiffBuilder(2, 2, 16, 2).strip(samplesOf<std::int16_t>(std::array{1, -32768, 3, 4})).build());
    ASSERT_TRUE(raster);
    EXPECT_EQ(raster->voids, 1u);
    EXPECT_EQ(raster->minHeight, 1.0f);
}

TEST(GeoTiff, ScaleAndOffsetOfGdalAreApplied)
{
    const std::string xml = "<GDALMetadata>\n  <Item name=\"OFFSET\" sample=\"0\" role=\"offset\">100</Item>\n  <Item "
                            "name=\"SCALE\" sample=\"0\" role=\"scale\">0.5</Item>\n</GDALMetadata>";
    const Result<Raster> raster = readBytes("a.tif", TiffBuilder(2, 2, 16, 1)
                                                         .ascii(42112, xml)
                                                         .ascii(42113, "4")
                                                         .strip(samplesOf<std::uint16_t>(std::array{1, 2, 3, 4}))
                                                         .build());
    ASSERT_TRUE(raster);
    EXPECT_EQ(raster->minHeight, 100.5f);
    EXPECT_EQ(raster->maxHeight, 101.5f);
    EXPECT_EQ(raster->voids, 1u);  // the nodata value applies to samples
}

TEST(GeoTiff, OfSeveralBandsTheFirstIsRead)
{
    const Bytes mixed = samplesOf<std::int16_t>(std::array{1, 90, 2, 91, 3, 92, 4, 93});
    const Result<Raster> raster = readBytes(
        "a.tif",
        TiffBuilder(2, 2, 16, 2).shorts(277, {2}).shorts(258, {16, 16}).shorts(339, {2, 2}).strip(mixed).build());
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->heights, (std::vector<float>{1, 2, 3, 4}));
    EXPECT_TRUE(warns(*raster, "2 bands"));
}

TEST(GeoTiff, EightBitsAndHeightsOffTheEarthAreWarnedAbout)
{
    const Result<Raster> eight =
        readBytes("a.tif", TiffBuilder(2, 2, 8, 1).strip(samplesOf<std::uint8_t>(std::array{1, 2, 3, 4})).build());
    ASSERT_TRUE(eight);
    EXPECT_EQ(eight->bits, 8);
    EXPECT_TRUE(warns(*eight, "8 bits"));
    const Result<Raster> high =
        readBytes("a.tif", TiffBuilder(2, 2, 32, 3).strip(samplesOf<float>(std::array{1, 2, 3, 20'000})).build());
    ASSERT_TRUE(high);
    EXPECT_TRUE(warns(*high, "Earth"));
}

struct Refused
{
    const char* what;
    TiffBuilder builder;
    const char* found;
};

TEST(GeoTiff, WhatItCannotBeIsRefusedWithTheTag)
{
    const Bytes four = samplesOf<std::int16_t>(std::array{1, 2, 3, 4});
    const std::vector<Refused> cases = {
        {"1 bit", TiffBuilder(2, 2, 1, 1).strip(four), "258"},
        {"7 bits", TiffBuilder(2, 2, 7, 1).strip(four), "258"},
        {"12 bits with a sign", TiffBuilder(2, 2, 12, 2).strip(four), "339"},
        {"floats of 24 bits", TiffBuilder(2, 2, 24, 3).strip(four).strip(four), "339"},
        {"complex", TiffBuilder(2, 2, 32, 5).strip(four).strip(four), "339"},
        {"a column", TiffBuilder(1, 2, 16, 2).strip(four), "1 x 2"},
        {"CCITT", TiffBuilder(2, 2, 16, 2).shorts(259, {4}).strip(four), "259"},
        {"RGB", TiffBuilder(2, 2, 8, 1).shorts(262, {2}).shorts(277, {3}).strip(four).strip(four), "262"},
        {"palette", TiffBuilder(2, 2, 8, 1).shorts(262, {3}).shorts(320, std::vector<double>(768)).strip(four), "262"},
        {"no samples", TiffBuilder(2, 2, 16, 2).shorts(277, {0}).strip(four), ""},
        {"pixel of 0", TiffBuilder(2, 2, 16, 2).geo(0, 30, 0, 0, kUtm).strip(four), "pixel size"},
        {"pixel of nan", TiffBuilder(2, 2, 16, 2).geo(NAN, 30, 0, 0, kUtm).strip(four), "finite"},
        {"beyond a pole", TiffBuilder(2, 2, 16, 2).geo(1, 1, 0, 200, kDegrees).strip(four), "latitude"},
        {"short strip", TiffBuilder(20, 20, 16, 2).strip(four), "strip 0"},
        {"65537 a side", TiffBuilder(2, 2, 16, 2).longs(256, {65'537}).strip(four), "65537"},
        {"more than it holds", TiffBuilder(2, 2, 16, 2).longs(256, {60'000}).longs(257, {60'000}).strip(four), "hold"},
        {"huge tile", TiffBuilder(2, 2, 16, 2).tiles(1 << 20, 1 << 20).strip(four), ""},
    };
    for (Refused one : cases)
    {
        SCOPED_TRACE(one.what);
        const Result<Raster> raster = readBytes("folder/bad.tif", one.builder.build());
        ASSERT_FALSE(raster);
        EXPECT_EQ(raster.error().code, ExitCode::kInput);
        EXPECT_TRUE(raster.error().message.starts_with("folder/bad.tif: ")) << raster.error().message;
        EXPECT_EQ(raster.error().message.find('\n'), std::string::npos);
        EXPECT_NE(raster.error().message.find(one.found), std::string::npos) << raster.error().message;
    }
}

// Encodings that libtiff writes and this reader must read: compression, predictor, strips and tiles.
struct Encoding
{
    int compression, predictor, bits, format;
    bool tiled;
};

std::vector<float> waves(int width, int height)
{
    std::vector<float> values;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            values.push_back(std::floor(500 + 300 * std::sin(float(x) / 9) + 100 * std::cos(float(y) / 5)));
    return values;
}

template <class T>
void writeEncoded(const std::string& path, const Encoding& how, int width, int height, const std::vector<float>& values)
{
    TIFF* tiff = TIFFOpen(path.c_str(), "w");
    ASSERT_NE(tiff, nullptr);
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, how.bits);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, how.format);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, how.compression);
    if (how.predictor > 1) TIFFSetField(tiff, TIFFTAG_PREDICTOR, how.predictor);
    const int side = 32;
    if (how.tiled)
        TIFFSetField(tiff, TIFFTAG_TILEWIDTH, side), TIFFSetField(tiff, TIFFTAG_TILELENGTH, side);
    else
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 7);
    const auto valueAt = [&](int x, int y) {
        return T(values[std::size_t(std::min(y, height - 1) * width + std::min(x, width - 1))]);
    };
    if (how.tiled)
        for (int ty = 0; ty < height; ty += side)
            for (int tx = 0; tx < width; tx += side)
            {
                std::vector<T> tile;
                for (int y = 0; y < side; ++y)
                    for (int x = 0; x < side; ++x)
                        tile.push_back(valueAt(tx + x, ty + y));
                TIFFWriteTile(tiff, tile.data(), std::uint32_t(tx), std::uint32_t(ty), 0, 0);
            }
    for (int y = 0; y < height && !how.tiled; ++y)
    {
        std::vector<T> row;
        for (int x = 0; x < width; ++x)
            row.push_back(valueAt(x, y));
        TIFFWriteScanline(tiff, row.data(), std::uint32_t(y), 0);
    }
    TIFFClose(tiff);
}

TEST(GeoTiff, ReadsEveryCompressionAndPredictorThatLibtiffWrites)
{
    const test::TemporaryFolder folder;
    const std::vector<float> values = waves(75, 40);
    for (const int compression : {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_DEFLATE,
                                  COMPRESSION_PACKBITS, COMPRESSION_ZSTD, COMPRESSION_LERC})
        for (const int predictor : {1, 2, 3})
            for (const bool tiled : {false, true})
            {
                if (!TIFFIsCODECConfigured(std::uint16_t(compression))) continue;
                const bool predicts = compression == COMPRESSION_LZW || compression == COMPRESSION_ADOBE_DEFLATE ||
                                      compression == COMPRESSION_DEFLATE || compression == COMPRESSION_ZSTD;
                if (predictor > 1 && !predicts) continue;
                SCOPED_TRACE(testing::Message() << compression << " predictor " << predictor << " tiled " << tiled);
                const std::string path = folder / "encoded.tif";
                if (predictor == 3)
                    writeEncoded<float>(path, {compression, 3, 32, 3, tiled}, 75, 40, values);
                else
                    writeEncoded<std::int16_t>(path, {compression, predictor, 16, 2, tiled}, 75, 40, values);
                const Result<Raster> raster = loadRaster(path);
                ASSERT_TRUE(raster) << raster.error().message;
                EXPECT_EQ(raster->heights, values);
            }
}

TEST(GeoTiff, StopsWhenTold)
{
    const Bytes bytes = TiffBuilder(2, 100, 16, 1).strip(Bytes(400)).build();
    int calls = 0;
    const Result<Raster> raster =
        readRaster(ByteSource::view("a.tif", bytes), [&](double, const std::string&) { return ++calls < 5; });
    ASSERT_FALSE(raster);
    EXPECT_EQ(raster.error().code, ExitCode::kInterrupted);
    EXPECT_EQ(calls, 5);
}

}  // namespace
}  // namespace orogen
