// Images draped over a terrain: accepted and refused files, and the placement of their colours.
#include <array>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "core/terrain/io/drape.h"
#include "core/terrain/io/gdal_map.h"
#include "core/terrain/io/gdal_reader.h"
#include "core/terrain/io/picture_reader.h"
#include "core/terrain/raster/georeference.h"
#include "core/terrain/raster/projection.h"
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

// ---- reading --------------------------------------------------------------------------------------------------------

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

// ---- placing --------------------------------------------------------------------------------------------------------

Raster terrainAt(const std::string& crs, bool geographic, double x, double y, double step, int width, int height)
{
    Raster raster;
    raster.name = "terrain";
    raster.width = width;
    raster.height = height;
    raster.crs = crs;
    raster.placement = Placement{};
    raster.placement->geographic = geographic;
    raster.placement->x = x;
    raster.placement->y = y;
    raster.placement->stepEast = raster.placement->stepSouth = step;
    EXPECT_TRUE(setPixelSize(raster));
    return raster;
}

Picture pictureAt(const Raster& like, int width, int height)
{
    Picture picture;
    picture.name = "picture";
    picture.width = width;
    picture.height = height;
    picture.crs = like.crs;
    picture.placement = like.placement;
    picture.rgba.assign(std::size_t(width) * std::size_t(height) * 4, 255);
    return picture;
}

