// Lengths, directions and points of geodesics against published values: the test cases of PROJ and GeographicLib
// (C. F. F. Karney), which were computed with at least 100 bits.
#include <cmath>
#include <numbers>
#include <random>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/planet/ellipsoid.h"

namespace orogen {
namespace {

struct KnownLine
{
    double fromLatitude, fromLongitude, azimuth, toLatitude, toLongitude, finalAzimuth, length;
};

constexpr KnownLine kKnown[] = {
    {35.60777, -139.44815, 111.098748429560326, -11.17491, -69.95921, 129.289270889708762, 8935244.5604818305},
    {55.52454, 106.05087, 22.020059880982801, 77.03196, 197.18234, 109.112041110671519, 4105086.1713924406},
    {-21.97856, 142.59065, -32.44456876433189, 41.84138, 98.56635, -41.84359951440466, 8394328.894657671},
    {-66.99028, 112.2363, 173.73491240878403, -12.70631, 285.90344, 2.512956620913668, 11150344.2312080241},
    {-17.42761, 173.34268, -159.033557661192928, -15.84784, 5.93557, -20.787484651536988, 16076603.1631180673},
    {32.84994, 48.28919, 150.492927788121982, -56.28556, 202.29132, 48.113449399816759, 16727068.9438164461},
    {6.96833, 52.74123, 92.581585386317712, -7.39675, 206.17291, 90.721692165923907, 17102477.2496958388},
    {-50.56724, -16.30485, -105.439679907590164, -33.56571, -94.97412, -47.348547835650331, 6455670.5118668696},
    {-58.93002, -8.90775, 140.965397902500679, -8.91104, 133.13503, 19.255429433416599, 11756066.0219864627},
    {-68.82867, -74.28391, 93.774347763114881, -50.63005, -8.36685, 34.65564085411343, 3956936.926063544},
    {-21.76221, 166.90563, 29.319421206936428, 48.72884, 213.97627, 43.508671946410168, 9098627.3986554915},
    {-19.79938, -174.47484, 71.167275780171533, -11.99349, -154.35109, 65.589099775199228, 2319004.8601169389},
    {-87.85331, 85.66836, -65.120313040242748, 66.48646, 16.09921, -4.888658719272296, 17286615.3147144645},
    {-25.72959, -144.90758, -153.647468693117198, -57.70581, -269.17879, -48.343983158876487, 9413446.7452453107},
};

double azimuthError(double a, double b) { return std::abs(std::remainder(a - b, 360.0)); }

TEST(Geodesic, PublishedLinesToAMillimetre)
{
    for (const KnownLine& known : kKnown)
    {
        const Geodesic line({known.fromLatitude, known.fromLongitude}, {known.toLatitude, known.toLongitude});
        EXPECT_NEAR(line.length(), known.length, 1e-6);
        EXPECT_LT(azimuthError(line.azimuth(), known.azimuth), 1e-9);
        EXPECT_LT(azimuthError(line.finalAzimuth(), known.finalAzimuth), 1e-9);
        EXPECT_GE(line.azimuth(), 0);
        EXPECT_LT(line.azimuth(), 360);
    }
}

// Antipodal and nearly antipodal places, the equator, the poles, the date line.  Lengths in GeographicLib's list have
// three decimals, others follow from the figure: the quarter of a meridian is 10,001,965.7293 m.
TEST(Geodesic, SpecialLinesToAMillimetre)
{
    constexpr double kQuarter = 10'001'965.729313;
    const double degree = kEarthEquatorRadius * std::numbers::pi / 180;
    const KnownLine lines[] = {
        {88.202499451857, 0, NAN, -88.202499451857, 179.981022032992859592, NAN, 20003898.214},
        {89.262080389218, 0, NAN, -89.262080389218, 179.992207982775375662, NAN, 20003925.854},
        {89.333123580033, 0, NAN, -89.333123580032997687, 179.99295812360148422, NAN, 20003926.881},
        {56.320923501171, 0, NAN, -56.320923501171, 179.664747671772880215, NAN, 19993558.287},
        {52.784459512564, 0, NAN, -52.784459512563990912, 179.634407464943777557, NAN, 19991596.095},
        {48.522876735459, 0, NAN, -48.52287673545898293, 179.599720456223079643, NAN, 19989144.774},
        {0, 0, 0, 0, 180, 180, 2 * kQuarter},
        {90, 0, 180, -90, 0, 180, 2 * kQuarter},
        {0, 77, 0, 90, 12, 12 - 77, kQuarter},
        {-90, 30, 330, 0, 0, 0, kQuarter},
        {0, 179.25, 90, 0, -178.75, 90, 2 * degree},
        {0, -10, 270, 0, -170, 270, 160 * degree},
        {12.5, 45, NAN, 12.5, 45, NAN, 0},
    };
    for (const KnownLine& known : lines)
    {
        const Geodesic line({known.fromLatitude, known.fromLongitude}, {known.toLatitude, known.toLongitude});
        EXPECT_NEAR(line.length(), known.length, 6e-4) << known.fromLatitude << " to " << known.toLatitude;
        if (!std::isnan(known.azimuth))
        {
            EXPECT_LT(azimuthError(line.azimuth(), known.azimuth), 1e-9)
                << known.toLatitude << " " << known.toLongitude;
            EXPECT_LT(azimuthError(line.finalAzimuth(), known.finalAzimuth), 1e-9);
        }
    }
}

// The way and the directions back are those there, and a point on the line divides it: 2,000 random lines.
TEST(Geodesic, PointsLieOnTheLine)
{
    std::mt19937 random(7);
    std::uniform_real_distribution<double> latitude(-90, 90), longitude(-180, 180), share(0, 1);
    for (int i = 0; i < 2000; ++i)
    {
        const Geodetic from{latitude(random), longitude(random), 0}, to{latitude(random), longitude(random), 0};
        const Geodesic line(from, to), back(to, from);
        EXPECT_NEAR(line.length(), back.length(), 1e-6);
        EXPECT_LT(azimuthError(line.finalAzimuth(), back.azimuth() + 180), 1e-6);
        const double along = share(random) * line.length();
        const Geodetic between = line.at(along);
        EXPECT_NEAR(Geodesic(from, between).length(), along, 1e-6);
        EXPECT_NEAR(Geodesic(between, to).length(), line.length() - along, 1e-6);
        EXPECT_LT(glm::distance(earthFixed(line.at(line.length())), earthFixed(to)), 1e-6);
        EXPECT_GE(line.length() + 1e-6, glm::distance(earthFixed(from), earthFixed(to)));
    }
}

}  // namespace
}  // namespace orogen
