// Surfaces that heights on the Earth count from: the geoid EGM96, or the ellipsoid.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/terrain/earth/earth_source.h"
#include "core/terrain/io/gdal_map.h"
#include "tests/support/earth_fixtures.h"

namespace orogen {
namespace {

using namespace test;

struct Published
{
    LatLong place;
    double metres;
};

// The test values that the NGA publishes with EGM96 (OUTPUT.DAT of program F477), which interpolates by splines.
const std::vector<Published>& published()
{
    static const std::vector<Published> values = {
        {{38.6281550, 269.7791550 - 360}, -31.628}, {{-14.6212170, 305.0211140 - 360}, -2.969},
        {{46.8743190, 102.4487290}, -43.575},       {{-23.6174460, 133.8747120}, 15.871},
        {{38.6254730, 359.9995 - 360}, 50.066},     {{-0.4667440, 0.0023}, 17.329}};
    return values;
}

bool haveGeoid() { return geoidHeights({}).has_value(); }

// Samples of 1000 m everywhere, a degree wide.
std::string flatAround(const EarthFiles& files, LatLong middle, const std::string& crs)
{
    return files.write("flat.tif",
                       placedRaster(41, 41, crs, inDegrees(middle.longitude - 0.5, middle.latitude + 0.5, 0.025),
                                    [](int, int) { return 1000.0f; }));
}

std::shared_ptr<EarthSource> earthWith(const EarthFiles& files, const std::string& inset, HeightDatum heights)
{
    const std::string relief = files.write(
        "sea.tif", placedRaster(72, 37, "EPSG:4326", inDegrees(-180, 90, 5), [](int, int) { return 0.0f; }));
    const auto earth = EarthSource::open(relief, {InsetRequest{inset, {}, heights}}, noMembrane);
    EXPECT_TRUE(earth) << (earth ? "" : earth.error().message);
    return earth ? *earth : nullptr;
}

TEST(Geoid, HasThePublishedHeights)
{
    if (!haveGeoid()) GTEST_SKIP() << "no GDAL, or no grid of EGM96";
    std::vector<LatLong> places;
    for (const Published& value : published())
        places.push_back(value.place);
    const std::vector<double> heights = *geoidHeights(places);
    for (std::size_t i = 0; i < places.size(); ++i)
        EXPECT_NEAR(heights[i], published()[i].metres, 0.1) << places[i].latitude;
}

TEST(Geoid, HeightsAboveTheEllipsoidAreConverted)
{
    if (!haveGeoid()) GTEST_SKIP() << "no GDAL, or no grid of EGM96";
    const EarthFiles files;
    for (const Published& value : published())
    {
        const std::string file = flatAround(files, value.place, "EPSG:4979");
        const auto earth = earthWith(files, file, HeightDatum::kGeoid);  // the file's own statement counts
        ASSERT_TRUE(earth);
        EXPECT_NEAR(groundOf(*earth, value.place.latitude, value.place.longitude), 1000 - value.metres, 0.15);
        EXPECT_NE(earth->insets()[0].heights.find("converted"), std::string::npos) << earth->insets()[0].heights;
        for (const std::string& warning : earth->insets()[0].warnings)
            EXPECT_EQ(warning.find("EGM96"), std::string::npos) << warning;
        EXPECT_LE(earth->raster().minHeight, 1000 - value.metres);
        EXPECT_GE(earth->raster().maxHeight, 1000 - value.metres);
    }
}

TEST(Geoid, TilesAreConvertedAsTheGroundIs)
{
    if (!haveGeoid()) GTEST_SKIP() << "no GDAL, or no grid of EGM96";
    const EarthFiles files;
    const LatLong middle = published()[2].place;
    const auto earth = earthWith(files, flatAround(files, middle, "EPSG:4979"), HeightDatum::kGeoid);
    const Ground ground = groundAround(*earth, middle);
    int inside = 0;
    for (int row = 0; row < ground.window.height; ++row)
        for (int column = 0; column < ground.window.width; ++column)
        {
            const LatLong place = ground.place(column, row);
            if (std::hypot(place.latitude - middle.latitude, place.longitude - middle.longitude) > 0.4) continue;
            ASSERT_NEAR(ground.at(column, row), groundOf(*earth, place.latitude, place.longitude), 0.01);
            ++inside;
        }
    EXPECT_GT(inside, 100);
}

TEST(Geoid, TheSettingCountsWhereTheDataDoNotState)
{
    if (!haveGeoid()) GTEST_SKIP() << "no GDAL, or no grid of EGM96";
    const EarthFiles files;
    const Published& value = published()[4];
    const std::string file = flatAround(files, value.place, "EPSG:4326");
    const auto above = [&](HeightDatum heights) {
        return groundOf(*earthWith(files, file, heights), value.place.latitude, value.place.longitude);
    };
    EXPECT_NEAR(above(HeightDatum::kGeoid), 1000, 1e-3);
    EXPECT_NEAR(above(HeightDatum::kEllipsoid), 1000 - value.metres, 0.15);
}

TEST(Geoid, ARasterAllAroundTheEarthIsConvertedOverTheDateLine)
{
    if (!haveGeoid()) GTEST_SKIP() << "no GDAL, or no grid of EGM96";
    const EarthFiles files;
    const std::string file = files.write(
        "whole.tif", placedRaster(72, 37, "EPSG:4979", inDegrees(-180, 90, 5), [](int, int) { return 1000.0f; }));
    const auto earth = earthWith(files, file, HeightDatum::kGeoid);
    ASSERT_TRUE(earth);
    for (const LatLong place : {LatLong{10, 179.99}, {10, -179.99}, {-40, 179.3}, {0, 0}})
    {
        const LatLong one[] = {place};
        EXPECT_NEAR(groundOf(*earth, place.latitude, place.longitude), 1000 - (*geoidHeights(one))[0], 1.0)
            << place.longitude;
    }
}

TEST(Geoid, WithoutItsGridHeightsStayAsTheyAreAndAWarningSaysSo)
{
    if (haveGeoid()) GTEST_SKIP() << "the geoid is available";
    const EarthFiles files;
    const auto earth = earthWith(files, flatAround(files, {10, 10}, "EPSG:4979"), HeightDatum::kGeoid);
    ASSERT_TRUE(earth);
    EXPECT_NEAR(groundOf(*earth, 10, 10), 1000, 1e-3);
    ASSERT_EQ(earth->insets()[0].warnings.size(), 1u);
    EXPECT_NE(earth->insets()[0].warnings[0].find("EGM96"), std::string::npos);
}

TEST(Geoid, CodesOfAFileSayWhatHeightsCountFrom)
{
    EXPECT_EQ(aboveEllipsoid(0, 4326), std::nullopt);
    EXPECT_EQ(aboveEllipsoid(32767, 4326), std::nullopt);  // a system of the file's own
    EXPECT_EQ(aboveEllipsoid(0, 4979), true);
    EXPECT_EQ(aboveEllipsoid(4979, 0), true);      // GeoTIFF 1.1, beside a projection
    EXPECT_EQ(aboveEllipsoid(5030, 4326), true);   // GeoTIFF 1.0: ellipsoid of WGS 84
    EXPECT_EQ(aboveEllipsoid(5773, 4326), false);  // EGM96
    EXPECT_EQ(aboveEllipsoid(5703, 4269), false);  // NAVD88
}

}  // namespace
}  // namespace orogen
