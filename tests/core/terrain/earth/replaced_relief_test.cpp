// Elevation models that take the place of the shipped relief: all around the Earth, or a part of it.
#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/earth_fixtures.h"

namespace orogen {
namespace {

using namespace test;

constexpr double kRadians = std::numbers::pi / 180.0;

// A height that has one value at each pole, and continues over the date line.
double wavesAt(double latitude, double longitude)
{
    const double across = std::cos(latitude * kRadians);
    return 1000.0 + 800.0 * across * std::cos((longitude - 170.0) * kRadians) + 300.0 * std::sin(latitude * kRadians);
}

// Pixels are areas: the first sample lies half a step inside of 180 W and of the north pole.
Raster waves(int columns)
{
    const double step = 360.0 / columns;
    return placedRaster(
        columns, columns / 2, "EPSG:4326", inDegrees(-180 + step / 2, 90 - step / 2, step),
        [step](int column, int row) { return float(wavesAt(90 - (row + 0.5) * step, -180 + (column + 0.5) * step)); });
}

Result<std::shared_ptr<EarthSource>> earthOf(const EarthFiles& files, const std::string& relief,
                                             const std::vector<InsetRequest>& insets = {})
{
    const std::string shipped = files.write(
        "low.tif", placedRaster(72, 37, "EPSG:4326", inDegrees(-180, 90, 5), [](int, int) { return -9.0f; }));
    return EarthSource::open(shipped, insets, noMembrane, {}, InsetRequest{relief, {}});
}

TEST(ReplacedRelief, CountsEverywhereAndOverTheDateLineAndAtThePoles)
{
    const EarthFiles files;
    const auto earth = earthOf(files, files.write("waves.tif", waves(360)));
    ASSERT_TRUE(earth) << earth.error().message;
    EXPECT_TRUE((*earth)->insets().empty());
    ASSERT_NE((*earth)->replacedRelief(), nullptr);
    for (double latitude = -90; latitude <= 90; latitude += 7.5)
        for (const double longitude : {-180.0, -179.9, -179.5, -90.0, 0.0, 33.3, 179.5, 179.9, 180.0})
            EXPECT_NEAR(groundOf(**earth, latitude, longitude), wavesAt(latitude, longitude), 8.0)
                << latitude << ' ' << longitude;
}

TEST(ReplacedRelief, TilesOverTheDateLineAndThePolesHoldIt)
{
    const EarthFiles files;
    const auto earth = earthOf(files, files.write("waves.tif", waves(360)));
    ASSERT_TRUE(earth);
    for (const LatLong middle :
         {LatLong{10, 180}, LatLong{-50, -179.9}, LatLong{90, 0}, LatLong{-90, 0}, LatLong{45, 45}})
    {
        const Ground ground = groundAround(**earth, middle, 1);
        for (int row = 0; row < ground.window.height; row += 3)
            for (int column = 0; column < ground.window.width; column += 3)
            {
                const LatLong place = ground.place(column, row);
                ASSERT_NEAR(ground.at(column, row), wavesAt(place.latitude, place.longitude), 8.0)
                    << place.latitude << ' ' << place.longitude;
            }
    }
}

// A raster that is read in tiles gives a window at its two ends the same heights as one in memory. Its columns are no
// multiple of a coarse level's step.
TEST(ReplacedRelief, IsReadInTilesOverTheDateLine)
{
    const EarthFiles files;
    const std::string file = files.write("waves.tif", waves(1000));
    const Result<OpenedTerrain> tiled = openTerrain(file, {}, TerrainTiles::kAlways);
    ASSERT_TRUE(tiled && tiled->tiles) << (tiled ? "an image" : tiled.error().message);
    const auto whole = EarthInset::open({file, {}});
    const auto parts = EarthInset::open({file, {}}, {}, TerrainTiles::kAlways);
    ASSERT_TRUE(whole && parts);
    ASSERT_EQ((*whole)->tiles(), nullptr);
    ASSERT_NE((*parts)->tiles(), nullptr);
    const auto memory = InsetReader::open(*whole), reader = InsetReader::open(*parts);
    ASSERT_TRUE(memory && reader);
    for (const double metres : {0.0, 90'000.0, 350'000.0})
        for (const double from : {-20.0, 985.0, 1985.0, 400.0})
        {
            ASSERT_TRUE((*memory)->load({from, 100}, {from + 40, 140}, metres));
            ASSERT_TRUE((*reader)->load({from, 100}, {from + 40, 140}, metres));
            for (double x = from; x <= from + 40; x += 1.7)
                ASSERT_NEAR((*reader)->heightAt({x, 120.3}), (*memory)->heightAt({x, 120.3}), metres > 0 ? 12.0 : 1e-3)
                    << x << ' ' << metres;
        }
}

TEST(ReplacedRelief, LeavesTheShippedReliefWhereItHasNoData)
{
    const EarthFiles files;
    const auto south = files.write(
        "south.tif", placedRaster(40, 40, "EPSG:4326", inDegrees(10, -10, 0.1), [](int, int) { return 321.0f; }));
    const auto earth = earthOf(files, south);
    ASSERT_TRUE(earth) << earth.error().message;
    EXPECT_EQ(groundOf(**earth, -12, 12), 321.0);
    EXPECT_EQ(groundOf(**earth, 12, 12), -9.0);
}

TEST(ReplacedRelief, LiesBelowInsets)
{
    const EarthFiles files;
    const auto inset = files.write(
        "inset.tif", placedRaster(40, 40, "EPSG:4326", inDegrees(10, 50, 0.01), [](int, int) { return 55.0f; }));
    const auto earth = earthOf(files, files.write("waves.tif", waves(360)), {InsetRequest{inset, {}}});
    ASSERT_TRUE(earth);
    ASSERT_EQ((*earth)->insets().size(), 1u);
    EXPECT_EQ(groundOf(**earth, 49.8, 10.2), 55.0);
    EXPECT_NEAR(groundOf(**earth, 47, 10.2), wavesAt(47, 10.2), 8.0);
    const auto more = (*earth)->with({InsetRequest{inset, {}}});
    ASSERT_TRUE(more);
    EXPECT_EQ((*more)->insets().size(), 2u);
    EXPECT_NE((*more)->replacedRelief(), nullptr);
}

TEST(ReplacedRelief, WithoutAPlaceIsAnErrorThatNamesTheFile)
{
    const EarthFiles files;
    Raster nowhere = waves(36);
    nowhere.placement.reset();
    const auto earth = earthOf(files, files.write("nowhere.tif", nowhere));
    ASSERT_FALSE(earth);
    EXPECT_EQ(earth.error().code, ExitCode::kInput);
    EXPECT_NE(earth.error().message.find("nowhere.tif"), std::string::npos) << earth.error().message;
}

}  // namespace
}  // namespace orogen
