// The Earth around a terrain: heights, slopes and colours at their places.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "core/terrain/earth/earth_source.h"
#include "core/terrain/imagery/surroundings.h"
#include "core/terrain/io/load_raster.h"
#include "core/terrain/raster/projection.h"
#include "tests/support/places.h"
#include "tests/support/raster_files.h"
#include "tests/support/temporary_folder.h"

namespace orogen::test {
namespace {

const std::string kAssets = std::string(OROGEN_ROOT) + "/assets/";
const std::string kRelief = kAssets + "earth/etopo5.tif", kPicture = kAssets + "earth/blue_marble.tif";
constexpr int kColumns = int(gpu::kSurroundingColumns), kSide = kColumns / 4;

class SurroundingsTest : public testing::Test
{
protected:
    void SetUp() override
    {
        Result<Raster> raster = loadRaster(kAssets + "heightmaps/bigtujunga.tif");
        ASSERT_TRUE(raster) << raster.error().message;
        terrain_ = std::move(*raster);
        Result<std::optional<Surroundings>> made = surroundingsOf(terrain_, kRelief, kPicture);
        ASSERT_TRUE(made) << made.error().message;
        ASSERT_TRUE(*made);
        around_ = std::move(**made);
    }

    const Surroundings::Ground& ground(int row, int column) const
    {
        return around_.ground[std::size_t(row * kColumns + column)];
    }
    const std::uint8_t* colour(int row, int column) const
    {
        return &around_.colours[std::size_t(4 * (row * kColumns + column))];
    }

