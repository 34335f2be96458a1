// Map projections against published points, against integrals on the ellipsoid, and as round trips.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "core/terrain/io/gdal_reader.h"
#include "core/terrain/raster/georeference.h"
#include "core/terrain/raster/projection.h"
#include "core/terrain/raster/raster.h"

namespace orogen {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

void expectPoint(int epsg, LatLong place, MapPoint expected, double tolerance)
{
    const std::optional<MapProjection> projection = MapProjection::ofEpsg(epsg);
    ASSERT_TRUE(projection) << epsg;
    const std::optional<MapPoint> point = projection->forward(place);
    ASSERT_TRUE(point) << epsg;
    EXPECT_NEAR(point->x, expected.x, tolerance) << epsg;
    EXPECT_NEAR(point->y, expected.y, tolerance) << epsg;
    const std::optional<LatLong> back = projection->inverse(*point);
    ASSERT_TRUE(back) << epsg;
    EXPECT_NEAR(back->latitude, place.latitude, 1e-11) << epsg;
    EXPECT_NEAR(back->longitude, place.longitude, 1e-11) << epsg;
}

TEST(MapProjection, PublishedPoints)
{
    // IOGP Guidance Note 7-2, examples of Pseudo Mercator and of Transverse Mercator.
    expectPoint(3857, {24 + 22 / 60.0 + 54.433 / 3600, -100 - 20 / 60.0}, {-11'169'055.58, 2'800'000.00}, 0.006);
    if (hasGdal()) expectPoint(27700, {50.5, 0.5}, {577'274.99, 69'740.50}, 0.01);
}

// Computed by PROJ 9.1.1 (cs2cs between a system and its geographic one).
TEST(MapProjection, PointsOfProj)
{
    expectPoint(32611, {34, -118}, {407'650.396657, 3'762'606.659876}, 2e-6);
    expectPoint(32733, {-33.9, 18.4}, {814'420.330951, 6'243'724.840075}, 2e-6);
    expectPoint(26918, {40.7, -74}, {584'482.352283, 4'505'935.869332}, 2e-6);
    expectPoint(25832, {52.5, 13.4}, {798'609.520911, 5'825'756.242018}, 2e-6);
    expectPoint(32660, {-0.5, 179.9}, {822'823.962553, -55'336.377566}, 2e-6);
    expectPoint(3857, {-60, 150}, {16'697'923.618991, -8'399'737.889818}, 2e-6);
}

TEST(MapProjection, PointsOfOtherSystemsOfTheRegistry)
{
    if (!hasGdal()) GTEST_SKIP() << "built without GDAL";
    expectPoint(26713, {39, -105}, {500'000, 4'316'568.619944}, 2e-6);
    expectPoint(2193, {-41.3, 174.8}, {1'750'697.521334, 5'426'376.623168}, 2e-6);
    expectPoint(31467, {48.1, 8.9}, {3'492'552.803628, 5'329'007.947939}, 2e-6);
    expectPoint(3763, {38.7, -9.1}, {-84'111.771939, -107'051.308901}, 2e-6);
}

TEST(MapProjection, OtherMeridiansAndUnitsAreNotKnown)
{
    testing::internal::CaptureStderr();
    EXPECT_FALSE(MapProjection::ofEpsg(4807)) << "grads from Paris";
    EXPECT_FALSE(MapProjection::ofEpsg(2222)) << "feet";
    EXPECT_FALSE(MapProjection::ofEpsg(2054)) << "oriented to the south";
    EXPECT_FALSE(MapProjection::ofEpsg(5703)) << "vertical";
    EXPECT_FALSE(MapProjection::ofEpsg(9001)) << "no coordinate system";
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

// The northing on the central meridian is the scale times the length of the meridian, an integral.
TEST(MapProjection, MeridianIsAsLongAsItsIntegral)
{
    constexpr double kE2 = (2 - 1 / 298.257223563) / 298.257223563;
    const auto radius = [](double phi) {
        return 6'378'137.0 * (1 - kE2) / std::pow(1 - kE2 * std::sin(phi) * std::sin(phi), 1.5);
    };
    const MapProjection utm = *MapProjection::ofEpsg(32631);
    for (const double latitude : {1.0, 30.0, 45.0, 60.0, 84.0, 90.0})
    {
        constexpr int kSteps = 2000;  // Simpson's rule
        const double h = latitude * kDegree / kSteps;
        double length = 0;
        for (int i = 0; i <= kSteps; ++i)
            length += radius(i * h) * (i == 0 || i == kSteps ? 1 : i % 2 == 1 ? 4 : 2) * h / 3;
        const MapPoint point = *utm.forward({latitude, 3.0});
        EXPECT_NEAR(point.x, 500'000.0, 1e-6);
        EXPECT_NEAR(point.y, 0.9996 * length, 1e-6) << latitude;
    }
}

// A conformal map scales equally in all directions, whatever the coefficients of its series.
TEST(MapProjection, TransverseMercatorIsConformal)
{
    const MapProjection utm = *MapProjection::ofEpsg(32733);
    for (const LatLong place : {LatLong{-33.9, 18.4}, LatLong{-5, 12.1}, LatLong{-70, 24}, LatLong{-45, 35}})
    {
        const MetresPerDegree degree = metresPerDegree(place.latitude);
        constexpr double kStep = 1e-5;
        const MapPoint a = *utm.forward({place.latitude - kStep, place.longitude});
        const MapPoint b = *utm.forward({place.latitude + kStep, place.longitude});
        const MapPoint c = *utm.forward({place.latitude, place.longitude - kStep});
        const MapPoint d = *utm.forward({place.latitude, place.longitude + kStep});
        const MapPoint north{(b.x - a.x) / (2 * kStep * degree.north), (b.y - a.y) / (2 * kStep * degree.north)};
        const MapPoint east{(d.x - c.x) / (2 * kStep * degree.east), (d.y - c.y) / (2 * kStep * degree.east)};
        EXPECT_NEAR(std::hypot(north.x, north.y), std::hypot(east.x, east.y), 1e-7);
        EXPECT_NEAR(north.x, -east.y, 1e-7);
        EXPECT_NEAR(north.y, east.x, 1e-7);
    }
}

TEST(MapProjection, NoPlaceWhereThereIsNone)
{
    const MapProjection web = MapProjection::webMercator(), utm = *MapProjection::ofEpsg(32611);
    EXPECT_FALSE(web.forward({90, 0}));
    EXPECT_FALSE(web.inverse({1e9, 0}));
    EXPECT_FALSE(utm.forward({34, 60}));
    EXPECT_FALSE(utm.forward({91, -117}));
    EXPECT_FALSE(utm.forward({std::nan(""), -117}));
    EXPECT_FALSE(utm.inverse({1e9, 1e9}));
    EXPECT_FALSE(utm.inverse({500'000, 2e7}));
    EXPECT_FALSE(MapProjection::geographic().inverse({0, 91}));
    for (const int code : {0, -1, 1, 5514, 32600, 32661, 2147483647})
        EXPECT_FALSE(MapProjection::ofEpsg(code)) << code;
    for (const char* crs : {"", "EPSG:", "EPSG:x", "EPSG:32611 ", "geographic", "EPSG:99999999999"})
        EXPECT_FALSE(MapProjection::ofCrs(crs)) << crs;
    EXPECT_TRUE(MapProjection::ofCrs("EPSG:32611"));
}

TEST(MapProjection, WebMercatorsMetresAreShorterOnTheGround)
{
    // On the equator, the scale is the ellipsoid's radius of curvature over the map's radius: 1 - e^2 to the north.
    const GroundScale equator = MapProjection::webMercator().groundScale({0, 0});
    EXPECT_NEAR(equator.east, 1.0, 1e-12);
    EXPECT_NEAR(equator.north, 1 - (2 - 1 / 298.257223563) / 298.257223563, 1e-12);
    // Compares with the map itself: the ground distance of one metre of the map.
    const MapProjection web = MapProjection::webMercator();
    const LatLong here{60, 10};
    const MapPoint point = *web.forward(here);
    const LatLong north = *web.inverse({point.x, point.y + 1}), east = *web.inverse({point.x + 1, point.y});
    const MetresPerDegree degree = metresPerDegree(60);
    const GroundScale scale = web.groundScale(here);
    EXPECT_NEAR(scale.north, (north.latitude - here.latitude) * degree.north, 1e-6);
    EXPECT_NEAR(scale.east, (east.longitude - here.longitude) * degree.east, 1e-6);
    EXPECT_NEAR(scale.east, 0.5, 0.002);  // cos 60
}

Raster placed(const std::string& crs, Placement placement, int width = 101, int height = 81)
{
    Raster raster;
    raster.width = width, raster.height = height;
    raster.crs = crs;
    raster.placement = placement;
    EXPECT_TRUE(setPixelSize(raster));
    return raster;
}

TEST(PixelSize, OfGuessedDegreesAdvisesNoOptionForAPicture)
{
    Raster raster;
    raster.width = raster.height = 9;
    raster.placement = Placement{true, true, 7.0, 47.0, 0.1, 0.1, 1.0};
    raster.placement->guessed = true;
    Raster picture = raster;
    ASSERT_TRUE(setPixelSize(raster));
    ASSERT_TRUE(setPixelSize(picture, true));
    EXPECT_TRUE(raster.warnings.at(0).ends_with("read as degrees (--crs sets it)"));
    EXPECT_TRUE(picture.warnings.at(0).ends_with("read as degrees"));
}

TEST(TerrainGeography, CentreAndCorners)
{
    // UTM zone 11 north, 30 m: the centre is 500000 east, 3762600 north, on the central meridian.
    const Raster raster = placed("EPSG:32611", {false, true, 498'500.0, 3'763'800.0, 30.0, 30.0, 1.0});
    const auto geography = TerrainGeography::of(raster);
    ASSERT_TRUE(geography);
    const MapProjection utm = *MapProjection::ofEpsg(32611);
    const LatLong centre = *geography->place(0, 0);
    EXPECT_NEAR(centre.longitude, -117.0, 1e-12);
    EXPECT_NEAR(centre.latitude, utm.inverse({500'000, 3'762'600})->latitude, 1e-12);
    const LatLong corner = *geography->place(-1500, 1200);  // sample (0, 0)
    EXPECT_NEAR(corner.longitude, utm.inverse({498'500, 3'763'800})->longitude, 1e-12);
    EXPECT_NEAR(corner.latitude, utm.inverse({498'500, 3'763'800})->latitude, 1e-12);
    const auto back = geography->metres(corner);
    ASSERT_TRUE(back);
    EXPECT_NEAR(back->east, -1500, 1e-6);
    EXPECT_NEAR(back->north, 1200, 1e-6);
}

TEST(TerrainGeography, Degrees)
{
    const Raster raster = placed("EPSG:4326", {true, true, 179.0, 10.0, 0.02, 0.02, 1.0});
    const auto geography = TerrainGeography::of(raster);
    ASSERT_TRUE(geography);
    EXPECT_NEAR(geography->place(0, 0)->longitude, -180.0, 1e-12);  // equivalent to 180
    EXPECT_NEAR(geography->place(0, 0)->latitude, 9.2, 1e-12);
    const auto eastOfTheDateLine = geography->metres({9.2, -179.5});
    ASSERT_TRUE(eastOfTheDateLine);
    EXPECT_NEAR(eastOfTheDateLine->east, 25 * raster.pixelWidth, 1e-6);
    EXPECT_NEAR(eastOfTheDateLine->north, 0, 1e-6);
}

TEST(TerrainGeography, FeetAndRotation)
{
    // Two US survey feet per pixel; rows run to the north-east.
    Placement placement{false, true, 1'640'416.6, 12'000'000.0, 2.0, 2.0, 1200.0 / 3937.0};
    placement.eastward = {std::sqrt(0.5), std::sqrt(0.5)};
    placement.southward = {std::sqrt(0.5), -std::sqrt(0.5)};
    const Raster raster = placed("EPSG:26911", placement, 3, 3);
    const auto geography = TerrainGeography::of(raster);
    ASSERT_TRUE(geography);
    const MapProjection utm = *MapProjection::ofEpsg(26911);
    const double foot = 1200.0 / 3937.0, diagonal = 2 * std::sqrt(0.5);
    const MapPoint first{placement.x * foot, placement.y * foot};
    // The centre is one pixel along the row and one along the column: due east of the first sample.
    const LatLong centre = *geography->place(0, 0);
    const LatLong expected = *utm.inverse({first.x + 2 * diagonal * foot, first.y});
    EXPECT_NEAR(centre.latitude, expected.latitude, 1e-12);
    EXPECT_NEAR(centre.longitude, expected.longitude, 1e-12);
    const auto back = geography->metres(*utm.inverse(first));
    ASSERT_TRUE(back);
    EXPECT_NEAR(back->east, -raster.pixelWidth, 1e-6);
    EXPECT_NEAR(back->north, raster.pixelHeight, 1e-6);
}

TEST(TerrainGeography, NoneWithoutAKnownReference)
{
    Raster raster = placed("EPSG:5514", {false, true, 0, 0, 30.0, 30.0, 1.0});
    EXPECT_FALSE(TerrainGeography::of(raster));
    raster = placed("EPSG:32611", {false, false, 0, 0, 30.0, 30.0, 1.0});
    EXPECT_FALSE(TerrainGeography::of(raster));
    raster.placement.reset();
    EXPECT_FALSE(TerrainGeography::of(raster));
}

}  // namespace
}  // namespace orogen
