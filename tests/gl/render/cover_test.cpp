// Overlays on the ground: water, contour lines, imagery.  Checks in small pictures from above where each shows,
// and that measures of the ground do not change.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/colour/colour_ramp.h"
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

// The light map has the shadows of the floor, and the sun of a low sky throws long ones.
TEST_F(Cover, ShadowsOfADeepFloorAreNotOnTheSea)
{
    const auto ridge = [](int x, int) { return x >= 30 && x <= 33 ? 600.0f : 0.0f; };
    ASSERT_NO_FATAL_FAILURE(start(terrainOf(ridge), settings(), kPicture, kPicture));
    Settings wanted = settings();
    wanted.render.sunAzimuth = 90;
    wanted.render.sunElevation = 8;
    const auto brightness = [](const std::array<int, 3>& colour) { return colour[0] + colour[1] + colour[2]; };
    const Image dry = shown(wanted);
    EXPECT_LT(brightness(colourAt(dry, 28, 30)) + 60, brightness(colourAt(dry, 50, 30))) << "shadow in the west";
    wanted.terrain.waterLevel = 640.0f;
    const Image wet = shown(wanted);
    EXPECT_NEAR(brightness(colourAt(wet, 28, 30)), brightness(colourAt(wet, 50, 30)), 6);
    EXPECT_NEAR(brightness(colourAt(wet, 26, 30)), brightness(colourAt(wet, 40, 30)), 6);
}

// Radiance of a display colour (0 ... 255), but for the exposure: the inverse of displayed() in tone.glsl.
double radianceOf(double colour)
{
    const double c = std::pow(colour / 255, 2.2);
    const double a = 2.51 - 2.43 * c, b = 0.03 - 0.59 * c;
    return (-b + std::sqrt(b * b + 4 * a * 0.14 * c)) / (2 * a);
}

// Columns between which a row of the glint is brighter than half its brightest.
std::array<double, 3> halfWidthOf(const std::vector<double>& row)
{
    const auto brightest = std::ranges::max_element(row);
    const auto crossing = [&](std::ptrdiff_t step) {
        auto at = brightest;
        while (at != row.begin() && at + 1 != row.end() && *at > 0.5 * *brightest)
            at += step;
        const double before = *(at - step), t = (before - 0.5 * *brightest) / (before - *at);
        return double(at - row.begin()) - double(step) * (1 - t);
    };
    return {crossing(-1), double(brightest - row.begin()), crossing(1)};
}

