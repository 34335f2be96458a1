// Imagery on planes: positions of pictures in the terrain's own and in other systems, and tiles of their colours.
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <gtest/gtest.h>

#include "core/terrain/imagery/colour_tiles.h"
#include "core/terrain/imagery/picture_map.h"
#include "core/terrain/io/gdal_map.h"
#include "core/terrain/io/gdal_reader.h"
#include "core/terrain/raster/georeference.h"
#include "core/terrain/raster/projection.h"
#include "core/terrain/tiles/tile.h"

namespace orogen::test {
namespace {

Raster terrainAt(const std::string& crs, double x, double y, double step, int width, int height)
{
    Raster raster;
    raster.name = "terrain";
    raster.width = width, raster.height = height;
    raster.crs = crs;
    raster.placement = Placement{.x = x, .y = y, .stepEast = step, .stepSouth = step};
    raster.projection = MapProjection::ofCrs(crs);
    EXPECT_TRUE(setPixelSize(raster));
    return raster;
}

Raster pictureLike(const Raster& terrain, int width, int height)
{
    Raster picture;
    picture.name = "picture";
    picture.width = width, picture.height = height;
    picture.crs = terrain.crs;
    picture.placement = terrain.placement;
    return picture;
}

// Position in the picture of a sample of the terrain.
glm::dvec2 pixelOf(const PictureMap& map, const Raster& terrain, glm::dvec2 sample)
{
    TexelPlaces places;
    places.plane = {sample * glm::dvec2(terrain.pixelWidth, terrain.pixelHeight)};
    glm::dvec2 pixel;
    map.pixelsOf(places, {&pixel, 1});
    return pixel;
}

TEST(PictureMap, APictureWithoutAPositionIsStretchedAndThatIsSaid)
{
    const Raster terrain = terrainAt("EPSG:32611", 400'000, 3'800'000, 30, 101, 51);
    Raster picture = pictureLike(terrain, 70, 50);
    picture.placement.reset();
    const auto map = PictureMap::onPlane(picture, terrain);
    ASSERT_TRUE(map) << map.error().message;
    EXPECT_LT(glm::distance(pixelOf(**map, terrain, {50, 25}), glm::dvec2(34.5, 24.5)), 1e-9);
    EXPECT_EQ(pixelOf(**map, terrain, {0, 0}), glm::dvec2(0, 0)) << "its outermost pixels reach the borders";
    EXPECT_EQ(pixelOf(**map, terrain, {100, 50}), glm::dvec2(69, 49));
    ASSERT_EQ((*map)->warnings().size(), 1u);
    EXPECT_NE((*map)->warnings()[0].find("stretched"), std::string::npos);
    EXPECT_NEAR((*map)->pixelMetres().x, 3000.0 / 70, 1e-9);
}

TEST(PictureMap, InTheSameSystemEveryPixelLiesWhereItsTagsSay)
{
    const Raster terrain = terrainAt("EPSG:32611", 400'000, 3'800'000, 30, 101, 51);
    Raster picture = pictureLike(terrain, 40, 20);
    picture.placement->x = 400'605;  // centre of the first pixel: 600 m and half a pixel east of the first sample
    picture.placement->y = 3'799'695;
    picture.placement->stepEast = picture.placement->stepSouth = 10;
    const auto map = PictureMap::onPlane(picture, terrain);
    ASSERT_TRUE(map) << map.error().message;
    EXPECT_TRUE((*map)->warnings().empty());
    EXPECT_LT(glm::distance(pixelOf(**map, terrain, {20, 10}), glm::dvec2(-0.5)), 1e-9);
    EXPECT_LT(glm::distance(pixelOf(**map, terrain, {20 + 400 / 30.0, 10 + 200 / 30.0}), glm::dvec2(39.5, 19.5)), 1e-9);
    EXPECT_NEAR((*map)->pixelMetres().x, 10, 1e-6);
    EXPECT_TRUE((*map)->meets({0, {590, 290}, {620, 310}}));
    EXPECT_FALSE((*map)->meets({0, {1010, 290}, {1020, 310}}));
}

TEST(PictureMap, BesideTheTerrainOrInAnUnknownSystemIsAnError)
{
    const Raster terrain = terrainAt("EPSG:32611", 400'000, 3'800'000, 30, 101, 51);
    Raster beside = pictureLike(terrain, 40, 20);
    beside.placement->x += 50'000;
    const auto off = PictureMap::onPlane(beside, terrain);
    ASSERT_FALSE(off);
    EXPECT_EQ(off.error().code, ExitCode::kInput);
    EXPECT_NE(off.error().message.find("outside the terrain"), std::string::npos);
    for (const char* const system : {"EPSG:999999", "a system by name"})
    {
        Raster unknown = pictureLike(terrain, 40, 20);
        unknown.crs = system;
        const auto other = PictureMap::onPlane(unknown, terrain);
        ASSERT_FALSE(other);
        EXPECT_EQ(other.error().code, ExitCode::kInput);
        EXPECT_NE(other.error().message.find(system), std::string::npos) << other.error().message;
        EXPECT_NE(other.error().message.find("EPSG:32611"), std::string::npos) << other.error().message;
        EXPECT_EQ(other.error().message.find('\n'), std::string::npos) << other.error().message;
    }
    Raster elsewhere = pictureLike(terrain, 40, 20);
    elsewhere.crs = "EPSG:32612";
    const auto far = PictureMap::onPlane(elsewhere, terrain);
    ASSERT_FALSE(far);
    EXPECT_EQ(far.error().code, ExitCode::kInput);
    EXPECT_NE(far.error().message.find(hasGdal() ? "outside the terrain" : "built without"), std::string::npos)
        << far.error().message;
}

TEST(PictureMap, NowhereOnEarthHasNoAdviceForElevationModels)
{
    const Raster terrain = terrainAt("EPSG:32611", 400'000, 3'800'000, 30, 101, 51);
    Raster unplaced = pictureLike(terrain, 40, 20), unknown = unplaced;
    unplaced.placement.reset();
    unknown.crs.clear();
    for (const Raster& picture : {unplaced, unknown})
    {
        const auto map = PictureMap::onEarth(picture);
        ASSERT_FALSE(map);
        EXPECT_NE(map.error().message.find("lies nowhere on Earth"), std::string::npos) << map.error().message;
        EXPECT_EQ(map.error().message.find("alone"), std::string::npos) << map.error().message;
        EXPECT_EQ(map.error().message.find("--crs"), std::string::npos) << map.error().message;
    }
}

// Compares positions with those of mapOf(), map coordinates of the picture by map coordinates of the terrain.
void expectPixelsAtTheirPlaces(const Raster& picture, const Raster& terrain,
                               const std::function<MapPoint(double x, double y)>& mapOf)
{
    const auto map = PictureMap::onPlane(picture, terrain);
    ASSERT_TRUE(map) << map.error().message;
    const auto other = (*map)->another();
    ASSERT_TRUE(other);
    for (int y = 0; y < terrain.height; y += 2)
        for (int x = 0; x < terrain.width; x += 3)
        {
            const Placement& at = *terrain.placement;
            const MapPoint point = mapOf(at.x + at.stepEast * x, at.y - at.stepSouth * y);
            const glm::dvec2 expected((point.x - picture.placement->x) / picture.placement->stepEast,
                                      (picture.placement->y - point.y) / picture.placement->stepSouth);
            EXPECT_LT(glm::distance(pixelOf(**map, terrain, {x, y}), expected), 0.01) << x << ", " << y;
            EXPECT_EQ(pixelOf(**other, terrain, {x, y}), pixelOf(**map, terrain, {x, y}));
        }
    ASSERT_EQ((*map)->warnings().size(), 1u);
    EXPECT_NE((*map)->warnings()[0].find("reprojected"), std::string::npos);
}

TEST(PictureMap, FromDegreesToUtmEveryPixelComesToItsPlace)
{
    if (!hasGdal()) GTEST_SKIP() << "built without GDAL";
    const Raster terrain = terrainAt("EPSG:32611", 390'000, 3'810'000, 300, 30, 20);
    Raster picture = pictureLike(terrain, 400, 400);
    picture.crs = "EPSG:4326";
    picture.placement = Placement{true, true, -118.24975, 34.44975, 0.0005, 0.0005, 1.0};
    const MapProjection utm = *MapProjection::ofEpsg(32611);
    expectPixelsAtTheirPlaces(picture, terrain, [&](double x, double y) {
        const LatLong place = *utm.inverse({x, y});
        return MapPoint{place.longitude, place.latitude};
    });
}

// A projection that only GDAL computes.
TEST(PictureMap, FromAlbersEveryPixelComesToItsPlace)
{
    if (!hasGdal()) GTEST_SKIP() << "built without GDAL";
    const Raster terrain = terrainAt("EPSG:32611", 390'000, 3'810'000, 300, 30, 20);
    const Result<std::unique_ptr<GdalMap>> albers = GdalMap::open("picture", "EPSG:3310");
    ASSERT_TRUE(albers) << albers.error().message;
    const MapProjection utm = *MapProjection::ofEpsg(32611);
    const auto mapOf = [&](double x, double y) {
        const LatLong place = *utm.inverse({x, y});
        MapPoint point;
        (*albers)->forward({&place, 1}, {&point, 1});
        return point;
    };
    Raster picture = pictureLike(terrain, 400, 400);
    picture.crs = "EPSG:3310";
    const MapPoint corner = mapOf(390'000, 3'810'000);
    picture.placement = Placement{false, true, corner.x - 500, corner.y + 500, 30, 30, 1.0};
    expectPixelsAtTheirPlaces(picture, terrain, mapOf);
}

// The old American datum lies some 80 m off: a conversion without its shift would miss by eight pixels.
TEST(PictureMap, DatumsAreShifted)
{
    if (!hasGdal()) GTEST_SKIP() << "built without GDAL";
    const Raster terrain = terrainAt("EPSG:32611", 390'000, 3'810'000, 300, 30, 20);
    Raster picture = pictureLike(terrain, 1000, 1000);
    picture.crs = "EPSG:26711";
    picture.placement->stepEast = picture.placement->stepSouth = 10;
    const auto map = PictureMap::onPlane(picture, terrain);
    ASSERT_TRUE(map) << map.error().message;
    const glm::dvec2 shift = pixelOf(**map, terrain, {10, 10}) - glm::dvec2(300, 300);
    EXPECT_GT(glm::length(shift), 5);
    EXPECT_LT(glm::length(shift), 30);
}

// ---- tiles ----

// A picture in the terrain's system whose colour is a function of the column and row; 2 stored images.
class Chart final : public ImagerySource
{
public:
    using Colour = std::function<std::array<int, 4>(int column, int row)>;
    Chart(Raster about, Colour colour) : raster_(std::move(about)), colour_(std::move(colour))
    {
        images_ = {{raster_.width, raster_.height}, {(raster_.width + 1) / 2, (raster_.height + 1) / 2}};
    }
    const Raster& raster() const override { return raster_; }
    std::span<const ImageSize> images() const override { return images_; }
    std::string credit() const override { return "Chart Office"; }
    Result<std::unique_ptr<ImageryReader>> openReader() const override
    {
        return std::unique_ptr<ImageryReader>(std::make_unique<Reader>(*this));
    }

private:
    struct Reader final : ImageryReader
    {
        explicit Reader(const Chart& from) : chart(from) {}
        Status read(std::size_t image, const ImageBox& box, std::span<std::uint8_t> rgba) override
        {
            std::size_t i = 0;
            for (int y = box.row; y < box.row + box.height; ++y)
                for (int x = box.column; x < box.column + box.width; ++x)
                    for (const int value : chart.colour_(x << image, y << image))
                        rgba[i++] = std::uint8_t(value);
            return Status::ok();
        }
        std::uint64_t bytesRead() const override { return 0; }
        const Chart& chart;
    };
    Raster raster_;
    Colour colour_;
    std::vector<ImageSize> images_;
};

std::array<int, 4> texel(const ColourTiles& source, const TileKey& key, int x, int y)
{
    Result<std::unique_ptr<TileReader>> reader = source.openReader();
    TileMaker maker(source);
    const Result<std::shared_ptr<const Tile>> tile = (*reader)->make(maker, key, nullptr);
    EXPECT_TRUE(tile) << tile.error().message;
    const std::size_t at = 4 * (std::size_t(y + kColourBorder) * kColourSide + std::size_t(x + kColourBorder));
    std::array<int, 4> colour{};
    for (std::size_t c = 0; tile && c < 4; ++c)
        colour[c] = (*tile)->colours[at + c];
    return colour;
}

TEST(PlaneImagery, TexelsHaveThePictureColoursAndItsCoverage)
{
    const Raster terrain = terrainAt("EPSG:32611", 400'000, 3'800'000, 30, 101, 101);  // 3 km a side
    Raster about = pictureLike(terrain, 300, 300);  // 10 m: its first pixel lies on the first sample
    about.placement->stepEast = about.placement->stepSouth = 10;
    const auto west = std::make_shared<Chart>(about, [](int column, int) {
        return column < 150 ? std::array<int, 4>{255, 0, 0, 255} : std::array<int, 4>{0, 0, 0, 0};
    });
    const auto made = ColourTiles::onPlane({{west, 1.0f}}, terrain);
    ASSERT_TRUE(made) << made.error().message;
    const ColourTiles& tiles = **made;
    EXPECT_EQ(tiles.grid().width(), 301);
    EXPECT_EQ(tiles.credit(), "Chart Office");
    EXPECT_EQ(texel(tiles, {0, 0, 0, 0}, 50, 20), (std::array<int, 4>{255, 0, 0, 255}));
    EXPECT_EQ(texel(tiles, {0, 1, 0, 0}, 40, 20), (std::array<int, 4>{0, 0, 0, 0})) << "column 168 has no colour";
    EXPECT_EQ(texel(tiles, {0, 0, 0, 0}, 128, 5), texel(tiles, {0, 1, 0, 0}, 0, 5)) << "tiles share their border";
    EXPECT_EQ(texel(tiles, {1, 0, 0, 0}, 50, 20), (std::array<int, 4>{255, 0, 0, 255}));
}

TEST(PlaneImagery, LayersLieInOrderWithTheirOpacity)
{
    const Raster terrain = terrainAt("EPSG:32611", 400'000, 3'800'000, 30, 101, 101);
    const auto plain = [&](std::array<int, 4> colour) {
        Raster about = pictureLike(terrain, 101, 101);
        return std::make_shared<Chart>(about, [=](int, int) { return colour; });
    };
    const auto white = plain({255, 255, 255, 255}), black = plain({0, 0, 0, 255});
    const auto at = [&](std::vector<ImageLayer> layers) {
        const auto made = ColourTiles::onPlane(std::move(layers), terrain);
        EXPECT_TRUE(made);
        return texel(**made, {0, 0, 0, 0}, 30, 30);
    };
    EXPECT_EQ(at({{black, 1.0f}, {white, 1.0f}})[0], 255);
    EXPECT_EQ(at({{white, 1.0f}, {black, 1.0f}})[0], 0);
    EXPECT_NEAR(at({{black, 1.0f}, {white, 0.5f}})[0], 128, 1);
    EXPECT_NEAR(at({{white, 0.5f}})[3], 128, 1) << "the ground shows through";
}

TEST(PlaneImagery, FineTilesExistWhereThePictureLies)
{
    const Raster terrain = terrainAt("EPSG:32611", 400'000, 3'800'000, 30, 2001, 2001);  // 60 km a side
    Raster about = pictureLike(terrain, 1000, 1000);                                     // 2 km of 2 m
    about.placement->x += 30'000, about.placement->y -= 30'000;
    about.placement->stepEast = about.placement->stepSouth = 2;
    const auto chart = std::make_shared<Chart>(about, [](int, int) { return std::array<int, 4>{9, 9, 9, 255}; });
    const auto made = ColourTiles::onPlane({{chart, 1.0f}}, terrain);
    ASSERT_TRUE(made) << made.error().message;
    const ColourTiles& tiles = **made;
    EXPECT_EQ(tiles.grid().width(), 30'001);
    const int middle = 15'100 / kTileCells / 2;
    EXPECT_TRUE(tiles.refines({1, middle, middle, 0}));
    EXPECT_FALSE(tiles.refines({1, 3, 3, 0}));
    EXPECT_TRUE(tiles.refines({tiles.grid().levels() - 1, 0, 0, 0}));
}

}  // namespace
}  // namespace orogen::test
