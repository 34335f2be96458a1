// Pictures to lay over a terrain: accepted and refused files.
#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "core/terrain/io/picture_reader.h"
#include "tests/support/raster_files.h"

namespace orogen {
namespace {

using test::Bytes;
using test::PngBuilder;
using test::samplesOf;
using test::TiffBuilder;

Bytes eight(const std::vector<int>& values) { return samplesOf<std::uint8_t>(values); }

Result<Picture> readBytes(const std::string& name, const Bytes& bytes)
{
    return readPicture(ByteSource::view(name, bytes));
}

using Rgba = std::array<int, 4>;

Rgba pixelOf(const Picture& picture, int x, int y)
{
    const std::uint8_t* p = &picture.rgba[4 * (std::size_t(y) * std::size_t(picture.width) + std::size_t(x))];
    return {p[0], p[1], p[2], p[3]};
}

TEST(PictureReader, PngsOfEachKindBecomeFourBytesAPixel)
{
    const Result<Picture> grey = readBytes("a.png", PngBuilder(2, 1, 8, 0, eight({7, 255})).build());
    ASSERT_TRUE(grey) << grey.error().message;
    EXPECT_EQ(pixelOf(*grey, 0, 0), (Rgba{7, 7, 7, 255}));
    const Result<Picture> rgb = readBytes("a.png", PngBuilder(1, 2, 8, 2, eight({1, 2, 3, 4, 5, 6})).build());
    ASSERT_TRUE(rgb) << rgb.error().message;
    EXPECT_EQ(pixelOf(*rgb, 0, 1), (Rgba{4, 5, 6, 255}));
    const Result<Picture> rgba = readBytes("a.png", PngBuilder(1, 1, 8, 6, eight({1, 2, 3, 40})).build());
    ASSERT_TRUE(rgba) << rgba.error().message;
    EXPECT_EQ(pixelOf(*rgba, 0, 0), (Rgba{1, 2, 3, 40}));
    const Result<Picture> palette = readBytes(
        "a.png", PngBuilder(2, 1, 8, 3, eight({1, 0})).chunk("PLTE", eight({10, 20, 30, 40, 50, 60})).build());
    ASSERT_TRUE(palette) << palette.error().message;
    EXPECT_EQ(pixelOf(*palette, 0, 0), (Rgba{40, 50, 60, 255}));
    EXPECT_FALSE(palette->placement);
}

TEST(PictureReader, PngsNameTheirOwnerBeforeOrAfterThePixels)
{
    Bytes owner;
    for (const char c : std::string("Copyright\0Survey", 16))
        owner.push_back(std::byte(c));
    const Bytes before = PngBuilder(1, 1, 8, 2, eight({1, 2, 3})).chunk("tEXt", owner).build();
    const Result<Picture> first = readBytes("a.png", before);
    ASSERT_TRUE(first) << first.error().message;
    EXPECT_EQ(first->credit, "Survey");
    constexpr std::ptrdiff_t kTextAt = 8 + 25, kText = 12 + 16, kEnd = 12;  // bytes: after signature and IHDR; IEND
    Bytes after = before;
    std::rotate(after.begin() + kTextAt, after.begin() + kTextAt + kText, after.end() - kEnd);
    const Result<Picture> last = readBytes("a.png", after);
    ASSERT_TRUE(last) << last.error().message;
    EXPECT_EQ(last->credit, "Survey");
    const Result<Picture> cut = readBytes("a.png", Bytes(after.begin(), after.end() - kEnd - 5));
    ASSERT_TRUE(cut) << cut.error().message;  // all pixels are there
    EXPECT_EQ(cut->credit, "");
}

TiffBuilder rgbTiff(int width, int height, const std::vector<int>& values)
{
    TiffBuilder tiff(width, height, 8, 1);
    tiff.shorts(258, {8, 8, 8}).shorts(262, {2}).shorts(277, {3}).shorts(339, {1, 1, 1}).strip(eight(values));
    return tiff;
}

TEST(PictureReader, TiffsOfGreyAndColoursInStripsAndTiles)
{
    const Result<Picture> grey = readBytes("a.tif", TiffBuilder(2, 2, 8, 1).strip(eight({1, 2, 3, 4})).build());
    ASSERT_TRUE(grey) << grey.error().message;
    EXPECT_EQ(pixelOf(*grey, 1, 1), (Rgba{4, 4, 4, 255}));
    const Result<Picture> rgb = readBytes("a.tif", rgbTiff(2, 1, {1, 2, 3, 4, 5, 6}).build());
    ASSERT_TRUE(rgb) << rgb.error().message;
    EXPECT_EQ(pixelOf(*rgb, 1, 0), (Rgba{4, 5, 6, 255}));
    const Result<Picture> white =
        readBytes("a.tif", TiffBuilder(1, 1, 8, 1).shorts(262, {0}).strip(eight({1})).build());
    ASSERT_TRUE(white) << white.error().message;
    EXPECT_EQ(pixelOf(*white, 0, 0), (Rgba{254, 254, 254, 255}));
    std::vector<int> tile(16 * 16, 9);
    tile[16] = 200;  // the first pixel of the second row
    const Result<Picture> tiled = readBytes("a.tif", TiffBuilder(3, 2, 8, 1).tiles(16, 16).tile(eight(tile)).build());
    ASSERT_TRUE(tiled) << tiled.error().message;
    EXPECT_EQ(pixelOf(*tiled, 0, 1), (Rgba{200, 200, 200, 255}));
    EXPECT_EQ(pixelOf(*tiled, 2, 0), (Rgba{9, 9, 9, 255}));
}

TEST(PictureReader, ColoursOfTiffsAreNotMultipliedByAlpha)
{
    for (const auto& [kind, expected] : {std::pair(1, Rgba{128, 64, 26, 100}), std::pair(2, Rgba{50, 25, 10, 100})})
    {
        TiffBuilder tiff = rgbTiff(2, 1, {50, 25, 10, 100, 0, 0, 0, 0});
        tiff.shorts(258, {8, 8, 8, 8}).shorts(277, {4}).shorts(339, {1, 1, 1, 1}).shorts(338, {double(kind)});
        const Result<Picture> picture = readBytes("a.tif", tiff.build());
        ASSERT_TRUE(picture) << picture.error().message;
        EXPECT_EQ(pixelOf(*picture, 0, 0), expected) << "ExtraSamples " << kind;
        EXPECT_EQ(pixelOf(*picture, 1, 0), (Rgba{0, 0, 0, 0}));
    }
}

TEST(PictureReader, SaysInOneLineWhatIsWrong)
{
    const Bytes good = rgbTiff(20, 20, std::vector<int>(1200, 5)).build();
    const Bytes png = PngBuilder(20, 20, 8, 2, eight(std::vector<int>(1200, 5))).build();
    const struct
    {
        const char* name;
        Bytes bytes;
        const char* says;
    } cases[] = {
        {"16.png", PngBuilder(1, 1, 16, 0, samplesOf<std::uint16_t>(std::vector<int>{5}, true)).build(),
         "16 bits a sample, expected 8"},
        {"cut.png", Bytes(png.begin(), png.begin() + 400), "IDAT, row"},
        {"huge.png", PngBuilder(2, 2, 8, 0, eight({1, 2, 3, 4})).claim(60'000, 60'000).build(), "huge.png: "},
        {"16.tif", TiffBuilder(1, 1, 16, 1).strip(eight({1, 2})).build(), "16 bits of sample format 1"},
        {"float.tif", TiffBuilder(1, 1, 32, 3).strip(eight({1, 2, 3, 4})).build(), "32 bits of sample format 3"},
        {"cut.tif", Bytes(good.begin(), good.end() - 600), "row"},
        {"wide.tif", TiffBuilder(70'000, 1, 8, 1).longs(256, {70'000}).strip(eight({1})).build(), "70000 x 1 pixels"},
        {"lab.tif", rgbTiff(1, 1, {1, 2, 3}).shorts(262, {8}).build(), "photometric interpretation 8"},
        {"two.tif", rgbTiff(1, 1, {1, 2}).shorts(277, {2}).shorts(258, {8, 8}).build(), "2 samples a pixel"},
        {"empty.png", Bytes(), "an empty file"},
        {"text.png", eight({'h', 'e', 'l', 'l', 'o', ' ', 'y', 'o', 'u'}), "expected PNG or TIFF"},
    };
    for (const auto& row : cases)
    {
        const Result<Picture> picture = readBytes(row.name, row.bytes);
        ASSERT_FALSE(picture) << row.name;
        const Error& error = picture.error();
        EXPECT_TRUE(error.code == ExitCode::kInput || error.code == ExitCode::kLimit) << row.name;
        EXPECT_NE(error.message.find(row.says), std::string::npos) << error.message;
        EXPECT_EQ(error.message.rfind(row.name, 0), 0u) << error.message;
        EXPECT_EQ(error.message.find('\n'), std::string::npos) << error.message;
    }
}

}  // namespace
}  // namespace orogen
