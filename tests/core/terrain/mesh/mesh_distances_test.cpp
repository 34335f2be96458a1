// Distances of triangles from all samples under them, against brute force: each sample with each triangle.
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/terrain/mesh/mesh_distances.h"
#include "tests/support/earth_fixtures.h"

namespace orogen {
namespace {

using Triangle = std::array<glm::vec3, 3>;

// Returns where the line from `foot` along `up` meets a triangle, in multiples of `up`; NaN: outside. By Cramer's rule.
double metAt(const Triangle& triangle, const glm::dvec3& origin, const glm::dvec3& foot, const glm::dvec3& up)
{
    const glm::dvec3 a = glm::dvec3(triangle[0]) + origin, u = glm::dvec3(triangle[1] - triangle[0]),
                     v = glm::dvec3(triangle[2] - triangle[0]), to = foot - a;
    const auto determinant = [](const glm::dvec3& x, const glm::dvec3& y, const glm::dvec3& z) {
        return glm::dot(x, glm::cross(y, z));
    };
    const double whole = determinant(u, v, -up);
    if (std::abs(whole) < 1e-12) return NAN;
    const double s = determinant(to, v, -up) / whole, t = determinant(u, to, -up) / whole;
    return s >= 0 && t >= 0 && s + t <= 1 ? determinant(u, v, to) / whole : NAN;
}

// A grid of squares, each of two triangles, of random heights.
std::vector<Triangle> carpet(double west, double south, double side, int squares, double heights, std::mt19937& random)
{
    std::uniform_real_distribution<double> height(-heights, heights);
    std::vector<glm::vec3> corners;
    for (int y = 0; y <= squares; ++y)
        for (int x = 0; x <= squares; ++x)
            corners.emplace_back(west + x * side, south + y * side, height(random));
    std::vector<Triangle> triangles;
    const auto corner = [&](int x, int y) { return corners[std::size_t(y * (squares + 1) + x)]; };
    for (int y = 0; y < squares; ++y)
        for (int x = 0; x < squares; ++x)
        {
            triangles.push_back({corner(x, y), corner(x + 1, y), corner(x, y + 1)});
            triangles.push_back({corner(x + 1, y), corner(x + 1, y + 1), corner(x, y + 1)});
        }
    return triangles;
}

float heightOf(int x, int y)
{
    return x == 90 && y == 50 ? std::numeric_limits<float>::quiet_NaN()
                              : float(30 * std::sin(0.3 * x) * std::cos(0.21 * y) + 0.1 * x);
}

TEST(MeshDistances, OnAPlaneAreThoseOfEachSample)
{
    std::mt19937 random(5);
    std::uint64_t read = 0;
    const PlaneSamples samples{.width = 161,
                               .height = 140,
                               .pixelWidth = 10,
                               .pixelHeight = 12,
                               .read = [&read](const TileWindow& window, std::span<float> out) {
                                   read += out.size();
                                   for (int y = 0, i = 0; y < window.height; ++y)
                                       for (int x = 0; x < window.width; ++x, ++i)
                                           out[std::size_t(i)] = heightOf(window.column + x, window.row + y);
                                   return Status::ok();
                               }};
    // Small triangles beyond the raster's western side, large ones across blocks, and one seen edge-on.
    std::vector<Triangle> triangles = carpet(-900, -400, 27.3, 14, 50, random);
    for (const Triangle& triangle : carpet(-300, 100, 270, 3, 50, random))
        triangles.push_back(triangle);
    triangles.push_back({glm::vec3(0, -900, 0), {10, -900, 5}, {20, -900, 0}});
    const glm::dvec3 origin(3.7, -1.1, 20);
    WeldedMesh mesh(triangles, origin, {0, 0, -1e9});
    const Result<MeshDistances> distances = distancesOnPlane(mesh, samples, 1.5, {});
    ASSERT_TRUE(distances);
    double largest = 0, squares = 0;
    std::uint64_t count = 0;
    for (int y = 0; y < samples.height; ++y)
        for (int x = 0; x < samples.width; ++x)
        {
            const glm::dvec3 foot(10 * (x - 80), 12 * (69.5 - y), 0);
            double most = NAN;
            for (const Triangle& triangle : triangles)
                most = std::fmax(most, std::abs(metAt(triangle, origin, foot, {0, 0, 1}) - 1.5 * heightOf(x, y)));
            if (std::isnan(most)) continue;
            largest = std::max(largest, most);
            squares += most * most;
            ++count;
        }
    EXPECT_GT(count, 5'000u);
    EXPECT_EQ(distances->samples, count);
    EXPECT_NEAR(distances->error.largest, largest, 1e-3 * largest);
    EXPECT_NEAR(distances->error.rootMeanSquare, std::sqrt(squares / double(count)), 1e-3 * largest);
    EXPECT_LT(read, std::uint64_t(161 * 140)) << "reads samples that no triangle covers";
    mesh.state(*distances);
    EXPECT_EQ(mesh.largestError(), distances->error.largest);
    const Result<MeshDistances> stopped =
        distancesOnPlane(mesh, samples, 1.5, [](double, const std::string&) { return false; });
    EXPECT_EQ(stopped.error().code, ExitCode::kInterrupted);
}

// A camera, a carpet around it, and models in the Earth.
struct EarthCase
{
    const char* name;
    double latitude, longitude, height;  // camera
    double side;                         // side of a square (metres)
    std::uint64_t least;                 // samples under the carpet
};

class MeshDistancesOnEarth : public testing::TestWithParam<EarthCase>
{
};

TEST_P(MeshDistancesOnEarth, AreThoseOfEachSample)
{
    const EarthCase& test = GetParam();
    const test::EarthFiles files([](int column, int row) { return float((column * 37 + row * 91) % 800 - 200); });
    // A model in Web Mercator all around the Earth up to 89.5 degrees, one in UTM, and one in degrees across the date
    // line.
    const auto small = [](int column, int row) { return float(500 + 3 * column - 2 * row); };
    const double edge = 20'037'508.34, step = 2 * edge / 48;
    std::vector<std::pair<std::string, Raster>> models = {
        {"web.tif", test::placedRaster(48, 84, "EPSG:3857", test::inMetres(step / 2 - edge, 41.5 * step, step), small)},
        {"utm.tif", test::placedRaster(60, 50, "EPSG:32632", test::inMetres(480'000, 5'200'000, 900), small)},
        {"date.tif", test::placedRaster(50, 40, "EPSG:4326", test::inDegrees(179.5, -16, 0.03), small)}};
    std::vector<std::string> names;
    std::vector<LatLong> places;
    for (int row = 0; row < 37; ++row)
        for (int column = 0; column < (row % 36 == 0 ? 1 : 72); ++column)
            places.push_back({90.0 - 5 * row, -180.0 + 5 * column});
    for (auto& [name, raster] : models)
    {
        names.push_back(files.write(name, raster));
        raster.projection = MapProjection::ofCrs(raster.crs);
        const Placement& at = *raster.placement;
        for (int row = 0; row < raster.height; ++row)
            for (int column = 0; column < raster.width; ++column)
            {
                const MapPoint point{at.x + column * at.stepEast, at.y - row * at.stepSouth};
                places.push_back(at.geographic ? LatLong{point.y, std::remainder(point.x, 360.0)}
                                               : *raster.projection->inverse(point));
            }
    }
    const std::shared_ptr<EarthSource> earth = files.open(names);
    ASSERT_TRUE(earth);
    std::mt19937 random(9);
    std::vector<Triangle> triangles = carpet(-12 * test.side, -13 * test.side, test.side, 24, 0.3 * test.side, random);
    for (Triangle& triangle : triangles)
        for (glm::vec3& corner : triangle)
            corner.z -= float(test.height);
    const DrawnEarth drawn{
        .camera = earthFixed({test.latitude, test.longitude, test.height}), .heightScale = 2, .sea = 0.0};
    const glm::dvec3 origin(0, 0, test.height);
    const WeldedMesh mesh(triangles, origin, {0, 0, -glm::length(drawn.camera)});
    const Result<MeshDistances> distances = distancesOnEarth(mesh, *earth, drawn, {});
    ASSERT_TRUE(distances) << distances.error().message;
    const LocalAxes axes = axesAt(drawn.camera);
    double largest = 0, squares = 0;
    std::uint64_t count = 0;
    for (const LatLong& place : places)
    {
        float ground = 0;
        ASSERT_TRUE(earth->groundAt({&place, 1}, {&ground, 1}));
        const Geodetic at{place.latitude, place.longitude, 0};
        const glm::dvec3 foot = axes.toLocal(earthFixed(at) - drawn.camera) + origin,
                         up = axes.toLocal(normalThrough(at));
        double most = NAN;
        for (const Triangle& triangle : triangles)
            if (const double met = metAt(triangle, origin, foot, up); std::abs(met) < 1e6)
                most = std::fmax(most, std::abs(met - 2 * std::max(double(ground), 0.0)));
        if (std::isnan(most)) continue;
        largest = std::max(largest, most);
        squares += most * most;
        ++count;
    }
    EXPECT_GE(count, test.least);
    EXPECT_EQ(distances->samples, count);
    EXPECT_NEAR(distances->error.largest, largest, 1e-3 * largest);
    EXPECT_NEAR(distances->error.rootMeanSquare, std::sqrt(squares / double(count)), 1e-3 * largest);
}

INSTANTIATE_TEST_SUITE_P(Places, MeshDistancesOnEarth,
                         testing::Values(EarthCase{"Alps", 46.9, 9, 5'000, 3'000, 1'000},
                                         EarthCase{"DateLine", -16.5, 179.99, 2'000, 4'000, 200},
                                         EarthCase{"NorthPole", 89.5, 30, 40'000, 60'000, 72},
                                         EarthCase{"SouthPole", -90, 0, 40'000, 60'000, 72},
                                         EarthCase{"Space", 30, 179, 4e6, 150'000, 40}),
                         [](const auto& about) { return about.param.name; });

// Cuts a turned carpet, so that sides cross its triangles everywhere.
TEST(WeldedMesh, CutAtARectangleIsWholeWithin)
{
    std::mt19937 random(1);
    std::vector<Triangle> triangles = carpet(-50, -50, 5, 20, 3, random);
    for (Triangle& triangle : triangles)
        for (glm::vec3& corner : triangle)
            corner = {0.8f * corner.x - 0.6f * corner.y, 0.6f * corner.x + 0.8f * corner.y, corner.z};
    const glm::vec2 low(-21.3f, -9.7f), high(17.9f, 26.1f);
    const WeldedMesh mesh(cutToRectangle(triangles, low, high), glm::dvec3(0), {0, 0, -1e6});
    double area = 0;
    std::map<std::pair<glm::dvec2, glm::dvec2>, int, decltype([](const auto& a, const auto& b) {
                 return std::tie(a.first.x, a.first.y, a.second.x, a.second.y) <
                        std::tie(b.first.x, b.first.y, b.second.x, b.second.y);
             })>
        edges;
    for (std::uint64_t i = 0; i < mesh.triangles(); ++i)
    {
        const auto corners = mesh.corners(i);
        const glm::dvec3 normal = glm::cross(corners[1] - corners[0], corners[2] - corners[0]);
        EXPECT_GE(normal.z, 0);
        area += 0.5 * normal.z;
        for (int k = 0; k < 3; ++k)
        {
            const glm::dvec2 a(corners[std::size_t(k)]), b(corners[std::size_t((k + 1) % 3)]);
            EXPECT_TRUE(a.x >= low.x && a.x <= high.x && a.y >= low.y && a.y <= high.y);
            ++edges[{a, b}];
            --edges[{b, a}];
        }
    }
    EXPECT_NEAR(area, double(high.x - low.x) * double(high.y - low.y), 1e-3);
    // An edge with one triangle only lies on a side of the rectangle.
    for (const auto& [edge, count] : edges)
    {
        const auto& [a, b] = edge;
        const bool side =
            (a.x == b.x && (a.x == low.x || a.x == high.x)) || (a.y == b.y && (a.y == low.y || a.y == high.y));
        EXPECT_TRUE(count == 0 || side) << a.x << ' ' << a.y << ' ' << b.x << ' ' << b.y;
    }
}

}  // namespace
}  // namespace orogen
