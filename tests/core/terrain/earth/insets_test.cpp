// Elevation models inset in the Earth: at their places, over coarser data, without seams.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "core/planet/cube_lattice.h"
#include "core/planet/ellipsoid.h"
#include "core/terrain/io/gdal_reader.h"
#include "core/terrain/tiles/cube_tiles.h"
#include "tests/support/earth_fixtures.h"
#include "tests/support/random.h"

namespace orogen {
namespace {

using namespace test;

constexpr double kDegree = std::numbers::pi / 180.0;

// ---- independent projections ----

// UTM by J. P. Snyder, Map Projections: A Working Manual (USGS 1395), equations 8-9 to 8-15, on WGS 84: accurate to a
// millimetre within three degrees.
MapPoint utmBySnyder(int zone, bool south, double latitude, double longitude)
{
    constexpr double a = 6378137.0, f = 1 / 298.257223563, e2 = f * (2 - f), second = e2 / (1 - e2), k0 = 0.9996;
    const double phi = latitude * kDegree, sine = std::sin(phi), cosine = std::cos(phi), tangent = sine / cosine;
    const double n = a / std::sqrt(1 - e2 * sine * sine), t = tangent * tangent, c = second * cosine * cosine;
    const double along = (longitude - (6 * zone - 183)) * kDegree * cosine;
    const double e4 = e2 * e2, e6 = e4 * e2;
    const double m = a * ((1 - e2 / 4 - 3 * e4 / 64 - 5 * e6 / 256) * phi -
                          (3 * e2 / 8 + 3 * e4 / 32 + 45 * e6 / 1024) * std::sin(2 * phi) +
                          (15 * e4 / 256 + 45 * e6 / 1024) * std::sin(4 * phi) - 35 * e6 / 3072 * std::sin(6 * phi));
    const double x = k0 * n *
                     (along + (1 - t + c) * std::pow(along, 3) / 6 +
                      (5 - 18 * t + t * t + 72 * c - 58 * second) * std::pow(along, 5) / 120);
    const double y = k0 * (m + n * tangent *
                                   (along * along / 2 + (5 - t + 9 * c + 4 * c * c) * std::pow(along, 4) / 24 +
                                    (61 - 58 * t + t * t + 600 * c - 330 * second) * std::pow(along, 6) / 720));
    return {500'000.0 + x, (south ? 10'000'000.0 : 0.0) + y};
}

// Lambert conformal conic with two parallels by Snyder, 15-1 to 15-11, on GRS 80; parameters of EPSG:2154.
MapPoint lambert93BySnyder(double latitude, double longitude)
{
    constexpr double a = 6378137.0, f = 1 / 298.257222101, e2 = f * (2 - f);
    const double e = std::sqrt(e2);
    const auto t = [e](double degrees) {
        const double phi = degrees * kDegree, sine = e * std::sin(phi);
        return std::tan(std::numbers::pi / 4 - phi / 2) / std::pow((1 - sine) / (1 + sine), e / 2);
    };
    const auto m = [](double degrees) {
        const double phi = degrees * kDegree;
        return std::cos(phi) / std::sqrt(1 - e2 * std::sin(phi) * std::sin(phi));
    };
    const double n = (std::log(m(44)) - std::log(m(49))) / (std::log(t(44)) - std::log(t(49)));
    const double scale = a * m(44) / (n * std::pow(t(44), n));
    const double radius = scale * std::pow(t(latitude), n), origin = scale * std::pow(t(46.5), n);
    const double theta = n * (longitude - 3) * kDegree;
    return {700'000.0 + radius * std::sin(theta), 6'600'000.0 + origin - radius * std::cos(theta)};
}

using Project = std::function<MapPoint(double latitude, double longitude)>;

// Compares heights at 200 places in the box that `project` maps into the raster.
void expectOwnHeights(const EarthSource& earth, const Raster& raster, const Project& project, LatLong middle,
                      double spread, std::uint64_t seed)
{
    Random random(seed);
    int inside = 0;
    for (int i = 0; inside < 200 && i < 4000; ++i)
    {
        const double latitude = middle.latitude + spread * (random.unit() - 0.5);
        const double longitude = middle.longitude + spread * (random.unit() - 0.5);
        const MapPoint point = project(latitude, longitude);
        const double column = (point.x - raster.placement->x) / raster.placement->stepEast;
        const double row = (raster.placement->y - point.y) / raster.placement->stepSouth;
        if (column < 0 || row < 0 || column > raster.width - 1 || row > raster.height - 1) continue;
        ++inside;
        ASSERT_NEAR(groundOf(earth, latitude, longitude), bilinear(raster, column, row), 0.1)
            << latitude << ' ' << longitude << " seed " << seed;
    }
    EXPECT_EQ(inside, 200);
}

TEST(EarthPlaces, AreThoseOfTheirDirectionsAndTheSameBitsFromBothFaces)
{
    std::vector<double> at;
    for (int i = 0; i <= 16; ++i)
        at.push_back(double(kCubeSide) / 16 * i);
    const auto bitsAt = [&at](int face, const CubePlace& place) {
        std::vector<LatLong> one;
        addPlaces(face, std::vector{double(place.x)}, std::vector{double(place.y)}, one);
        return one.at(0);
    };
    int shared = 0;
    for (int face = 0; face < kCubeFaces; ++face)
    {
        std::vector<LatLong> places;
        addPlaces(face, at, at, places);
        ASSERT_EQ(places.size(), at.size() * at.size());
        for (std::size_t i = 0; i < places.size(); ++i)
        {
            const glm::dvec2 on(at[i % at.size()], at[i / at.size()]);
            const LatLong expected = placeOfDirection(scaledDirection(FacePlace{face, on}));
            EXPECT_NEAR(places[i].latitude, expected.latitude, 1e-13) << face << ' ' << i;
            EXPECT_NEAR(places[i].longitude, expected.longitude, 1e-13) << face << ' ' << i;
            const CubePoint point = cubePoint({face, std::int32_t(on.x), std::int32_t(on.y)});
            for (int other = 0; other < kCubeFaces; ++other)
            {
                if (other == face || !isOnFace(point, other)) continue;
                const LatLong beside = bitsAt(other, placeOnFace(point, other));
                EXPECT_EQ(places[i].latitude, beside.latitude) << face << ' ' << other;
                EXPECT_EQ(places[i].longitude, beside.longitude) << face << ' ' << other;
                ++shared;
            }
        }
    }
    EXPECT_EQ(shared, 12 * 2 * 15 + 8 * 3 * 2);  // both sides of each edge, and the corners
}

TEST(EarthInsets, InUtmHaveTheirOwnHeightsInBothHemispheres)
{
    const EarthFiles files;
    const Raster north = placedRaster(300, 200, "EPSG:32611", inMetres(381'000, 3'808'000, 30), hills);
    const Raster south = placedRaster(300, 200, "EPSG:32733", inMetres(380'000, 6'300'000, 30), hills);
    const auto earth = files.open({files.write("north.tif", north), files.write("south.tif", south)});
    ASSERT_TRUE(earth);
    expectOwnHeights(
        *earth, north, [](double a, double b) { return utmBySnyder(11, false, a, b); }, {34.38, -118.25}, 0.12, 1);
    expectOwnHeights(
        *earth, south, [](double a, double b) { return utmBySnyder(33, true, a, b); }, {-33.46, 13.76}, 0.12, 2);
}

TEST(EarthInsets, InDegreesHaveTheirOwnHeightsOverTheDateLineToo)
{
    const EarthFiles files;
    const Raster alps = placedRaster(300, 200, "EPSG:4326", inDegrees(7.5, 46.6, 1 / 3600.0), hills);
    const Raster fiji = placedRaster(300, 200, "EPSG:4326", inDegrees(179.96, -16.7, 1 / 3600.0), hills);
    const auto earth = files.open({files.write("alps.tif", alps), files.write("fiji.tif", fiji)});
    ASSERT_TRUE(earth);
    const auto onward = [](double a, double b) { return MapPoint{b < 0 ? b + 360 : b, a}; };
    expectOwnHeights(*earth, alps, onward, {46.57, 7.54}, 0.1, 3);
    expectOwnHeights(*earth, fiji, onward, {-16.73, 180.0}, 0.1, 4);
    EXPECT_LT(earth->insets()[1].extent.west, 180.0);
    EXPECT_GT(earth->insets()[1].extent.east, 180.0);
    EXPECT_EQ(groundOf(*earth, -16.72, -179.97), groundOf(*earth, -16.72, 180.03));
}

// The first and the last edge are one meridian, and may have either sign.
TEST(EarthInsets, InWebMercatorReachAllAroundTheEarth)
{
    constexpr double kHalf = std::numbers::pi * 6378137.0, kStep = kHalf / 32;
    for (const double west : {-kHalf, -20037508.34, 0.0})
    {
        SCOPED_TRACE(west);
        Raster raster = placedRaster(64, 64, "EPSG:3857", inMetres(west + kStep / 2, kHalf - kStep / 2, kStep), hills);
        raster.projection = MapProjection::webMercator();
        const Result<InsetMap> map = InsetMap::of(raster);
        ASSERT_TRUE(map) << map.error().message;
        const EarthExtent extent = map->extent();
        EXPECT_EQ(extent.west, -180.0);
        EXPECT_EQ(extent.east, 180.0);
        EXPECT_NEAR(extent.north, 85.0511, 1e-4);
        EXPECT_NEAR(extent.south, -85.0511, 1e-4);
    }
}

TEST(EarthInsets, InALambertProjectionHaveTheirOwnHeights)
{
    if (!hasGdal()) GTEST_SKIP() << "built without GDAL";
    const EarthFiles files;
    const Raster raster = placedRaster(300, 200, "EPSG:2154", inMetres(950'000, 6'540'000, 30), hills);
    const auto earth = files.open({files.write("lambert.tif", raster)});
    ASSERT_TRUE(earth);
    expectOwnHeights(*earth, raster, lambert93BySnyder, {45.92, 6.29}, 0.12, 5);
    EXPECT_EQ(earth->insets()[0].note, "EPSG:2154 by GDAL");
}

TEST(EarthInsets, NeedGdalForOtherProjectionsAndSaySo)
{
    if (hasGdal()) GTEST_SKIP() << "built with GDAL";
    const EarthFiles files;
    const auto earth = files.tryOpen(
        {files.write("lambert.tif", placedRaster(9, 9, "EPSG:2154", inMetres(950'000, 6'540'000, 30), hills))});
    ASSERT_FALSE(earth);
    EXPECT_EQ(earth.error().code, ExitCode::kInput);
    EXPECT_NE(earth.error().message.find("built without it"), std::string::npos) << earth.error().message;
}

// ---- tiles ----

TEST(EarthInsets, AreInTilesWhatTheyAreThemselves)
{
    const EarthFiles files;
    const Raster raster = placedRaster(300, 300, "EPSG:32611", inMetres(381'000, 3'808'000, 30), hills);
    const auto earth = files.open({files.write("utm.tif", raster)});
    ASSERT_TRUE(earth);
    const Ground ground = groundAround(*earth, {34.37, -118.245}, 0, 100);
    for (int row = 0; row < 100; row += 3)
        for (int column = 0; column < 100; column += 3)
        {
            const LatLong place = ground.place(column, row);
            ASSERT_NEAR(ground.at(column, row), groundOf(*earth, place.latitude, place.longitude), 0.1);
        }
}

TEST(EarthInsets, LieOverEachOtherInTheOrderOfNaming)
{
    const EarthFiles files;
    const auto flat = [&](const std::string& name, int side, double step, float height) {
        return files.write(name, placedRaster(side, side, "EPSG:4326", inDegrees(10, 50, step),
                                              [height](int, int) { return height; }));
    };
    const std::string coarse = flat("coarse.tif", 100, 9 / 3600.0, 1000),
                      fine = flat("fine.tif", 100, 1 / 3600.0, 2000);
    const std::string alike = flat("alike.tif", 50, 1.01 / 3600.0, 3000);
    const LatLong all{49.995, 10.005}, two{49.98, 10.02}, one{49.9, 10.1}, none{49.0, 11.0};
    const auto at = [](const EarthSource& earth, LatLong place) {
        return groundOf(earth, place.latitude, place.longitude);
    };
    const auto upwards = files.open({coarse, fine, alike});
    ASSERT_TRUE(upwards);
    EXPECT_EQ(at(*upwards, all), 3000.0);
    EXPECT_EQ(at(*upwards, two), 2000.0);
    EXPECT_EQ(at(*upwards, one), 1000.0);
    EXPECT_EQ(at(*upwards, none), 500.0);
    EXPECT_NEAR(groundAround(*upwards, two, 0, 3).at(1, 1), 2000.0f, 0.1f);
    EXPECT_EQ(at(*files.open({alike, fine, coarse}), all), 1000.0);
    EXPECT_EQ(at(*files.open({alike, coarse, fine}), all), 2000.0);
    const auto grown = files.open({alike, coarse})->with({{fine, {}}});
    ASSERT_TRUE(grown);
    EXPECT_EQ(at(**grown, all), 2000.0);
    EXPECT_EQ((*grown)->insets().size(), 3u);
}

// More samples per side than an image has: read in pieces, at the level that a tile needs.
TEST(EarthInsets, LargerThanAnImageAreReadInPieces)
{
    const EarthFiles files;
    const Raster raster = placedRaster(17'000, 60, "EPSG:32611", inMetres(381'000, 3'808'000, 2), hills);
    const auto earth = files.open({files.write("long.tif", raster)});
    ASSERT_TRUE(earth);
    const LatLong middle = placeIn(raster, 0, 0);
    const Ground ground = groundAround(*earth, middle, 0, 40);
    int inside = 0;
    for (int row = 0; row < 40; ++row)
        for (int column = 0; column < 40; ++column)
        {
            const LatLong place = ground.place(column, row);
            const double own = groundOf(*earth, place.latitude, place.longitude);
            if (own == 500.0) continue;
            ++inside;
            const MapPoint point = utmBySnyder(11, false, place.latitude, place.longitude);
            ASSERT_NEAR(own, bilinear(raster, (point.x - 381'000) / 2, (3'808'000 - point.y) / 2), 0.1);
            ASSERT_NEAR(ground.at(column, row), own, 0.1);
        }
    EXPECT_GT(inside, 100);
    const auto reader = earth->openReader();
    std::vector<float> coarse(kTileReadSide * kTileReadSide);
    ASSERT_TRUE((*reader)->read({earth->grid().levels() - 1, -8, -8, kTileReadSide, kTileReadSide, 0}, coarse));
    EXPECT_LT((*reader)->bytesRead(), 1u << 20);
}

TEST(EarthInsets, AreRefinedToTheirOwnSpacingAndOnlyThere)
{
    const EarthFiles files;
    const auto earth = files.open(
        {files.write("alps.tif", placedRaster(300, 200, "EPSG:4326", inDegrees(7.5, 46.6, 1 / 3600.0), hills))});
    ASSERT_TRUE(earth);
    const auto keyAt = [&](LatLong at, int level) {
        const FacePlace place = facePlaceOf(scaledDirectionOf(at.latitude, at.longitude));
        const double side = std::ldexp(double(kCubeSide), level + 1 - earth->grid().levels());
        return TileKey{level, int(place.at.x / side), int(place.at.y / side), place.face};
    };
    const int levels = earth->grid().levels();
    EXPECT_EQ(levels, 13);  // 19 m or less, while the inset has 26 m
    for (int level = 1; level < levels; ++level)
    {
        EXPECT_TRUE(earth->refines(keyAt({46.57, 7.54}, level))) << level;
        EXPECT_EQ(earth->refines(keyAt({46.57, -30.0}, level)), level > levels - 5) << level;
    }
    EXPECT_FALSE(earth->refines(keyAt({46.57, 7.54}, 0)));
}

TEST(EarthInsets, SpacingIsThatOfTheDataNotOfTheCubesFinerSamples)
{
    const EarthFiles files;
    const auto earth = files.open(
        {files.write("alps.tif", placedRaster(300, 200, "EPSG:4326", inDegrees(7.5, 46.6, 1 / 3600.0), hills))});
    ASSERT_TRUE(earth);
    const int base = earth->baseLevel();
    EXPECT_LT(cubeSampleMetres(earth->grid(), base), earth->relief().spacing());
    const LatLong inside{46.57, 7.54}, beside{46.57, 7.62};
    EXPECT_EQ(earth->spacingAt(base, inside), earth->relief().spacing());
    for (const int level : {base - 1, 0})
    {
        EXPECT_EQ(earth->spacingAt(level, inside), cubeSampleMetres(earth->grid(), level));
        EXPECT_EQ(earth->spacingAt(level, {46.57, 7.54 - 360}), cubeSampleMetres(earth->grid(), level));
        EXPECT_EQ(earth->spacingAt(level, beside), earth->relief().spacing()) << "interpolated there";
    }
}

// A tile's samples equal the relief at their places, on all faces and past their edges.
TEST(EarthInsets, NoneLeaveTheReliefAtTheCubesPlaces)
{
    const EarthFiles files([](int column, int row) { return float((column * 37 + row * 91) % 4000 - 1000); });
    const std::shared_ptr<EarthSource> source = files.open({});
    ASSERT_TRUE(source);
    const EarthSource& earth = *source;
    const auto reader = earth.openReader();
    ASSERT_TRUE(reader);
    EXPECT_EQ(earth.grid().faces(), 6);
    EXPECT_EQ(earth.grid().levels(), 5);
    for (int face = 0; face < kCubeFaces; ++face)
        for (int level = 0; level < earth.grid().levels(); ++level)
        {
            const TileWindow window{level, -8, -8, kTileReadSide, kTileReadSide, face};
            std::vector<float> heights(std::size_t(window.width) * std::size_t(window.height));
            ASSERT_TRUE((*reader)->read(window, heights));
            for (std::size_t i = 0; i < heights.size(); i += 97)
            {
                const glm::dvec2 at(window.column + int(i) % window.width, window.row + int(i) / window.width);
                const FacePlace place{face, at * std::ldexp(double(kCubeSide), level - 4 - 7)};
                const glm::dvec3 position = onEllipsoid(scaledDirection(place));
                const Geodetic where = geodeticOf(position);
                ASSERT_NEAR(heights[i], earth.relief().heightAt(where.latitude, where.longitude), 0.05)
                    << face << ' ' << i;
            }
        }
}

TEST(EarthInsets, NoneLetTilesRefineAsFarAsTheReliefSaysMore)
{
    const EarthFiles files;
    const std::shared_ptr<EarthSource> source = files.open({});
    ASSERT_TRUE(source);
    const EarthSource& earth = *source;
    for (int face = 0; face < kCubeFaces; ++face)
    {
        EXPECT_TRUE(earth.refines({4, 0, 0, face}));
        EXPECT_TRUE(earth.refines({1, 7, 7, face}));
        EXPECT_FALSE(earth.refines({0, 3, 15, face}));
    }
}

// At 70 degrees of latitude a column of a map in degrees is a third as wide as a row is high.
TEST(EarthInset, TheNearestKnownSampleIsNearestInMetres)
{
    const EarthFiles files;
    const std::vector<glm::ivec2> known = {{30, 30}, {33, 47}, {60, 30}, {66, 34}};
    const auto inset = EarthInset::open(
        {files.write("void.tif", placedRaster(100, 80, "EPSG:4326", inDegrees(10, 70, 1 / 3600.0),
                                              [&](int column, int row) {
                                                  return std::ranges::find(known, glm::ivec2(column, row)) ==
                                                                 known.end()
                                                             ? std::numeric_limits<float>::quiet_NaN()
                                                             : 100.0f;
                                              })),
         {}});
    ASSERT_TRUE(inset) << inset.error().message;
    const auto opened = InsetReader::open(*inset);
    ASSERT_TRUE(opened);
    InsetReader& reader = **opened;
    ASSERT_TRUE(reader.load({0, 0}, {99, 79}, 0));
    EXPECT_LT(reader.map().metresOfColumn(), 0.4 * reader.map().metresOfRow());
    int found = 0;
    for (int row = 0; row < 80; ++row)
        for (int column = 0; column < 100; ++column)
        {
            const glm::dvec2 at(column, row);
            const auto metres = [&](const glm::ivec2& place) { return reader.metresBetween(at, glm::dvec2(place)); };
            const glm::ivec2 nearest = *std::ranges::min_element(known, {}, metres);
            if (metres(nearest) == 0 || metres(nearest) >= reader.searchMetres()) continue;
            const std::optional<glm::dvec2> place = reader.nearestKnown(at);
            ASSERT_TRUE(place) << column << ", " << row;
            EXPECT_NEAR(reader.metresBetween(at, *place), metres(nearest), 1e-6) << column << ", " << row;
            ++found;
        }
    EXPECT_GT(found, 100);
}

}  // namespace
}  // namespace orogen
