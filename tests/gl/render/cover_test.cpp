// Overlays on the ground: water, contour lines, a draped image.  Checks in small pictures from above where each shows,
// and that measures of the ground do not change.
#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

#include "core/terrain/raster/height_field.h"
#include "tests/gl/renderer_support.h"

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
TEST_F(Cover, ADrapedImageLiesWhereItIsPlaced)
{
    ASSERT_NO_FATAL_FAILURE(start(terrainOf([](int, int) { return 320.0f; }), settings(), kPicture, kPicture));
    DrapedPicture draped;
    draped.picture.width = draped.picture.height = 64;
    draped.picture.rgba.resize(4 * 64 * 64);
    for (int y = 0; y < 64; ++y)
        for (int x = 0; x < 64; ++x)
        {
            std::uint8_t* p = &draped.picture.rgba[4 * std::size_t(y * 64 + x)];
            const bool east = x >= 32, south = y >= 32;
            p[0] = !east ? 255 : 0, p[1] = east != south ? 255 : 0, p[2] = east && south ? 255 : 0, p[3] = 255;
        }
    // Covers the western half of the terrain: columns 0 to 32, all rows.
    draped.turn = glm::dmat2(1.0 / 32, 0, 0, 1.0 / 64);
    const Image bare = shown(settings());
    ASSERT_TRUE(renderer_->setImage(&draped));
    const Image image = shown(settings());
    const auto is = [&](double column, double row, bool red, bool green, bool blue) {
        const auto c = colourAt(image, column, row);
        const int strong = std::max({c[0], c[1], c[2]}) / 2;
        EXPECT_EQ(c[0] > strong, red) << column << ", " << row;
        EXPECT_EQ(c[1] > strong, green) << column << ", " << row;
        EXPECT_EQ(c[2] > strong, blue) << column << ", " << row;
    };
    is(8, 16, true, false, false);
    is(24, 16, false, true, false);
    is(8, 48, true, true, false);
    is(24, 48, false, false, true);
    EXPECT_EQ(colourAt(image, 48, 16), colourAt(bare, 48, 16)) << "beside it";
    Settings hidden = settings();
    hidden.render.texture = false;
    EXPECT_EQ(shown(hidden).rgb, bare.rgb);
    ASSERT_TRUE(renderer_->setImage(nullptr));
    EXPECT_EQ(shown(settings()).rgb, bare.rgb);
}

TEST_F(Cover, AnImageThatNoTextureHoldsIsRefusedWithTheLimit)
{
    ASSERT_NO_FATAL_FAILURE(start(terrainOf(slopeWithLake), settings(), kPicture, kPicture));
    DrapedPicture draped;
    draped.picture.name = "wide.png";
    draped.picture.width = 65'536;
    draped.picture.height = 1;
    draped.picture.rgba.resize(4 * 65'536);
    const Status refused = renderer_->setImage(&draped);
    if (refused) GTEST_SKIP() << "this driver holds it";
    EXPECT_EQ(refused.error().code, ExitCode::kLimit);
    EXPECT_NE(refused.error().message.find("wide.png: 65536 x 1 pixels"), std::string::npos);
    EXPECT_FALSE(renderer_->terrain().image());
}

}  // namespace
}  // namespace orogen::app
