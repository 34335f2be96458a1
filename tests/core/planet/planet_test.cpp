// Ellipsoid, and the cube that its surface is drawn from.
#include <algorithm>
#include <cmath>
#include <random>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/planet/cube_lattice.h"
#include "core/planet/ellipsoid.h"

namespace orogen {
namespace {

TEST(Ellipsoid, PlacesComeBackToAMicrometre)
{
    std::mt19937 random(1);
    std::uniform_real_distribution<double> latitude(-90, 90), longitude(-180, 180), height(-11000, 2.0e7);
    for (int i = 0; i < 20000; ++i)
    {
        const Geodetic place{latitude(random), longitude(random), height(random)};
        const Geodetic back = geodeticOf(earthFixed(place));
        EXPECT_LT(glm::distance(earthFixed(back), earthFixed(place)), 1.0e-6);
        EXPECT_NEAR(back.height, place.height, 1.0e-6);
    }
}

TEST(Ellipsoid, AxesAreRightHandedAndUpIsTheNormal)
{
    for (const Geodetic place : {Geodetic{0, 0, 0}, {45, 179.9, 3000}, {-90, 0, 5}, {90, 0, 1e6}, {-12, -77, 2}})
    {
        const LocalAxes axes = axesAt(earthFixed(place));
        EXPECT_LT(glm::distance(glm::cross(axes.east, axes.north), axes.up), 1.0e-12);
        EXPECT_LT(glm::distance(axes.up, normalThrough(place)), 1.0e-9);
        EXPECT_LT(glm::distance(axes.toEarthFixed(axes.toLocal({1, 2, 3})), glm::dvec3(1, 2, 3)), 1.0e-12);
    }
}

TEST(CubeLattice, APointIsTheSameFromAllItsFaces)
{
    for (int face = 0; face < kCubeFaces; ++face)
        for (const std::int32_t x : {0, 12345, kCubeSide / 2, kCubeSide})
            for (const std::int32_t y : {0, 777, kCubeSide})
            {
                const CubePoint point = cubePoint({face, x, y});
                for (int other = 0; other < kCubeFaces; ++other)
                    EXPECT_TRUE(!isOnFace(point, other) || cubePoint(placeOnFace(point, other)) == point);
                EXPECT_TRUE(isOnFace(point, face));
                EXPECT_EQ(placeOnFace(point, face), (CubePlace{face, x, y}));
            }
}

TEST(CubeLattice, FacesAreRightHandedSeenFromOutside)
{
    const double half = kCubeSide / 2.0;
    for (int face = 0; face < kCubeFaces; ++face)
    {
        const glm::dvec3 at = scaledDirection(FacePlace{face, {half, half}});
        const glm::dvec3 x = scaledDirection(FacePlace{face, {half + 1e6, half}}) - at;
        const glm::dvec3 y = scaledDirection(FacePlace{face, {half, half + 1e6}}) - at;
        EXPECT_GT(glm::dot(glm::cross(x, y), at), 0.0) << face;
    }
}

TEST(CubeLattice, DirectionsComeBack)
{
    std::mt19937 random(2);
    std::uniform_real_distribution<double> at(0, kCubeSide);
    for (int i = 0; i < 20000; ++i)
    {
        const FacePlace place{i % kCubeFaces, {at(random), at(random)}};
        const FacePlace back = facePlaceOn(scaledDirection(place), place.face);
        EXPECT_LT(glm::distance(back.at, place.at), 1.0e-5);
        EXPECT_EQ(facePlaceOf(scaledDirection(place)).face, place.face);
    }
}

TEST(CubeLattice, HeightStandsOnTheEllipsoid)
{
    std::mt19937 random(3);
    std::uniform_real_distribution<double> at(0, kCubeSide);
    for (int i = 0; i < 2000; ++i)
    {
        const glm::dvec3 n = scaledDirection(FacePlace{i % kCubeFaces, {at(random), at(random)}});
        const Geodetic place = geodeticOf(raised(n, 1234.5));
        EXPECT_NEAR(place.height, 1234.5, 1.0e-6);
        EXPECT_LT(glm::distance(scaledDirectionUnder(raised(n, 1234.5)), n), 1.0e-12);
    }
}

// Checks the header's numbers on the distortion within a face.
TEST(CubeLattice, UnitsAreAboutAsLongEverywhere)
{
    std::mt19937 random(4);
    std::uniform_real_distribution<double> at(0, kCubeSide - 1e5);
    double least = 1e9, most = 0;
    for (int i = 0; i < 20000; ++i)
    {
        const glm::dvec2 p(at(random), at(random));
        const glm::dvec3 a = onEllipsoid(scaledDirection(FacePlace{i % 6, p}));
        const glm::dvec3 b = onEllipsoid(scaledDirection(FacePlace{i % 6, {p.x + 1e5, p.y}}));
        const double metres = glm::distance(a, b) / 1e5 / metresOfCubeUnit();
        least = std::min(least, metres);
        most = std::max(most, metres);
    }
    EXPECT_GT(least, 0.65);
    EXPECT_LT(most, 1.25);
}

// The pixels of a raster of all longitudes reach half a pixel beyond 180 degrees.
TEST(Extents, OfAllLongitudesKeepTheirSides)
{
    EXPECT_EQ(degreesText(-180.04, -90, 179.96, 90, 2), "90.00 S to 90.00 N, 180.04 W to 179.96 E");
    EXPECT_EQ(degreesText(175, -20, 190, -10, 0), "20 S to 10 S, 175 E to 170 W");
}

}  // namespace
}  // namespace orogen
