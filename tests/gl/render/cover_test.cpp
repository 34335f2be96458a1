// Overlays on the ground: water, contour lines, imagery.  Checks in small pictures from above where each shows,
// and that measures of the ground do not change.
#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

#include "core/terrain/imagery/colour_tiles.h"
#include "core/terrain/raster/height_field.h"
#include "tests/gl/renderer_support.h"
#include "tests/support/raster_files.h"
#include "tests/support/temporary_folder.h"

namespace orogen::app {
namespace {

using namespace test;

constexpr int kSide = 65, kPicture = 96;
constexpr double kPixel = 30;

TestTerrain terrainOf(const std::function<float(int x, int y)>& heightOf)
{
    TestTerrain terrain;
    Raster& raster = terrain.raster;
    EXPECT_TRUE(allocateHeights(raster, kSide, kSide));
    raster.pixelWidth = raster.pixelHeight = kPixel;
    for (int y = 0; y < kSide; ++y)
        for (int x = 0; x < kSide; ++x)
            raster.heights[std::size_t(y * kSide + x)] = heightOf(x, y);
    finishRaster(raster, "made");
    terrain.field = quantise(raster);
    Result<StillWater> water = findStillWater(raster, 0);
    EXPECT_TRUE(water);
    terrain.field.water = std::move(*water);
    Result<TerrainBounds> bounds = buildBounds(terrain.field);
    EXPECT_TRUE(bounds);
    terrain.bounds = std::move(*bounds);
    return terrain;
}

// Rises from 0 m in the west to 640 m in the east, with a lake of 20 x 20 samples in the south-east.
float slopeWithLake(int x, int y)
{
    const float ground = 10.0f * float(x);
    if (x < 36 || x > 60 || y < 36 || y > 60) return ground;
    const int rim = std::min({x - 36, 60 - x, y - 36, 60 - y});
    return rim >= 2 ? 340.0f : 340.0f + 6.0f * float(3 - rim);
}

class Cover : public RendererTest
{
protected:
    Settings settings()
    {
        Settings settings = smallSettings();
        settings.render.border = Border::kOpen;
        settings.render.air = Air::kOff;
        settings.render.nearDetail = false;
        settings.render.lakes = false;
        settings.lod.geomorph = false;
        return settings;
    }
    // North is up, and the terrain fills the picture.
    static Camera above()
    {
        Camera camera;
        camera.position = {0, 0, 20'000};
        camera.pitch = -90;
        camera.fov = 2 * std::atan(kPixel * (kSide - 1) / 2 / (20'000 - 320)) * 180 / std::numbers::pi;
        return camera;
    }
    Image shown(const Settings& wanted)
    {
        set(wanted);
        settle(above());
        return picture();
    }
    // Colour at the middle of a terrain cell, counted from the north-west.
    static std::array<int, 3> colourAt(const Image& image, double column, double row)
    {
        const int x = int(column / (kSide - 1) * kPicture), y = int(row / (kSide - 1) * kPicture);
        const std::uint8_t* p = &image.rgb[3 * std::size_t(y * image.width + x)];
        return {p[0], p[1], p[2]};
    }
};

TEST_F(Cover, TheSeaCoversWhatLiesBelowItsLevel)
{
    ASSERT_NO_FATAL_FAILURE(start(terrainOf(slopeWithLake), settings(), kPicture, kPicture));
    Settings wanted = settings();
    const Image dry = shown(wanted);
    wanted.terrain.waterLevel = 200.0f;  // the shore is at column 20
    const Image wet = shown(wanted);
    const auto land = colourAt(wet, 24, 10), sea = colourAt(wet, 4, 10);
    EXPECT_EQ(land, colourAt(dry, 24, 10));
    EXPECT_GT(sea[2], sea[0] + 15) << "deep water is blue";
    EXPECT_EQ(colourAt(wet, 21.5, 10), colourAt(dry, 21.5, 10)) << "just above the shore";
    EXPECT_NE(colourAt(wet, 18, 10), colourAt(dry, 18, 10)) << "just below";
    wanted.terrain.heightScale = 2.0f;  // the level scales with the terrain
    const Image high = shown(wanted);
    EXPECT_GT(colourAt(high, 4, 10)[2], colourAt(high, 4, 10)[0] + 15);
    EXPECT_LE(colourAt(high, 24, 10)[2], colourAt(high, 24, 10)[1]);
}

TEST_F(Cover, LakesAreWhereCellsAreLevel)
{
    ASSERT_NO_FATAL_FAILURE(start(terrainOf(slopeWithLake), settings(), kPicture, kPicture));
    EXPECT_EQ(renderer_->terrain().lakes(), 1);
    Settings wanted = settings();
    const Image dry = shown(wanted);
    wanted.render.lakes = true;
    const Image wet = shown(wanted);
    const auto lake = colourAt(wet, 48, 48);
    EXPECT_GT(lake[2], lake[0] + 15);
    EXPECT_NE(lake, colourAt(dry, 48, 48));
    EXPECT_EQ(colourAt(wet, 48, 20), colourAt(dry, 48, 20));
    EXPECT_EQ(colourAt(wet, 34, 48), colourAt(dry, 34, 48));
    wanted.render.shading = Shading::kSlope;
    const Image slopes = shown(wanted);
    wanted.render.lakes = false;
    EXPECT_EQ(slopes.rgb, shown(wanted).rgb) << "colours of data are about the ground";
}

TEST_F(Cover, TheMeasuredErrorIsThatOfTheGround)
{
    ASSERT_NO_FATAL_FAILURE(start(terrainOf(slopeWithLake), settings(), kPicture, kPicture));
    Settings wanted = settings();
    (void)shown(wanted);
    const Result<PixelFigures> dry = renderer_->checks().measureErrorNow();
    wanted.terrain.waterLevel = 300.0f;
    wanted.render.lakes = true;
    (void)shown(wanted);
    const Result<PixelFigures> wet = renderer_->checks().measureErrorNow();
    ASSERT_TRUE(dry && wet);
    EXPECT_EQ(dry->pixels, wet->pixels);
    EXPECT_EQ(dry->largest, wet->largest);
}

TEST_F(Cover, ContourLinesAreDrawnAtTheirHeights)
{
    ASSERT_NO_FATAL_FAILURE(
        start(terrainOf([](int x, int) { return 10.0f * float(x); }), settings(), kPicture, kPicture));
    Settings wanted = settings();
    const Image plain = shown(wanted);
    wanted.render.contours = true;
    renderer_->options().contourInterval = 160;  // columns 16, 32, 48
    const Image lined = shown(wanted);
    const auto differs = [&](double column) { return colourAt(plain, column, 20) != colourAt(lined, column, 20); };
    EXPECT_TRUE(differs(16.3) || differs(15.7));
    EXPECT_TRUE(differs(48.3) || differs(47.7));
    EXPECT_FALSE(differs(24));
    EXPECT_FALSE(differs(40));
}

// Quarters of known colours must appear in their places, and nowhere else.
TEST_F(Cover, APictureLiesWhereItIsPlaced)
{
    const TestTerrain terrain = terrainOf([](int, int) { return 320.0f; });
    ASSERT_NO_FATAL_FAILURE(start(terrain, settings(), kPicture, kPicture));
    // The picture has no position, so it is stretched over the terrain; its eastern half is transparent.
    orogen::test::Bytes pixels;
    for (int y = 0; y < 64; ++y)
        for (int x = 0; x < 128; ++x)
        {
            const bool east = x >= 32, south = y >= 32, there = x < 64;
            for (const int value : {!east ? 255 : 0, east != south ? 255 : 0, east && south ? 255 : 0, there ? 255 : 0})
                pixels.push_back(std::byte(value));
        }
    const orogen::test::TemporaryFolder folder;
    const std::string file = folder / "quarters.png";
    orogen::test::writeBytes(file, orogen::test::PngBuilder(128, 64, 8, 6, pixels).build());
    const auto image = openImage(file);
    ASSERT_TRUE(image) << image.error().message;
    const auto tiles = ColourTiles::onPlane({{*image, 1.0f}}, terrain.raster);
    ASSERT_TRUE(tiles) << tiles.error().message;
    Result<std::unique_ptr<TileCache>> cache = TileCache::create(*tiles, 32u << 20);
    ASSERT_TRUE(cache) << cache.error().message;
    const Image bare = shown(settings());
    const Status laid = renderer_->setImagery(std::move(*cache));
    ASSERT_TRUE(laid) << laid.error().message;
    ASSERT_TRUE(renderer_->settleTiles(above(), 30));
    const Image picture = shown(settings());
    const auto is = [&](double column, double row, bool red, bool green, bool blue) {
        const auto c = colourAt(picture, column, row);
        const int strong = std::max({c[0], c[1], c[2]}) / 2;
        EXPECT_EQ(c[0] > strong, red) << column << ", " << row;
        EXPECT_EQ(c[1] > strong, green) << column << ", " << row;
        EXPECT_EQ(c[2] > strong, blue) << column << ", " << row;
    };
    is(8, 16, true, false, false);
    is(24, 16, false, true, false);
    is(8, 48, true, true, false);
    is(24, 48, false, false, true);
    EXPECT_EQ(colourAt(picture, 48, 16), colourAt(bare, 48, 16)) << "beside it";
    Settings hidden = settings();
    hidden.imagery.opacity = 0;
    EXPECT_EQ(shown(hidden).rgb, bare.rgb);
    Settings half = settings();
    half.imagery.opacity = 0.5f;
    EXPECT_NE(shown(half).rgb, bare.rgb);
    EXPECT_NE(shown(half).rgb, picture.rgb);
    ASSERT_TRUE(renderer_->changeHeights(terrain.raster, terrain.field, terrain.bounds));
    EXPECT_EQ(shown(settings()).rgb, picture.rgb) << "other heights keep the imagery";
    ASSERT_TRUE(renderer_->setImagery(nullptr));
    EXPECT_EQ(shown(settings()).rgb, bare.rgb);
}

}  // namespace
}  // namespace orogen::app
