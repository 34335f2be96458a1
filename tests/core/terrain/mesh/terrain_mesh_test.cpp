// Triangle meshes: exact errors against brute force, conformity, choice by error and by number; grids of places;
// welded corners.
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/base/text.h"
#include "core/terrain/import/import_run.h"
#include "core/terrain/io/load_raster.h"
#include "core/terrain/mesh/mesh_file.h"
#include "core/terrain/mesh/place_grid.h"
#include "core/terrain/mesh/terrain_mesh.h"
#include "core/terrain/mesh/welded_mesh.h"
#include "tests/support/places.h"
#include "tests/support/random.h"
#include "tests/support/temporary_folder.h"

namespace orogen {
namespace {

const std::string kShipped = OROGEN_ROOT "/assets/heightmaps/jacksboro.tif";

MeshSamples samplesOf(int width, int height, const std::function<float(int, int)>& heightAt)
{
    MeshSamples samples;
    samples.width = width;
    samples.height = height;
    samples.pixelWidth = 10;
    samples.pixelHeight = 20;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            samples.heights.push_back(heightAt(x, y));
    return samples;
}

MeshSamples rough(int width, int height)
{
    test::Random random(unsigned(width * 1000 + height));
    return samplesOf(width, height, [&](int x, int y) {
        return float(100 * std::sin(x * 0.3) * std::cos(y * 0.2)) + float(random.between(0, 200)) * 0.1f;
    });
}

TerrainMesh meshOf(MeshSamples samples)
{
    Result<TerrainMesh> mesh = TerrainMesh::measure(std::move(samples), {});
    EXPECT_TRUE(mesh);
    return std::move(*mesh);
}

using Triangle = std::array<MeshCorner, 3>;

std::vector<Triangle> trianglesOf(const TerrainMesh& mesh)
{
    std::vector<Triangle> triangles;
    mesh.forTriangles([&](const MeshCorner& a, const MeshCorner& b, const MeshCorner& c) {
        triangles.push_back({a, b, c});
        return true;
    });
    return triangles;
}

double doubleArea(const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Returns the largest and the root of the mean square distance of all samples, from the triangles' corners alone.
MeshError bruteForce(const TerrainMesh& mesh)
{
    const MeshSamples& samples = mesh.samples();
    const std::vector<Triangle> triangles = trianglesOf(mesh);
    MeshError error;
    for (int row = 0; row < samples.height; ++row)
        for (int column = 0; column < samples.width; ++column)
        {
            const glm::dvec3 at((column - 0.5 * (samples.width - 1)) * samples.pixelWidth,
                                (0.5 * (samples.height - 1) - row) * samples.pixelHeight, 0);
            bool found = false;
            for (const auto& [a, b, c] : triangles)
            {
                const double u = doubleArea(at, b.position, c.position), v = doubleArea(a.position, at, c.position);
                const double w = doubleArea(a.position, b.position, at);
                if (u < -1e-6 || v < -1e-6 || w < -1e-6) continue;
                const double z = (u * a.position.z + v * b.position.z + w * c.position.z) / (u + v + w);
                const double distance = std::abs(z - double(samples.at(column, row)));
                error.largest = std::max(error.largest, distance);
                error.rootMeanSquare += distance * distance;
                found = true;
                break;
            }
            EXPECT_TRUE(found) << "no triangle over " << column << ", " << row;
        }
    error.rootMeanSquare = std::sqrt(error.rootMeanSquare / double(samples.heights.size()));
    return error;
}

// Counts sides that have no partner in the other direction. Fails if a side occurs twice in one direction.
std::size_t openSides(const TerrainMesh& mesh, bool onBorderAlone)
{
    std::map<std::pair<std::uint32_t, std::uint32_t>, Triangle> sides;
    std::vector<bool> used(mesh.vertices());
    std::uint64_t count = 0;
    for (const Triangle& triangle : trianglesOf(mesh))
    {
        ++count;
        for (std::size_t i = 0; i < 3; ++i)
        {
            used.at(triangle[i].vertex) = true;
            const MeshCorner &from = triangle[i], &to = triangle[(i + 1) % 3];
            EXPECT_TRUE(sides.emplace(std::pair(from.vertex, to.vertex), Triangle{from, to, to}).second);
        }
    }
    EXPECT_EQ(count, mesh.triangles());
    EXPECT_EQ(std::count(used.begin(), used.end(), false), 0);
    std::size_t open = 0;
    const double east = 0.5 * (mesh.samples().width - 1) * mesh.samples().pixelWidth;
    const double north = 0.5 * (mesh.samples().height - 1) * mesh.samples().pixelHeight;
    for (const auto& [side, ends] : sides)
    {
        if (sides.contains({side.second, side.first})) continue;
        ++open;
        const glm::dvec3 &p = ends[0].position, &q = ends[1].position;
        const bool border = (p.x == q.x && std::abs(p.x) == east) || (p.y == q.y && std::abs(p.y) == north);
        EXPECT_TRUE(border || !onBorderAlone) << p.x << ", " << p.y << " to " << q.x << ", " << q.y;
    }
    return open;
}

const std::vector<std::pair<int, int>> kSizes = {{2, 2}, {3, 2}, {2, 9}, {5, 5}, {17, 6}, {33, 33}, {34, 33}, {41, 70}};

TEST(TerrainMesh, APlaneOfAPowerOfTwoIsTwoTriangles)
{
    for (const int side : {2, 3, 5, 65, 257})
    {
        TerrainMesh mesh =
            meshOf(samplesOf(side, side, [](int x, int y) { return 3.0f * float(x) - 2.0f * float(y); }));
        ASSERT_TRUE(mesh.choose(0.001, {}));
        EXPECT_EQ(mesh.triangles(), 2u) << side;
        EXPECT_EQ(mesh.vertices(), 4u);
        EXPECT_LT(mesh.error().largest, 1e-3);
    }
}

TEST(TerrainMesh, TheErrorIsThatOfAllSamples)
{
    for (const auto& [width, height] : kSizes)
    {
        TerrainMesh mesh = meshOf(rough(width, height));
        for (const double allowed : {0.0, 3.0, 17.0, 60.0, 1e4})
        {
            ASSERT_TRUE(mesh.choose(allowed, {}));
            const MeshError stated = mesh.error(), found = bruteForce(mesh);
            EXPECT_NEAR(stated.largest, found.largest, 1e-6 + 1e-9 * found.largest) << width << " x " << height;
            EXPECT_NEAR(stated.rootMeanSquare, found.rootMeanSquare, 1e-6);
            EXPECT_LE(stated.largest, allowed + 1e-5);
        }
    }
}

// A triangle that is cut at the border must be cut alike where it is measured and where it is drawn.
TEST(TerrainMesh, TheErrorHoldsAtTheBorder)
{
    for (int width = 35; width < 66; width += 3)
    {
        TerrainMesh mesh = meshOf(samplesOf(width, 100 - width, [](int x, int y) {
            return float(100 * std::sin(x * 0.11) * std::cos(y * 0.13) + 30 * std::sin(x * 0.4 + y * 0.3));
        }));
        for (double allowed = 1; allowed < 120; allowed *= 1.3)
        {
            ASSERT_TRUE(mesh.choose(allowed, {}));
            EXPECT_LE(mesh.error().largest, allowed + 1e-4) << width;
        }
    }
}

TEST(TerrainMesh, TheErrorHoldsOnRealTerrain)
{
    Result<Raster> raster = loadRaster(kShipped);
    ASSERT_TRUE(raster);
    const ImageSource source(std::move(*raster));
    Result<MeshSamples> samples = readSamples(source, {100, 40, 229, 100}, {});
    ASSERT_TRUE(samples);
    TerrainMesh mesh = meshOf(std::move(*samples));
    for (const double allowed : {1.0, 5.0, 25.0})
    {
        ASSERT_TRUE(mesh.choose(allowed, {}));
        const MeshError found = bruteForce(mesh);
        EXPECT_NEAR(mesh.error().largest, found.largest, 1e-6);
        EXPECT_LE(found.largest, allowed + 1e-5);
        EXPECT_GT(found.largest, 0.5 * allowed) << "more triangles than are needed";
    }
}

TEST(TerrainMesh, Conforms)
{
    for (const auto& [width, height] : kSizes)
    {
        TerrainMesh mesh = meshOf(rough(width, height));
        for (const double allowed : {0.0, 17.0, 60.0, 1e4})
        {
            ASSERT_TRUE(mesh.choose(allowed, {}));
            EXPECT_FALSE(mesh.closed());
            openSides(mesh, true);
            for (const auto& [a, b, c] : trianglesOf(mesh))
                EXPECT_GT(doubleArea(a.position, b.position, c.position), 0) << "seen from below";
        }
    }
}

TEST(TerrainMesh, WallsAndFloorCloseIt)
{
    for (const auto& [width, height] : kSizes)
    {
        TerrainMesh mesh = meshOf(rough(width, height));
        for (const double allowed : {0.0, 60.0})
        {
            ASSERT_TRUE(mesh.choose(allowed, 25.0));
            EXPECT_TRUE(mesh.closed());
            EXPECT_EQ(openSides(mesh, false), 0u) << width << " x " << height;
            double volume = 0, lowest = 1e9;
            for (const auto& [a, b, c] : trianglesOf(mesh))
            {
                volume += glm::dot(a.position, glm::cross(b.position, c.position)) / 6;
                lowest = std::min({lowest, a.position.z, b.position.z, c.position.z});
            }
            const auto& heights = mesh.samples().heights;
            const double least = double(*std::min_element(heights.begin(), heights.end()));
            EXPECT_NEAR(lowest, least - 25, 1e-6);
            const double area = (width - 1) * 10.0 * (height - 1) * 20.0;
            EXPECT_GT(volume, 25 * area) << "a side faces inwards";
        }
    }
}

TEST(TerrainMesh, TakesTheSmallestErrorForANumber)
{
    TerrainMesh mesh = meshOf(rough(50, 70));
    for (const std::uint64_t most : {20u, 100u, 1000u, 6000u, 1000000u})
        for (const std::optional<double> base : {std::optional<double>(), std::optional<double>(3.0)})
        {
            if (base && most < 1000) continue;
            ASSERT_TRUE(mesh.chooseMost(most, base));
            EXPECT_LE(mesh.triangles(), most);
            EXPECT_EQ(trianglesOf(mesh).size(), mesh.triangles());
            const double allowed = mesh.allowed();
            if (allowed == 0) continue;
            ASSERT_TRUE(mesh.choose(std::nextafter(float(allowed), 0.0f), base));
            EXPECT_GT(mesh.triangles(), most) << "a smaller error has no more triangles";
        }
    ASSERT_TRUE(mesh.chooseMost(1000000, {}));
    EXPECT_EQ(mesh.triangles(), 2u * 49 * 69);
    const Status refused = mesh.chooseMost(1, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ExitCode::kUsage);
}

TEST(TerrainMesh, VoidsCountInNoError)
{
    Raster raster;
    raster.width = raster.height = 33;
    raster.heights.assign(33 * 33, 5.0f);
    for (int x = 10; x < 14; ++x)
        raster.heights[std::size_t(12 * 33 + x)] = std::nanf("");
    raster.heights[0] = 905;
    const ImageSource source(raster);
    Result<MeshSamples> samples = readSamples(source, {0, 0, 32, 32}, {});
    ASSERT_TRUE(samples);
    EXPECT_EQ(std::count(samples->voids.begin(), samples->voids.end(), true), 4);
    samples->heights[std::size_t(12 * 33 + 11)] = 4000;  // the height that fills a void may not matter
    TerrainMesh mesh = meshOf(std::move(*samples));
    ASSERT_TRUE(mesh.choose(1e6, {}));
    EXPECT_LT(mesh.error().largest, 905);
    EXPECT_EQ(mesh.triangles(), 2u);
}

TEST(TerrainMesh, ARectangleIsWidenedToSamples)
{
    Raster raster;
    raster.name = "r.tif";
    raster.width = 11;
    raster.height = 21;
    Placement place;
    place.x = 1000;
    place.y = 5000;
    place.stepEast = 10;
    place.stepSouth = 5;
    raster.placement = place;
    const auto is = [&](const Result<SampleWindow>& window, int west, int north, int east, int south) {
        return window && window->west == west && window->north == north && window->east == east &&
               window->south == south;
    };
    EXPECT_TRUE(is(windowOf(raster, 1000, 4900, 1100, 5000), 0, 0, 10, 20));
    EXPECT_TRUE(is(windowOf(raster, 0, 0, 9000, 9000), 0, 0, 10, 20));
    EXPECT_TRUE(is(windowOf(raster, 1010, 4950, 1050, 4990), 1, 2, 5, 10));
    EXPECT_TRUE(is(windowOf(raster, 1011, 4951, 1049, 4989), 1, 2, 5, 10));
    for (const auto& [west, south, east, north] : {std::array{1200.0, 4900.0, 1300.0, 5000.0},
                                                   {1050.0, 4950.0, 1010.0, 4990.0},
                                                   {1000.0, 5100.0, 1100.0, 5200.0}})
    {
        const Result<SampleWindow> window = windowOf(raster, west, south, east, north);
        ASSERT_FALSE(window);
        EXPECT_EQ(window.error().code, ExitCode::kUsage);
    }
    raster.placement.reset();
    EXPECT_FALSE(windowOf(raster, 1000, 4900, 1100, 5000));
}

// Heights are the column, of 36 around the Earth.
TEST(TerrainMesh, ARectangleCrossesTheDateLine)
{
    Raster raster;
    raster.name = "world.tif";
    raster.width = 36;
    raster.height = 17;
    Placement place;
    place.geographic = true;
    place.x = -175;
    place.y = 80;
    place.stepEast = place.stepSouth = 10;
    raster.placement = place;
    for (int i = 0; i < 36 * 17; ++i)
        raster.heights.push_back(float(i % 36));
    const ImageSource source(raster);
    for (const double east : {-145.0, 215.0})
    {
        const Result<SampleWindow> window = windowOf(raster, 155, -20, east, 30);
        ASSERT_TRUE(window);
        EXPECT_EQ(window->west, 33);
        EXPECT_EQ(window->east, 39);
        const Result<MeshSamples> samples = readSamples(source, *window, {});
        ASSERT_TRUE(samples);
        ASSERT_EQ(samples->width, 7);
        for (int x = 0; x < 7; ++x)
            EXPECT_EQ(samples->at(x, 2), float((33 + x) % 36));
    }
    EXPECT_FALSE(windowOf(raster, 0, -20, 400, 30)) << "more than once around";
    raster.width = 35;
    EXPECT_FALSE(windowOf(raster, 155, -20, -145, 30)) << "not all around the Earth";
}

TEST(PlaceGrid, SamplesEveryPlaceOnce)
{
    const Result<PlaceGrid> grid = placeGrid(178, -1, 181, 1, 55'700);
    ASSERT_TRUE(grid);
    EXPECT_EQ(grid->width, 7);
    EXPECT_EQ(grid->height, 5);
    std::size_t places = 0;
    const auto ground = [&places](std::span<const LatLong> at, std::span<float> out) {
        places += at.size();
        for (std::size_t i = 0; i < at.size(); ++i)
        {
            EXPECT_LE(std::abs(at[i].longitude), 180);
            const double east = at[i].longitude < 0 ? at[i].longitude + 360 : at[i].longitude;
            out[i] = east > 180.9 ? std::numeric_limits<float>::quiet_NaN() : float(100 * at[i].latitude + east);
        }
        return Status::ok();
    };
    const Result<MeshSamples> samples = samplePlaces(*grid, ground, {});
    ASSERT_TRUE(samples);
    EXPECT_EQ(places, 35u);
    EXPECT_FLOAT_EQ(samples->at(0, 0), 278);
    EXPECT_FLOAT_EQ(samples->at(5, 4), 80.5);
    EXPECT_EQ(std::count(samples->voids.begin(), samples->voids.end(), true), 5);
    EXPECT_FALSE(std::isnan(samples->at(6, 0)));
    const Result<MeshSamples> blocks = samplePlaces(*placeGrid(0, -1, 1, 1, 1500), ground, {});
    ASSERT_TRUE(blocks);
    ASSERT_GT(std::min(blocks->width, blocks->height), 70);
    for (int y = 0; y < blocks->height; ++y)
        for (int x = 0; x < blocks->width; ++x)
            ASSERT_NEAR(blocks->at(x, y), 100 - 200.0 * y / (blocks->height - 1) + 1.0 * x / (blocks->width - 1), 1e-3);
    EXPECT_EQ(placeGrid(0, 0, 10, 10, 1).error().code, ExitCode::kLimit);
    EXPECT_EQ(placeGrid(10, 0, 5, 10, 1000).error().code, ExitCode::kUsage);
}

// A fan of four triangles, two of them clockwise from above, and one without an area.
TEST(WeldedMesh, JoinsCornersAndTurnsTrianglesUp)
{
    const glm::vec3 middle(0, 0, 3), east(1, 0, 0), north(0, 1, 0), west(-1, 0, 0), south(0, -1, -0.0f);
    const std::vector<std::array<glm::vec3, 3>> triangles = {
        {middle, east, north}, {middle, west, north}, {middle, west, south}, {east, middle, south}, {east, east, west}};
    const WeldedMesh mesh(triangles, {1000, 2000, 500}, {0, 0, -1e9});
    EXPECT_EQ(mesh.triangles(), 4u);
    EXPECT_EQ(mesh.vertices(), 5u);
    EXPECT_FALSE(mesh.normals());
    EXPECT_FALSE(mesh.largestError());
    mesh.forTriangles([](const MeshCorner& a, const MeshCorner& b, const MeshCorner& c) {
        EXPECT_GT(doubleArea(a.position, b.position, c.position), 0);
        return true;
    });
    std::vector<glm::dvec3> places;
    mesh.forVertices([&](const glm::dvec3& place) { return places.push_back(place), true; });
    EXPECT_EQ(places.front(), glm::dvec3(1000, 2000, 503));
}

// The header of a binary STL file has 80 bytes.
TEST(MeshFile, AnStlStatesItsWholeOrigin)
{
    const test::TemporaryFolder folder;
    TerrainMesh mesh = meshOf(rough(3, 3));
    ASSERT_TRUE(mesh.choose(0.1, {}));
    const auto headerOf = [&](const MeshOrigin& origin) {
        const Result<std::uint64_t> size = writeMesh(mesh, MeshFormat::kStl, origin, folder / "a.stl", {});
        EXPECT_TRUE(size && *size == 84 + 50 * mesh.triangles());
        std::string header(80, '\0');
        std::ifstream(folder / "a.stl", std::ios::binary).read(header.data(), 80);
        return std::string(trimmed(header));
    };
    EXPECT_EQ(headerOf({}), "Orogen: m, z up");
    EXPECT_EQ(headerOf({.source = "a.tif",
                        .crs = "EPSG:32611",
                        .map = MapPoint{376'123.45678901, 3'795'123.1239},
                        .place = LatLong{34.291201, -118.345674}}),
              "Orogen: m, z up; 376123.4568 3795123.124 EPSG:32611; 34.29120 -118.34567");
    EXPECT_EQ(headerOf({.source = "a.tif",
                        .crs = "EPSG:102100",
                        .map = MapPoint{-13'162'345.678, -12'345'678.123},
                        .place = LatLong{-34.291201, -118.345674}}),
              "Orogen: m, z up; -13162345.68 -12345678.12 EPSG:102100; -34.29120 -118.34567");
    EXPECT_EQ(headerOf({.source = "a.tif",
                        .crs = std::string(60, 'x'),
                        .map = MapPoint{1, 2},
                        .place = LatLong{34.291201, -118.345674}}),
              "Orogen: m, z up; 34.29120 -118.34567")
        << "a part that does not fit is left out as a whole";
}

// Rows that run 30 degrees north of east; columns mirrored, too, so that only the corners' order keeps triangles up.
TEST(MeshFile, ARotatedRasterIsLaidOutInItsMap)
{
    const test::TemporaryFolder folder;
    TerrainMesh mesh = meshOf(rough(9, 5));
    ASSERT_TRUE(mesh.choose(0.1, {}));
    for (const double mirror : {1.0, -1.0})
    {
        Raster raster;
        raster.width = 9, raster.height = 5;
        raster.pixelWidth = 10, raster.pixelHeight = 20;
        Placement placement{.geographic = false, .x = 500'000, .y = 4'000'000, .stepEast = 10, .stepSouth = 20};
        placement.eastward = {std::cos(0.5), std::sin(0.5)};
        placement.southward = {mirror * std::sin(0.5), -mirror * std::cos(0.5)};
        raster.placement = placement;
        const MeshOrigin origin = meshOriginOf(raster, 4, 2);
        ASSERT_TRUE(writeMesh(mesh, MeshFormat::kObj, origin, folder / "a.obj", {}));
        std::ifstream in(folder / "a.obj");
        std::vector<glm::dvec3> vertices;
        std::size_t triangles = 0;
        std::string word;
        for (std::string line; std::getline(in, line);)
        {
            std::istringstream words(line);
            words >> word;
            glm::dvec3 numbers(0);
            words >> numbers.x >> numbers.y >> numbers.z;
            if (word == "v") vertices.push_back(numbers);
            if (word != "f") continue;
            const auto at = [&](double number) { return vertices.at(std::size_t(number) - 1); };
            EXPECT_GT(doubleArea(at(numbers.x), at(numbers.y), at(numbers.z)), 0);
            ++triangles;
        }
        EXPECT_EQ(triangles, mesh.triangles());
        ASSERT_FALSE(vertices.empty());
        EXPECT_NEAR(origin.map->x + vertices.front().x, placement.x, 1e-3) << "the first sample";
        EXPECT_NEAR(origin.map->y + vertices.front().y, placement.y, 1e-3);
        EXPECT_NEAR(origin.map->x + vertices.back().x, placement.x + 8 * placement.column().x + 4 * placement.row().x,
                    1e-3);
        EXPECT_NEAR(origin.map->y + vertices.back().y, placement.y + 8 * placement.column().y + 4 * placement.row().y,
                    1e-3);
    }
}

// Progress is reported every 65,536 vertices, normals and triangles.
TEST(MeshFile, ProgressEndsAtOneInEveryFormat)
{
    const test::TemporaryFolder folder;
    TerrainMesh mesh = meshOf(rough(200, 200));
    ASSERT_TRUE(mesh.choose(0.1, {}));
    ASSERT_TRUE(mesh.normals());
    for (const MeshFormat format : {MeshFormat::kGlb, MeshFormat::kStl, MeshFormat::kObj, MeshFormat::kPly})
    {
        double last = 0;
        const auto progress = [&last](double fraction, const std::string&) {
            EXPECT_GT(fraction, last);
            last = fraction;
            return true;
        };
        ASSERT_TRUE(writeMesh(mesh, format, {}, folder / "mesh", progress));
        EXPECT_GT(last, 0.4) << int(format);
        EXPECT_LE(last, 1) << int(format);
    }
}

}  // namespace
}  // namespace orogen