    Raster terrain_;
    Surroundings around_;
};

// In the middle of each side, the land lies straight outwards, at the row's distance.
TEST_F(SurroundingsTest, HeightsAreTheReliefs)
{
    const Result<EarthRelief> relief = EarthRelief::read(kRelief);
    ASSERT_TRUE(relief) << relief.error().message;
    const std::optional<TerrainGeography> geography = TerrainGeography::of(terrain_);
    ASSERT_TRUE(geography);
    const double east = terrain_.east() / 2, north = terrain_.north() / 2;
    int land = 0;
    for (const int row : {0, 7, 18})
    {
        const double d = Surroundings::distanceOf(row);
        const double places[4][2] = {{0, -north - d}, {east + d, 0}, {0, north + d}, {-east - d, 0}};
        for (int side = 0; side < 4; ++side)
        {
            SCOPED_TRACE("row " + std::to_string(row) + ", side " + std::to_string(side));
            const Surroundings::Ground& found = ground(row, side * kSide + kSide / 2);
            const auto at = [&](double x, double y) {
                const std::optional<LatLong> place = geography->place(x, y);
                return double(relief->heightAt(place->latitude, place->longitude));
            };
            const double height = at(places[side][0], places[side][1]);
            EXPECT_NEAR(double(found.height), height, 0.01);
            const double step = relief->spacing() / 2;
            EXPECT_NEAR(double(found.east),
                        (at(places[side][0] + step, places[side][1]) - at(places[side][0] - step, places[side][1])) /
                            (2 * step),
                        1e-5);
            EXPECT_NEAR(double(found.north),
                        (at(places[side][0], places[side][1] + step) - at(places[side][0], places[side][1] - step)) /
                            (2 * step),
                        1e-5);
            land += height > 100;
        }
    }
    EXPECT_GT(land, 8);
    float highest = around_.ground[0].height;
    for (const Surroundings::Ground& one : around_.ground)
        highest = std::max(highest, one.height);
    EXPECT_EQ(around_.highest, highest);
    EXPECT_GT(highest, terrain_.maxHeight);
}

// A map's projection ends, or stretches the Earth, where the land goes on to the horizon.
TEST_F(SurroundingsTest, FarPlacesLieAtTheirDistanceAndDirection)
{
    const Result<EarthRelief> relief = EarthRelief::read(kRelief);
    ASSERT_TRUE(relief) << relief.error().message;
    const LatLong centre = *TerrainGeography::of(terrain_)->place(0, 0);
    // Eastwards along a great circle: Texas, the Bahamas, the Atlantic.
    for (const int row : {72, 78, 84, 87})
    {
        SCOPED_TRACE(row);
        const double metres = terrain_.east() / 2 + Surroundings::distanceOf(row);
        const double angle = 2 * std::atan(metres / (2 * double(gpu::kAirRadius)));
        const double from = centre.latitude * std::numbers::pi / 180, degrees = 180 / std::numbers::pi;
        const double latitude = std::asin(std::sin(from) * std::cos(angle)) * degrees;
        const double longitude =
            centre.longitude + std::atan2(std::sin(angle), std::cos(from) * std::cos(angle)) * degrees;
        // The sample is a mean over some hundred kilometres.
        double sum = 0;
        const double wide = 8 * Surroundings::distanceOf(row) / kColumns / 111e3;
        for (int i = 0; i < 25; ++i)
            sum += double(relief->heightAt(latitude + wide * (i / 5 - 2) / 4, longitude + wide * (i % 5 - 2) / 4));
        EXPECT_NEAR(double(ground(row, kSide + kSide / 2).height), sum / 25, 500);
    }
}

// South-west of Los Angeles lies the Pacific, north-east the Mojave desert.
TEST_F(SurroundingsTest, SeaAndDesertAreWhereTheyAre)
{
    EXPECT_DOUBLE_EQ(Surroundings::distanceOf(48), 128'000);
    EXPECT_LT(ground(48, 0).height, -200.0f);
    EXPECT_GT(ground(42, 2 * kSide).height, 300.0f);
    const std::uint8_t* desert = colour(42, 2 * kSide);
    EXPECT_GT(int(desert[0]), int(desert[2]) + 20) << "brown";
    EXPECT_GT(int(desert[1]), 60);
    EXPECT_EQ(int(desert[3]), 255);
}

TEST_F(SurroundingsTest, ThereAreNoneWithoutAPlaceOnTheEarth)
{
    terrain_.placement.reset();
    terrain_.crs.clear();
    const Result<std::optional<Surroundings>> none = surroundingsOf(terrain_, kRelief, kPicture);
    ASSERT_TRUE(none) << none.error().message;
    EXPECT_FALSE(*none);
}

TEST_F(SurroundingsTest, AMissingFileIsNamed)
{
    const Result<std::optional<Surroundings>> none = surroundingsOf(terrain_, kAssets + "none.tif", kPicture);
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().message.find("none.tif"), std::string::npos) << none.error().message;
}

TEST_F(SurroundingsTest, APictureOfAPartOfTheEarthIsRefused)
{
    const TemporaryFolder folder;
    TiffBuilder part(6, 3, 8, 1);
    part.shorts(258, {8, 8, 8}).shorts(262, {2}).shorts(277, {3}).shorts(339, {1, 1, 1});
    part.geo(10, 10, -140, 50, {1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, 4326}).strip(Bytes(3 * 6 * 3, std::byte(90)));
    writeBytes(folder / "part.tif", part.build());
    const Result<std::optional<Surroundings>> none = surroundingsOf(terrain_, kRelief, folder / "part.tif");
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ExitCode::kInput);
    EXPECT_TRUE(none.error().message.ends_with("part.tif: covers a part of the Earth, expected all of it"))
        << none.error().message;
}

// A map of the whole Earth has no land around it.
TEST_F(SurroundingsTest, AMapOfTheEarthHasNone)
{
    const Result<Raster> earth = loadRaster(kRelief);
    ASSERT_TRUE(earth) << earth.error().message;
    const Result<std::optional<Surroundings>> none = surroundingsOf(*earth, kRelief, kPicture);
    ASSERT_TRUE(none) << none.error().message;
    EXPECT_FALSE(*none);
}

}  // namespace
}  // namespace orogen::test