// The glint lies where waves mirror the sun towards the camera, wherever that is, and is as wide as the model of Cox
// and Munk says for a wind of 5 m/s.
TEST_F(Cover, TheGlintOfTheSunHasTheSizeOfItsWaves)
{
    Settings wanted = settings();
    wanted.terrain.waterLevel = 50.0f;
    wanted.render.border = Border::kGround;
    wanted.render.shadows = false;
    wanted.render.sunAzimuth = 90;
    wanted.render.sunElevation = 70;
    ASSERT_NO_FATAL_FAILURE(start(terrainOf([](int, int) { return 0.0f; }), wanted, kPicture, kPicture));
    const double variance = 0.5 * (0.003 + 0.00512 * 5), tangent = std::tan(40 * std::numbers::pi / 180);
    const glm::dvec3 sun(std::cos(70 * std::numbers::pi / 180), 0, std::sin(70 * std::numbers::pi / 180));
    std::vector<double> model;
    for (int x = 0; x < kPicture; ++x)
    {
        const glm::dvec3 eye = glm::normalize(glm::dvec3(-(2 * (x + 0.5) / kPicture - 1) * tangent, 0, 1));
        const glm::dvec3 facet = glm::normalize(sun + eye);
        const double slope2 = 1 / (facet.z * facet.z) - 1,
                     fresnel = 0.02 + 0.98 * std::pow(1 - glm::dot(eye, facet), 5);
        model.push_back(fresnel * std::exp(-slope2 / (2 * variance)) / (eye.z * std::pow(facet.z, 4)));
    }
    const auto expected = halfWidthOf(model);
    for (const double east : {0.0, -250.0})
    {
        Camera camera;
        camera.position = {east, 30, 1250};
        camera.pitch = -90;
        camera.fov = 80;
        settle(camera);
        const Image image = picture();
        std::vector<double> drawn;
        for (int x = 0; x < kPicture; ++x)
        {
            const auto radiance = [&](int column) {
                double sum = 0;
                for (int row = kPicture / 2 - 2; row < kPicture / 2 + 2; ++row)
                    sum += radianceOf(image.rgb[3 * std::size_t(row * kPicture + column) + 1]) / 4;
                return sum;
            };
            drawn.push_back(radiance(x) - radiance(std::min(kPicture - 1 - x, kPicture / 4)));  // the sky's reflection
        }
        const auto found = halfWidthOf(drawn);
        EXPECT_NEAR(found[0], expected[0], 1.5) << east;
        EXPECT_NEAR(found[1], expected[1], 2.5) << east;
        EXPECT_NEAR(found[2], expected[2], 1.5) << east;
    }
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

// The colours of a file are those that core computes, at its own heights, over the view's, and turned round.
TEST_F(Cover, AColourRampColoursHeights)
{
    const orogen::test::TemporaryFolder folder;
    std::string table = "B 10/20/30\nF 250/240/230\n";
    for (int i = 0; i < 37; ++i)  // slices of uneven width, some of one colour
        table += fmt::format("{} {}/{}/40 {} {}\n", 50 + i * i / 3.0, 5 * i, 250 - 6 * i, 50 + (i + 1) * (i + 1) / 3.0,
                             i % 3 == 0 ? "-" : fmt::format("{}/90/200", 5 * i));
    Settings wanted = settings();
    wanted.render.shading = Shading::kHypsometric;
    wanted.render.relief = Relief::kNone;
    wanted.render.ramp = folder.write("t.cpt", table);
    const Result<ColourRamp> ramp = readRamp(wanted.render.ramp);
    ASSERT_TRUE(ramp) << ramp.error().message;
    ASSERT_NO_FATAL_FAILURE(start(terrainOf([](int x, int) { return 10.0f * float(x); }), wanted, kPicture, kPicture));
    const auto agree = [&](const Settings& settings, std::optional<HeightRange> view) {
        renderer_->options().viewHeights = view;
        const Image image = shown(settings);
        const RampStretch stretch = stretchOf(&*ramp, settings, {0, 640}, view);
        int compared = 0;
        const double tangent = std::tan(above().fov * std::numbers::pi / 360);
        const auto heightAt = [&](double column) {  // ground that rises towards the east
            const double k = (2 * column / kPicture - 1) * tangent, east = (20'000 - 320) * k / (1 + k / 3);
            return 320 + east / 3;
        };
        for (int x = 1; x < kPicture - 1; ++x)
        {
            const double low = stretch.position(heightAt(x)), high = stretch.position(heightAt(x + 1));
            const glm::dvec3 a = orogen::colourAt(*ramp, low), b = orogen::colourAt(*ramp, high);
            const auto inside = [&](const RampPiece& piece) {
                return std::min(low, high) <= piece.low && piece.low <= std::max(low, high);
            };
            if (glm::distance(a, b) > 0.06 || std::ranges::any_of(ramp->pieces, inside)) continue;  // edges are sharp
            const std::uint8_t* rgb = &image.rgb[3 * std::size_t(kPicture / 2 * kPicture + x)];
            for (int c = 0; c < 3; ++c)
                EXPECT_NEAR(rgb[c], 255 * 0.5 * (a[c] + b[c]), 9) << x << " " << c;
            ++compared;
        }
        EXPECT_GT(compared, kPicture / 3);
    };
    agree(wanted, {});
    wanted.render.tintRange = TintRange::kView;
    agree(wanted, HeightRange{100, 500});
    wanted.render.tintRange = TintRange::kFixed;
    wanted.render.tintLow = 600;
    wanted.render.tintHigh = 50;
    wanted.terrain.heightScale = 1.5f;
    const Image image = shown(wanted);
    EXPECT_EQ(colourAt(image, 1, 20), (std::array{250, 240, 230})) << "below the lowest colour, turned round";
    EXPECT_EQ(colourAt(image, 63, 20), (std::array{10, 20, 30}));
    wanted.render.ramp = folder.write("bad.cpt", "0 red 100 blurple\n");
    const Status refused = renderer_->apply(wanted);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ExitCode::kInput);
}

TEST_F(Cover, ReliefIsShadedAsTheSettingsSay)
{
    ASSERT_NO_FATAL_FAILURE(
        start(terrainOf([](int x, int) { return 15.0f * float(x); }), settings(), kPicture, kPicture));
    Settings wanted = settings();
    wanted.render.shading = Shading::kRelief;
    const auto grey = [&](Relief relief) {
        wanted.render.relief = relief;
        const auto colour = colourAt(shown(wanted), 32, 32);
        EXPECT_EQ(colour[0], colour[2]);
        return colour[0];
    };
    // The ground rises by a half towards the east: gdaldem hillshade -multidirectional writes 228 - 1 of 254 parts.
    const double east = std::sqrt(0.5) * (1 + 0.5) / std::sqrt(1.25);   // light from the west
    const double diagonal = (std::sqrt(0.5) + 0.25) / std::sqrt(1.25);  // from the south-west and north-west
    EXPECT_NEAR(grey(Relief::kMultidirectional), 255 * 0.5 * (east + diagonal), 1.5);
    EXPECT_NEAR(grey(Relief::kSlope), 255 * (1 - std::atan(0.5) * 180 / std::numbers::pi / 60), 1.5);
    EXPECT_EQ(grey(Relief::kNone), 255);
    EXPECT_NEAR(grey(Relief::kDirect), 255 * (0.4511 * 0.5 + 0.7018) / std::sqrt(1.25), 1.5);
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
    ASSERT_TRUE(renderer_->tiles().settle(above(), 30));
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
