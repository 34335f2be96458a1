// GeoTIFF read by tiles against the reader of whole files, at random windows of every level; and damaged files.
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "core/terrain/io/load_raster.h"
#include "core/terrain/sources/geotiff_tiles.h"
#include "tests/support/random.h"
#include "tests/support/raster_files.h"
#include "tests/support/test_scale.h"
#include "tests/support/tiff_pyramids.h"
#include "tests/support/tile_windows.h"

namespace orogen {
namespace {

using test::TiffPyramid;

class GeoTiffByTiles : public testing::Test
{
protected:
    std::string write(const TiffPyramid& how)
    {
        test::writeTiff(folder_ / "a.tif", how);
        return folder_ / "a.tif";
    }
    void expectAsWhole(const TiffPyramid& how, const SourceOverrides& overrides = {})
    {
        const std::string path = write(how);
        const Result<Raster> whole = loadRaster(path, {}, overrides);
        ASSERT_TRUE(whole) << whole.error().message;
        const auto tiles = GeoTiffTiles::open(path, overrides);
        ASSERT_TRUE(tiles) << tiles.error().message;
        const Raster& raster = (*tiles)->raster();
        EXPECT_EQ(raster.width, whole->width);
        EXPECT_EQ(raster.pixelWidth, whole->pixelWidth);
        EXPECT_EQ(raster.crs, whole->crs);
        EXPECT_EQ(raster.placement->y, whole->placement->y);
        EXPECT_GE(raster.minHeight, whole->minHeight);
        EXPECT_LE(raster.maxHeight, whole->maxHeight);
        EXPECT_TRUE((*tiles)->decimated());
        test::expectSamplesOf(*whole, **tiles, how.bits + how.compression);
    }
    Error refusal(const std::string& path, const SourceOverrides& overrides = {})
    {
        const auto tiles = GeoTiffTiles::open(path, overrides);
        if (tiles) return {ExitCode::kDone, "opened"};
        EXPECT_EQ(tiles.error().message.find('\n'), std::string::npos);
        EXPECT_TRUE(tiles.error().message.starts_with(path + ": ")) << tiles.error().message;
        return tiles.error();
    }
    test::TemporaryFolder folder_;
};

TEST_F(GeoTiffByTiles, EveryTypeOfSample)
{
    for (const std::pair<int, int>& type :
         {std::pair(8, SAMPLEFORMAT_UINT), std::pair(16, SAMPLEFORMAT_INT), std::pair(16, SAMPLEFORMAT_UINT),
          std::pair(32, SAMPLEFORMAT_INT), std::pair(32, SAMPLEFORMAT_IEEEFP), std::pair(64, SAMPLEFORMAT_IEEEFP),
          std::pair(64, SAMPLEFORMAT_INT), std::pair(64, SAMPLEFORMAT_UINT), std::pair(16, SAMPLEFORMAT_IEEEFP),
          std::pair(12, SAMPLEFORMAT_UINT), std::pair(24, SAMPLEFORMAT_UINT)})
    {
        const auto [bits, format] = type;
        SCOPED_TRACE(bits * 10 + format);
        TiffPyramid how{.width = 311, .height = 187, .bits = std::uint16_t(bits), .format = std::uint16_t(format)};
        if (bits == 8) how.height_ = [](int x, int y) { return double((x * 7 + y * 3) % 251); };
        expectAsWhole(how);
    }
}

TEST_F(GeoTiffByTiles, EveryLayoutAndCompression)
{
    for (const int compression :
         {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_PACKBITS, COMPRESSION_ZSTD})
        for (const int tile : {0, 32, 64})
            for (const bool swapped : {false, true})
            {
                SCOPED_TRACE(compression * 1000 + tile + swapped);
                const bool predicted = compression == COMPRESSION_LZW || compression == COMPRESSION_ZSTD;
                const auto predictor = std::uint16_t(predicted ? PREDICTOR_HORIZONTAL : PREDICTOR_NONE);
                expectAsWhole({.width = 103,
                               .height = 151,
                               .compression = std::uint16_t(compression),
                               .predictor = predictor,
                               .tile = tile,
                               .big = tile == 32,
                               .swapped = swapped});
            }
    expectAsWhole(
        {.width = 203, .height = 150, .bits = 32, .format = SAMPLEFORMAT_IEEEFP, .predictor = PREDICTOR_FLOATINGPOINT});
}

TEST_F(GeoTiffByTiles, VoidsScaleUnitAndRowsFromTheSouth)
{
    expectAsWhole({.width = 260,
                   .height = 190,
                   .southUp = true,
                   .nodata = "905",
                   .metadata = "<GDALMetadata><Item name=\"SCALE\" sample=\"0\" role=\"scale\">0.25</Item><Item "
                               "name=\"OFFSET\" sample=\"0\" role=\"offset\">-12</Item></GDALMetadata>"});
    SourceOverrides overrides;
    overrides.nodata = 910.0;
    overrides.unit = HeightUnit::kFoot;
    expectAsWhole({.width = 260, .height = 190}, overrides);
}

// Means over a plane lie on it at the centre of their samples, so interpolation reproduces the plane.
TEST_F(GeoTiffByTiles, MeansAreInterpolatedAtTheirPlaces)
{
    const auto plane = [](int x, int y) { return 100 + 0.5 * x + 0.25 * y; };
    const auto tiles = GeoTiffTiles::open(write(
        {.width = 1024, .height = 512, .bits = 32, .format = SAMPLEFORMAT_IEEEFP, .overviews = 3, .height_ = plane}));
    ASSERT_TRUE(tiles) << tiles.error().message;
    EXPECT_FALSE((*tiles)->decimated());
    ASSERT_EQ((*tiles)->levels().images.size(), 4u);
    const auto reader = (*tiles)->openReader();
    for (int level = 0; level < (*tiles)->grid().levels(); ++level)
    {
        const TileWindow window{level, 1, 1, std::max((1024 >> level) - 2, 1), std::max((512 >> level) - 2, 1)};
        std::vector<float> heights(std::size_t(window.width * window.height));
        ASSERT_TRUE((*reader)->read(window, heights));
        for (int y = 0; y < window.height; ++y)
            for (int x = 0; x < window.width; ++x)
                ASSERT_NEAR(heights[std::size_t(y * window.width + x)], plane((1 + x) << level, (1 + y) << level), 1e-3)
                    << "level " << level << ", " << x << ", " << y;
    }
}

TEST_F(GeoTiffByTiles, WithoutOverviewsItSaysThatItIsSlow)
{
    const auto warns = [](const TileSource& source) {
        for (const std::string& warning : source.raster().warnings)
            if (warning.find("orogen import") != std::string::npos) return true;
        return false;
    };
    const auto without = GeoTiffTiles::open(write({.width = 600, .height = 600}));
    ASSERT_TRUE(without);
    EXPECT_TRUE(warns(**without));
    const auto with = GeoTiffTiles::open(write({.width = 600, .height = 600, .overviews = 2}));
    ASSERT_TRUE(with);
    EXPECT_FALSE(warns(**with));
}

TEST_F(GeoTiffByTiles, ReadsOnlyWhatAWindowNeeds)
{
    for (const int compression : {COMPRESSION_NONE, COMPRESSION_ADOBE_DEFLATE})
    {
        const auto tiles =
            GeoTiffTiles::open(write({.width = 1000, .height = 1000, .compression = std::uint16_t(compression)}));
        ASSERT_TRUE(tiles);
        const auto reader = (*tiles)->openReader();
        const std::uint64_t before = (*reader)->bytesRead();
        std::vector<float> heights(64 * 64);
        ASSERT_TRUE((*reader)->read({0, 640, 640, 64, 64}, heights));
        EXPECT_LE((*reader)->bytesRead() - before, 64u * 64 * 2 + 32'768);  // a tile, and a page of the tile list
    }
}

TEST_F(GeoTiffByTiles, DecodedTilesStayWithinTheirBound)
{
    const std::string path = write({.width = 1000, .height = 1000});
    const Result<ByteSource> source = ByteSource::open(path);
    Result<TiffFile> file = TiffFile::open(*source);
    const auto header = readGeoTiffHeader(*file, kMaxTiledSide);
    const std::uint64_t directory = (*file->directories(1))[0];
    const auto samples = TiffSamples::open(path, {{directory, header->layout}}, 64 * 64 * 2 * 5);
    ASSERT_TRUE(samples) << samples.error().message;
    std::vector<int> all(1000);
    for (int i = 0; i < 1000; ++i)
        all[std::size_t(i)] = i;
    std::vector<float> heights(1000);
    for (int y = 0; y < 1000; y += 50)
    {
        ASSERT_TRUE((*samples)->gather(0, all, std::array{y}, heights));
        EXPECT_LE((*samples)->decodedBytes(), 64u * 64 * 2 * 5);
        EXPECT_EQ(heights[77], TiffPyramid{}.height_(77, y));
    }
}

TEST_F(GeoTiffByTiles, AFileThatIsCutIsAnErrorAndReadableAgainWhenItIsWhole)
{
    for (const int compression : {COMPRESSION_NONE, COMPRESSION_ADOBE_DEFLATE})
    {
        const std::string path = write({.width = 400, .height = 400, .compression = std::uint16_t(compression)});
        const std::string bytes = test::contentOf(path);
        const auto tiles = GeoTiffTiles::open(path);
        ASSERT_TRUE(tiles);
        const auto reader = (*tiles)->openReader();
        std::vector<float> heights(400 * 400);
        std::filesystem::resize_file(path, bytes.size() / 2);
        const Status cut = (*reader)->read({0, 0, 0, 400, 400}, heights);
        ASSERT_FALSE(cut);
        EXPECT_EQ(cut.error().code, ExitCode::kInput);
        EXPECT_TRUE(cut.error().message.starts_with(path + ": ")) << cut.error().message;
        folder_.write("a.tif", bytes);
        ASSERT_TRUE((*reader)->read({0, 0, 0, 400, 400}, heights));
        EXPECT_EQ(heights[400 * 399 + 5], TiffPyramid{}.height_(5, 399));
        std::filesystem::remove(path);
        write({.width = 401, .height = 400, .compression = std::uint16_t(compression)});
        std::filesystem::resize_file(path, 700);
    }
}

// Opens and reads: anything but a crash or a second line is accepted.
void openAndReadAll(const std::string& path)
{
    const auto tiles = GeoTiffTiles::open(path);
    if (!tiles)
    {
        EXPECT_EQ(tiles.error().code, ExitCode::kInput) << tiles.error().message;
        EXPECT_EQ(tiles.error().message.find('\n'), std::string::npos);
        return;
    }
    const auto reader = (*tiles)->openReader();
    if (!reader) return;
    std::vector<float> heights(kTileSide * kTileSide);
    for (int level = 0; level < std::min((*tiles)->grid().levels(), 4); ++level)
    {
        const Status status = (*reader)->read({level, 0, 0, kTileSide, kTileSide}, heights);
        EXPECT_TRUE(status || status.error().code == ExitCode::kInput) << status.error().message;
    }
}

TEST_F(GeoTiffByTiles, AnyPrefixAndAnyByte)
{
    const std::string path = write({.width = 90, .height = 80, .tile = 32, .overviews = 2});
    const std::string bytes = test::contentOf(path);
    for (std::size_t length = 0; length < bytes.size(); length += 1 + length / test::scaled(8u, 64u))
        openAndReadAll(folder_.write("cut.tif", std::string_view(bytes).substr(0, length)));
    test::Random random(5);
    for (int i = 0; i < test::scaled(100, 10'000); ++i)
    {
        std::string changed = bytes;
        // Prefers the headers, where changes have most effect.
        const bool anywhere = random.chance(1, 3);
        const std::size_t at = anywhere ? random.below(std::uint32_t(bytes.size()))
                                        : bytes.size() - 1 - random.below(std::uint32_t(bytes.size() / 3));
        changed[at] = char(std::array{0, 1, 0x7f, 0x80, 0xff, 2}[random.below(6)]);
        openAndReadAll(folder_.write("changed.tif", changed));
    }
}

TEST_F(GeoTiffByTiles, DirectoriesThatRunInACircleEnd)
{
    const std::string path = write({.width = 64, .height = 64, .tile = 64, .overviews = 1});
    std::string bytes = test::contentOf(path);
    const auto word = [&](std::size_t at) {
        std::uint32_t v;
        std::memcpy(&v, bytes.data() + at, 4);
        return v;
    };
    const auto nextOf = [&](std::size_t directory) {
        std::uint16_t count;
        std::memcpy(&count, bytes.data() + directory, 2);
        return directory + 2 + count * 12u;
    };
    const std::uint32_t first = word(4), second = word(nextOf(first));
    for (const std::uint32_t to : {first, second})
    {
        std::memcpy(bytes.data() + nextOf(second), &to, 4);
        openAndReadAll(folder_.write("circle.tif", bytes));
    }
}

TEST_F(GeoTiffByTiles, WhatDoesNotFitIsRefused)
{
    EXPECT_NE(refusal(write({.width = 300, .height = 300, .georeference = false})).message.find("--pixel-size"),
              std::string::npos);
    SourceOverrides overrides;
    overrides.pixelSize = PixelSize{5, 5};
    EXPECT_TRUE(GeoTiffTiles::open(folder_ / "a.tif", overrides));
    const auto claim = [&](double width, double height, int tile) {
        test::writeBytes(folder_ / "claim.tif", test::TiffBuilder(2, 2, 16, 2)
                                                    .longs(256, {width})
                                                    .longs(257, {height})
                                                    .geo(30, 30, 0, 0, {1024, 0, 1, 1})
                                                    .tiles(tile, tile)
                                                    .tile(test::Bytes(512))
                                                    .build());
        return refusal(folder_ / "claim.tif").message;
    };
    EXPECT_NE(claim(40'000'000, 4, 16).find("16777216"), std::string::npos);
    EXPECT_NE(claim(1 << 22, 1 << 22, 256).find("can list"), std::string::npos);
    EXPECT_NE(claim(160, 16, 16).find("1 tiles, expected 10"), std::string::npos);  // ten tiles, one of them listed
}

TEST_F(GeoTiffByTiles, OverviewsThatDoNotMatchAreRefused)
{
    EXPECT_TRUE(*overviewLevel("a", 1000, 700, 500, 350) == 1);
    EXPECT_TRUE(*overviewLevel("a", 1001, 701, 501, 351) == 1);
    EXPECT_TRUE(*overviewLevel("a", 1001, 701, 500, 350) == 1);
    EXPECT_TRUE(*overviewLevel("a", 131'072, 300, 257, 1) == 9);
    EXPECT_TRUE(*overviewLevel("a", 1000, 700, 333, 233) == std::nullopt);
    EXPECT_FALSE(overviewLevel("a", 1000, 700, 500, 600));
    EXPECT_FALSE(overviewLevel("a", 1000, 700, 2000, 1400));
}

TEST_F(GeoTiffByTiles, TilesThatAreLeftOutAreVoidsOrWithoutANodataValueSamplesOfZero)
{
    for (const bool named : {true, false})
    {
        test::TiffBuilder builder(32, 16, 16, 2);
        builder.geo(30, 30, 0, 0, {1024, 0, 1, 1}).tiles(16, 16);
        builder.tile(test::samplesOf<std::int16_t>(std::vector<int>(256, 7))).tile({});
        if (named) builder.ascii(42113, "-9999");
        test::writeBytes(folder_ / "sparse.tif", builder.build());
        const auto tiles = GeoTiffTiles::open(folder_ / "sparse.tif");
        ASSERT_TRUE(tiles) << tiles.error().message;
        std::vector<float> heights(32 * 16);
        ASSERT_TRUE((*(*tiles)->openReader())->read({0, 0, 0, 32, 16}, heights));
        EXPECT_EQ(heights[15], 7.0f);
        if (named)
            EXPECT_TRUE(std::isnan(heights[16]));
        else
            EXPECT_EQ(heights[16], 0.0f);
    }
}

}  // namespace
}  // namespace orogen