TEST(Drape, APictureWithoutAPositionIsStretchedAndThatIsSaid)
{
    const Raster terrain = terrainAt("EPSG:32611", false, 400'000, 3'800'000, 30, 101, 51);
    Picture picture = pictureAt(terrain, 7, 5);
    picture.placement.reset();
    const Result<DrapedPicture> draped = drape(picture, terrain);
    ASSERT_TRUE(draped);
    EXPECT_TRUE(draped->stretched);
    EXPECT_EQ(draped->at({0, 0}), glm::dvec2(0, 0));
    EXPECT_EQ(draped->at({100, 50}), glm::dvec2(1, 1));
    ASSERT_EQ(draped->warnings.size(), 1u);
    EXPECT_NE(draped->warnings[0].find("stretched"), std::string::npos);
}

TEST(Drape, InTheSameSystemEveryPixelLiesWhereItsTagsSay)
{
    const Raster terrain = terrainAt("EPSG:32611", false, 400'000, 3'800'000, 30, 101, 51);
    Picture picture = pictureAt(terrain, 40, 20);
    picture.placement->x = 400'605;  // centre of the first pixel: 600 m and half a pixel east of the first sample
    picture.placement->y = 3'799'695;
    picture.placement->stepEast = picture.placement->stepSouth = 10;
    const Result<DrapedPicture> draped = drape(picture, terrain);
    ASSERT_TRUE(draped) << draped.error().message;
    EXPECT_FALSE(draped->stretched);
    EXPECT_TRUE(draped->warnings.empty());
    const glm::dvec2 corner = draped->at({20, 10}), end = draped->at({20 + 400 / 30.0, 10 + 200 / 30.0});
    EXPECT_NEAR(corner.x, 0, 1e-9);
    EXPECT_NEAR(corner.y, 0, 1e-9);
    EXPECT_NEAR(end.x, 1, 1e-9);
    EXPECT_NEAR(end.y, 1, 1e-9);
}

TEST(Drape, BesideTheTerrainOrInAnUnknownSystemIsAnError)
{
    const Raster terrain = terrainAt("EPSG:32611", false, 400'000, 3'800'000, 30, 101, 51);
    Picture beside = pictureAt(terrain, 40, 20);
    beside.placement->x += 50'000;
    const Result<DrapedPicture> off = drape(beside, terrain);
    ASSERT_FALSE(off);
    EXPECT_EQ(off.error().code, ExitCode::kInput);
    EXPECT_NE(off.error().message.find("outside the terrain"), std::string::npos);
    for (const char* const system : {"EPSG:999999", "a system by name"})
    {
        Picture unknown = pictureAt(terrain, 40, 20);
        unknown.crs = system;
        const Result<DrapedPicture> other = drape(unknown, terrain);
        ASSERT_FALSE(other);
        EXPECT_EQ(other.error().code, ExitCode::kInput);
        EXPECT_NE(other.error().message.find(system), std::string::npos) << other.error().message;
        EXPECT_NE(other.error().message.find("EPSG:32611"), std::string::npos) << other.error().message;
        EXPECT_EQ(other.error().message.find('\n'), std::string::npos) << other.error().message;
    }
    Picture elsewhere = pictureAt(terrain, 40, 20);
    elsewhere.crs = "EPSG:32612";
    const Result<DrapedPicture> far = drape(elsewhere, terrain);
    ASSERT_FALSE(far);
    EXPECT_EQ(far.error().code, ExitCode::kInput);
    EXPECT_NE(far.error().message.find(builtWithGdal() ? "outside the terrain" : "built without"), std::string::npos)
        << far.error().message;
}

// Returns an image whose red counts columns and whose green counts rows.
Picture gridPicture(const std::string& crs, const Placement& placement, int side)
{
    Picture picture;
    picture.name = "picture";
    picture.crs = crs;
    picture.width = picture.height = side;
    picture.placement = placement;
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x)
            for (const int value :
                 {int(std::lround(x * 255.0 / (side - 1))), int(std::lround(y * 255.0 / (side - 1))), 77, 255})
                picture.rgba.push_back(std::uint8_t(value));
    return picture;
}

// Drapes an image in another system on a UTM terrain. Each place must show its own coordinates.
void expectColoursAtTheirPlaces(const Picture& picture, const Raster& terrain,
                                const std::function<MapPoint(double x, double y)>& mapOf)
{
    const Result<DrapedPicture> draped = drape(picture, terrain);
    ASSERT_TRUE(draped) << draped.error().message;
    const int side = picture.width;
    int looked = 0;
    for (int y = 0; y < terrain.height; y += 2)
        for (int x = 0; x < terrain.width; x += 3)
        {
            const Placement& at = *terrain.placement;
            const MapPoint point = mapOf(at.x + at.stepEast * x, at.y - at.stepSouth * y);
            const double column = (point.x - picture.placement->x) / picture.placement->stepEast;
            const double row = (picture.placement->y - point.y) / picture.placement->stepSouth;
            if (column < 2 || row < 2 || column > side - 2 || row > side - 2) continue;
            const glm::dvec2 uv = draped->at({x, y});
            const int px = int(uv.x * draped->picture.width), py = int(uv.y * draped->picture.height);
            ASSERT_TRUE(px >= 0 && py >= 0 && px < draped->picture.width && py < draped->picture.height);
            const Rgba colour = pixelOf(draped->picture, px, py);
            // One step of colour is 1.6 pixels of the image.
            EXPECT_NEAR(colour[0], column * 255 / (side - 1), 1.5) << x << ", " << y;
            EXPECT_NEAR(colour[1], row * 255 / (side - 1), 1.5) << x << ", " << y;
            EXPECT_EQ(colour[3], 255);
            ++looked;
        }
    EXPECT_GT(looked, 20);
}

TEST(Drape, FromDegreesToUtmEveryColourComesToItsPlace)
{
    if (!builtWithGdal()) GTEST_SKIP() << "built without GDAL";
    const Raster terrain = terrainAt("EPSG:32611", false, 390'000, 3'810'000, 300, 30, 20);
    const Placement placement{true, true, -118.24975, 34.44975, 0.0005, 0.0005, 1.0};
    const MapProjection utm = *MapProjection::ofEpsg(32611);
    expectColoursAtTheirPlaces(gridPicture("EPSG:4326", placement, 400), terrain, [&](double x, double y) {
        const LatLong place = *utm.inverse({x, y});
        return MapPoint{place.longitude, place.latitude};
    });
}

// A projection that only GDAL computes.
TEST(Drape, FromAlbersEveryColourComesToItsPlace)
{
    if (!builtWithGdal()) GTEST_SKIP() << "built without GDAL";
    const Raster terrain = terrainAt("EPSG:32611", false, 390'000, 3'810'000, 300, 30, 20);
    const Result<std::unique_ptr<GdalMap>> albers = GdalMap::open("picture", "EPSG:3310");
    ASSERT_TRUE(albers) << albers.error().message;
    const MapProjection utm = *MapProjection::ofEpsg(32611);
    const auto mapOf = [&](double x, double y) {
        const LatLong place = *utm.inverse({x, y});
        MapPoint point;
        (*albers)->forward({&place, 1}, {&point, 1});
        return point;
    };
    const MapPoint corner = mapOf(390'000, 3'810'000);
    const Placement placement{false, true, corner.x - 500, corner.y + 500, 30, 30, 1.0};
    expectColoursAtTheirPlaces(gridPicture("EPSG:3310", placement, 400), terrain, mapOf);
}

TEST(Drape, ReprojectionStopsOnRequest)
{
    if (!builtWithGdal()) GTEST_SKIP() << "built without GDAL";
    const Raster terrain = terrainAt("EPSG:32611", false, 390'000, 3'810'000, 300, 30, 20);
    const Placement placement{true, true, -118.25, 34.45, 0.0005, 0.0005, 1.0};
    const Result<DrapedPicture> draped = drape(gridPicture("EPSG:4326", placement, 400), terrain, [] { return false; });
    ASSERT_FALSE(draped);
    EXPECT_EQ(draped.error().code, ExitCode::kInterrupted);
}

}  // namespace
}  // namespace orogen
