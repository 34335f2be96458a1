// PNG as heights: accepted and refused images, and assumptions about them.
#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>
#include <png.h>

#include "core/terrain/io/load_raster.h"
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

Bytes sixteen(const std::vector<int>& values) { return samplesOf<std::uint16_t>(values, true); }
Bytes eight(const std::vector<int>& values) { return samplesOf<std::uint8_t>(values); }

TEST(Png, SixteenBitCodesAreMetresAndNothingElseIsKnown)
{
    const Result<Raster> raster =
        readBytes("a.png", PngBuilder(3, 2, 16, 0, sixteen({0, 1, 256, 65535, 4, 5})).build());
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->heights, (std::vector<float>{0, 1, 256, 65535, 4, 5}));
    EXPECT_EQ(raster->width, 3);
    EXPECT_EQ(raster->height, 2);
    EXPECT_EQ(raster->format, "PNG");
    EXPECT_EQ(raster->bits, 16);
    EXPECT_EQ(raster->pixelWidth, kUnknownPixel);
    EXPECT_TRUE(warns(*raster, "no units"));
    EXPECT_TRUE(warns(*raster, "no pixel size"));
    EXPECT_FALSE(warns(*raster, "bits a sample"));
}

TEST(Png, EightBitsAndFewerAreWarnedAbout)
{
    const Result<Raster> raster = readBytes("a.png", PngBuilder(2, 2, 8, 0, eight({0, 17, 255, 3})).build());
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->heights, (std::vector<float>{0, 17, 255, 3}));
    EXPECT_EQ(raster->bits, 8);
    EXPECT_TRUE(warns(*raster, "256 steps"));
    const Result<Raster> four = readBytes("a.png", PngBuilder(2, 2, 4, 0, eight({0x1f, 0x30})).build());
    ASSERT_TRUE(four) << four.error().message;
    EXPECT_EQ(four->heights, (std::vector<float>{1, 15, 3, 0}));
    EXPECT_EQ(four->bits, 4);
    EXPECT_TRUE(warns(*four, "16 steps"));
}

TEST(Png, ColourWhoseChannelsAreEqualIsGrey)
{
    const Result<Raster> raster =
        readBytes("a.png", PngBuilder(2, 2, 16, 2, sixteen({7, 7, 7, 300, 300, 300, 9, 9, 9, 0, 0, 0})).build());
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->heights, (std::vector<float>{7, 300, 9, 0}));
    EXPECT_TRUE(warns(*raster, "equal channels"));
}

TEST(Png, ColourIsAnErrorWithItsPlace)
{
    for (const std::vector<int>& pixel : {std::vector{9, 8, 9}, std::vector{9, 9, 8}})
    {
        std::vector<int> samples = {7, 7, 7, 5, 5, 5, 1, 1, 1};
        samples.insert(samples.end(), pixel.begin(), pixel.end());
        const Result<Raster> raster = readBytes("a.png", PngBuilder(2, 2, 8, 2, eight(samples)).build());
        ASSERT_FALSE(raster);
        EXPECT_EQ(raster.error().code, ExitCode::kInput);
        EXPECT_NE(raster.error().message.find("row 1, column 1"), std::string::npos) << raster.error().message;
    }
}

TEST(Png, PalettesAreAnError)
{
    const Result<Raster> raster = readBytes(
        "a.png", PngBuilder(2, 2, 8, 3, eight({0, 1, 0, 1})).chunk("PLTE", eight({0, 0, 0, 255, 255, 255})).build());
    ASSERT_FALSE(raster);
    EXPECT_NE(raster.error().message.find("palette"), std::string::npos) << raster.error().message;
}

TEST(Png, TransparencyIsNoData)
{
    const Result<Raster> alpha =
        readBytes("a.png", PngBuilder(2, 2, 16, 4, sixteen({7, 65535, 8, 0, 9, 1, 10, 256})).build());
    ASSERT_TRUE(alpha) << alpha.error().message;
    EXPECT_EQ(alpha->voids, 1u);
    EXPECT_TRUE(std::isnan(alpha->at(1, 0)));
    const Result<Raster> grey =
        readBytes("a.png", PngBuilder(2, 2, 16, 0, sixteen({7, 300, 9, 300})).chunk("tRNS", sixteen({300})).build());
    ASSERT_TRUE(grey) << grey.error().message;
    EXPECT_EQ(grey->voids, 2u);
}

TEST(Png, ClaimsAreCheckedAgainstTheFile)
{
    for (const auto& [width, height] : {std::pair{60'000, 60'000}, {65'537, 2}, {1, 4}, {0, 2}, {2'000'000'000, 2}})
    {
        SCOPED_TRACE(testing::Message() << width << " x " << height);
        const Bytes liar = PngBuilder(2, 2, 16, 0, sixteen({1, 2, 3, 4})).claim(width, height).build();
        const Result<Raster> raster = readBytes("dir/liar.png", liar);
        ASSERT_FALSE(raster);
        EXPECT_EQ(raster.error().code, ExitCode::kInput);
        EXPECT_TRUE(raster.error().message.starts_with("dir/liar.png: ")) << raster.error().message;
    }
}

// Interlaced output of libpng is read in order.
TEST(Png, InterlacedIsRead)
{
    const test::TemporaryFolder folder;
    const std::string path = folder / "interlaced.png";
    const int width = 13, height = 9;
    std::FILE* file = std::fopen(path.c_str(), "wb");
    ASSERT_NE(file, nullptr);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    png_init_io(png, file);
    png_set_IHDR(png, info, width, height, 16, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_ADAM7, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    std::vector<Bytes> rows;
    std::vector<png_bytep> pointers;
    for (int y = 0; y < height; ++y)
    {
        std::vector<int> values;
        for (int x = 0; x < width; ++x)
            values.push_back(1000 * y + x);
        rows.push_back(sixteen(values));
    }
    for (Bytes& row : rows)
        pointers.push_back(reinterpret_cast<png_bytep>(row.data()));
    png_write_info(png, info);
    png_write_image(png, pointers.data());
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    std::fclose(file);

    const Result<Raster> raster = loadRaster(path);
    ASSERT_TRUE(raster) << raster.error().message;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            ASSERT_EQ(raster->at(x, y), float(1000 * y + x));
}

}  // namespace
}  // namespace orogen
