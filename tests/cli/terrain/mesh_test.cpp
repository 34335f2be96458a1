// orogen mesh: its files read by another library (Assimp), errors, and files that are not replaced.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/matrix.hpp>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/planet/ellipsoid.h"
#include "core/terrain/earth/earth_source.h"
#include "core/terrain/io/load_raster.h"
#include "tests/support/earth_fixtures.h"
#include "tests/support/places.h"
#include "tests/support/raster_files.h"
#include "tests/support/run_program.h"

namespace orogen {
namespace {

namespace fs = std::filesystem;
using test::Finished;
using Words = std::vector<std::string>;

const std::string kMeshed = OROGEN_ROOT "/assets/heightmaps/jacksboro.tif";

Finished mesh(Words arguments)
{
    arguments.insert(arguments.begin(), {OROGEN_PROGRAM, "mesh"});
    return test::runProgram(arguments);
}

// Returns a number that Assimp prints: "Vertices:           9925".
double assimpSays(const std::string& text, const std::string& what, int which = 0)
{
    std::smatch found;
    const std::regex line(what + R"(:?\s+\(?([-0-9.]+)\s*([-0-9.]*)\s*([-0-9.]*))");
    return std::regex_search(text, found, line) ? std::stod(found[std::size_t(which + 1)]) : -1e9;
}

class MeshFiles : public testing::TestWithParam<std::string>
{
};

TEST_P(MeshFiles, AreReadByAssimp)
{
    const test::TemporaryFolder folder;
    const std::string out = folder / ("out." + GetParam());
    for (const bool closed : {false, true})
    {
        Words words = {kMeshed, "--out", out, "--triangles", "4000", "--json", "--force"};
        if (closed) words.insert(words.end(), {"--base", "50"});
        const Finished run = mesh(words);
        ASSERT_EQ(run.code, 0) << run.err;
        const nlohmann::json json = nlohmann::json::parse(run.out);
        EXPECT_EQ(json.at("watertight"), closed);
        EXPECT_EQ(json.at("bytes"), fs::file_size(out));
        EXPECT_LE(json.at("triangles"), 4000);
        EXPECT_LE(json.at("error_max_m").get<double>(), json.at("error_allowed_m").get<double>() + 1e-4);
        const Finished read = test::runProgram({OROGEN_ASSIMP, "info", out});
        ASSERT_EQ(read.code, 0) << read.out << read.err;
        EXPECT_EQ(assimpSays(read.out, "Faces"), json.at("triangles"));
        if (GetParam() != "stl")  // which repeats vertices
        {
            EXPECT_EQ(assimpSays(read.out, "Vertices"), json.at("vertices"));
        }
        const double lowest = assimpSays(read.out, "Minimum point", GetParam() == "glb" ? 1 : 2);
        const double highest = assimpSays(read.out, "Maximum point", GetParam() == "glb" ? 1 : 2);
        EXPECT_NEAR(assimpSays(read.out, "Minimum point"), -assimpSays(read.out, "Maximum point"), 0.01);
        EXPECT_GT(highest - lowest, closed ? 550 : 500);
        EXPECT_LT(highest, 1100) << "not metres above the datum";
    }
}

INSTANTIATE_TEST_SUITE_P(Formats, MeshFiles, testing::Values("glb", "stl", "obj", "ply"),
                         [](const auto& about) { return about.param; });

TEST(MeshCommand, SaysWhereItLies)
{
    const test::TemporaryFolder folder;
    ASSERT_EQ(
        mesh({"earth", "--crop", "6.5,45.5,8.5,46.5", "--error-metres", "100", "--out", folder / "alps.obj"}).code, 0);
    std::ifstream file(folder / "alps.obj");
    std::string first;
    std::getline(file, first);
    EXPECT_EQ(first, "# Orogen: metres, x east, y north, z up; origin 7.5 46 EPSG:4326; 46 7.5 (latitude, longitude)");
    const Finished json =
        mesh({"earth", "--crop", "6.5,45.5,8.5,46.5", "--error-metres", "100", "--out", folder / "a.glb", "--json"});
    EXPECT_EQ(nlohmann::json::parse(json.out).at("extent"), nlohmann::json({6.5, 45.5, 8.5, 46.5}));
    std::ifstream glb(folder / "a.glb", std::ios::binary);
    std::stringstream bytes;
    bytes << glb.rdbuf();
    const nlohmann::json about = nlohmann::json::parse(bytes.str().substr(20, bytes.str().find("BIN") - 24));
    EXPECT_EQ(about.at("asset").at("extras").at("latitude"), 46);
    EXPECT_NEAR(about.at("accessors").at(0).at("max").at(0).get<double>(), 77'470,
                100);  // a degree of longitude at 46 N
}

TEST(MeshCommand, TellsTheWarningsOfItsFile)
{
    const test::TemporaryFolder folder;
    test::writeBytes(
        folder / "nowhere.tif",
        test::TiffBuilder(2, 2, 16, 2).strip(test::samplesOf<std::int16_t>(std::array{1, 2, 3, 9})).build());
    const Finished run = mesh({folder / "nowhere.tif", "--error-metres", "1", "--out", folder / "a.ply"});
    EXPECT_EQ(run.code, 0);
    EXPECT_EQ(run.err, "orogen: no pixel size: 30 m assumed (--pixel-size sets it)\n");
    Raster raster = test::placedRaster(20, 20, "EPSG:32611", test::inMetres(500'000, 4'000'000, 30), test::hills);
    raster.placement->eastward = {0.8, 0.6}, raster.placement->southward = {0.6, -0.8};
    ASSERT_TRUE(writeGeoTiff(raster, folder / "rotated.tif"));
    EXPECT_EQ(mesh({folder / "rotated.tif", "--error-metres", "1", "--out", folder / "b.ply"}).err, "")
        << "its vertices lie at their places, unlike a plane's";
}

TEST(MeshCommand, CrossesTheDateLine)
{
    const test::TemporaryFolder folder;
    const Finished run =
        mesh({"earth", "--crop", "176,-19,-178,-15", "--error-metres", "50", "--out", folder / "fiji.stl", "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const nlohmann::json json = nlohmann::json::parse(run.out), extent = json.at("extent");
    EXPECT_NEAR(extent.at(0).get<double>(), 176, 0.1);
    EXPECT_NEAR(extent.at(2).get<double>(), 182, 0.1);
    EXPECT_NEAR(json.at("samples").at(0).get<double>(), 6 * 12, 2);
    EXPECT_NEAR(json.at("place").at(1).get<double>(), 179, 0.1);
}

// Inside a model that lies in the Earth, heights are the model's own.
TEST(MeshCommand, SamplesModelsInTheEarth)
{
    const test::TemporaryFolder folder;
    const Finished own = mesh({kMeshed, "--error-metres", "0.5", "--out", folder / "own.stl", "--json"});
    ASSERT_EQ(own.code, 0) << own.err;
    const nlohmann::json place = nlohmann::json::parse(own.out).at("place");
    const double latitude = place.at(0), longitude = place.at(1);
    const std::string crop = std::to_string(longitude - 0.01) + "," + std::to_string(latitude - 0.01) + "," +
                             std::to_string(longitude + 0.01) + "," + std::to_string(latitude + 0.01);
    const auto inEarth = [&](Words names) {
        names.insert(names.end(),
                     {"--crop", crop, "--error-metres", "1", "--out", folder / "in.stl", "--force", "--json"});
        const Finished run = mesh(names);
        EXPECT_EQ(run.code, 0) << run.err;
        return nlohmann::json::parse(run.out);
    };
    const nlohmann::json inside = inEarth({"earth", kMeshed}), relief = inEarth({"earth"});
    EXPECT_GT(inside.at("samples").at(0), 20) << "as dense as the model";
    EXPECT_LE(relief.at("samples").at(0), 3);
    const Finished read = test::runProgram({OROGEN_ASSIMP, "info", folder / "in.stl"});
    EXPECT_EQ(read.code, 0);
    EXPECT_EQ(mesh({kMeshed, kMeshed, "--error-metres", "1", "--out", folder / "two.stl"}).code, 2);
    EXPECT_EQ(
        mesh({"earth", folder / "none.tif", "--crop", crop, "--error-metres", "1", "--out", folder / "n.stl"}).code, 5);
}

// Returns the vertices of an OBJ file.
std::vector<std::array<double, 3>> verticesOf(const std::string& file)
{
    std::vector<std::array<double, 3>> vertices;
    std::ifstream in(file);
    std::string word;
    for (std::string line; std::getline(in, line);)
    {
        std::istringstream words(line);
        std::array<double, 3> at{};
        if (words >> word >> at[0] >> at[1] >> at[2] && word == "v") vertices.push_back(at);
    }
    return vertices;
}

// The relief around a model leads up to the model's rim: no slope there is steeper than those in the model.
TEST(MeshCommand, AModelInTheEarthHasNoStepAtItsRim)
{
    const test::TemporaryFolder folder;
    const Finished own = mesh({kMeshed, "--error-metres", "0", "--out", folder / "own.obj", "--json"});
    ASSERT_EQ(own.code, 0) << own.err;
    const nlohmann::json about = nlohmann::json::parse(own.out), place = about.at("place");
    const double latitude = place.at(0), longitude = place.at(1);
    const auto steepest = [](const std::string& file) {
        std::map<std::pair<long, long>, double> heights;  // by decimetres
        const std::vector<std::array<double, 3>> vertices = verticesOf(file);
        const auto column = [](double metres) { return std::lround(10 * metres); };
        double most = 0;
        for (const auto& [x, y, z] : vertices)
            heights[{column(y), column(x)}] = z;
        for (auto before = heights.begin(), at = std::next(before); at != heights.end(); before = at++)
            if (at->first.first == before->first.first)
                most = std::max(most, std::abs(at->second - before->second) /
                                          (0.1 * double(at->first.second - before->first.second)));
        return most;
    };
    // A band across the model and some km on either side, a few rows high.
    const Finished in =
        mesh({"earth", kMeshed, "--crop",
              fmt::format("{},{},{},{}", longitude - 0.3, latitude - 0.002, longitude + 0.3, latitude + 0.002),
              "--error-metres", "0", "--out", folder / "in.obj"});
    ASSERT_EQ(in.code, 0) << in.err;
    EXPECT_LE(steepest(folder / "in.obj"), 1.3 * steepest(folder / "own.obj"));
}

TEST(MeshInView, IsWrittenFromThePanel)
{
    const test::TemporaryFolder folder;
    std::ofstream(folder / "s.txt")
        << "wait settled\nclick View/write_mesh\nwait settled\nscreenshot after.png\nquit\n";
    const Finished run = test::runProgram({OROGEN_PROGRAM, "view", kMeshed, "--headless", "--size", "640x480",
                                           "--script", "s.txt", "--set", "lod.split_pixels=30"},
                                          {.set = {"XDG_CONFIG_HOME=" + folder.path()},
                                           .unset = {"DISPLAY", "WAYLAND_DISPLAY"},
                                           .folder = folder.path()});
    ASSERT_EQ(run.code, 0) << run.err;
    const Finished read = test::runProgram({OROGEN_ASSIMP, "info", folder / "terrain.glb"});
    ASSERT_EQ(read.code, 0) << read.out << read.err;
    EXPECT_GT(assimpSays(read.out, "Faces"), 1000);
    EXPECT_LT(assimpSays(read.out, "Vertices"), assimpSays(read.out, "Faces")) << "corners are not joined";
    EXPECT_GT(assimpSays(read.out, "Minimum point", 1), 200) << "not metres above the datum";
    EXPECT_LT(assimpSays(read.out, "Maximum point", 1), 1100);
}

// Positions, x east, y north, z up, and triangles of a binary glTF file, and the error that it states.
struct ReadGlb
{
    std::vector<std::array<float, 3>> positions;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    double error = -1;
};

ReadGlb readGlb(const std::string& file)
{
    std::ifstream in(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    std::uint32_t length = 0;
    std::memcpy(&length, bytes.data() + 12, 4);
    const nlohmann::json about = nlohmann::json::parse(bytes.begin() + 20, bytes.begin() + 20 + length);
    const auto content = [&](const nlohmann::json& number, auto& out) {
        const nlohmann::json& accessor = about.at("accessors").at(number.get<std::size_t>());
        const nlohmann::json& view = about.at("bufferViews").at(accessor.at("bufferView").get<std::size_t>());
        const std::size_t size = view.at("byteLength"), at = 28 + length + view.value("byteOffset", std::size_t(0));
        out.resize(size / sizeof(out.front()));
        std::memcpy(out.data(), bytes.data() + at, size);
    };
    ReadGlb read;
    const nlohmann::json& primitive = about.at("meshes").at(0).at("primitives").at(0);
    content(primitive.at("attributes").at("POSITION"), read.positions);
    content(primitive.at("indices"), read.triangles);
    read.error = about.at("asset").at("extras").value("error_max_m", -1.0);
    return read;
}

// Writes the triangles in view, without procedural detail, and returns them.
ReadGlb meshInView(Words arguments)
{
    const test::TemporaryFolder folder;
    std::ofstream(folder / "s.txt") << "wait settled\nclick View/write_mesh\nwait settled\nquit\n";
    arguments.insert(arguments.begin(), {OROGEN_PROGRAM, "view"});
    arguments.insert(arguments.end(), {"--headless", "--size", "320x240", "--script", "s.txt", "--set",
                                       "lod.split_pixels=20", "--set", "terrain.detail=false"});
    const Finished run = test::runProgram(arguments, {.set = {"XDG_CONFIG_HOME=" + folder.path()},
                                                      .unset = {"DISPLAY", "WAYLAND_DISPLAY"},
                                                      .folder = folder.path()});
    EXPECT_EQ(run.code, 0) << run.err;
    const ReadGlb drawn = readGlb(folder / "terrain.glb");
    EXPECT_GT(drawn.triangles.size(), 100u);
    return drawn;
}

// Returns the largest vertical distance between triangles and samples that lie at columns and rows of `step` metres
// around the middle.
double largestDistance(const ReadGlb& drawn, int width, int height, double step,
                       const std::function<double(int column, int row)>& heightOf)
{
    double largest = 0;
    for (const auto& triangle : drawn.triangles)
    {
        const auto &a = drawn.positions[triangle[0]], &b = drawn.positions[triangle[1]],
                   &c = drawn.positions[triangle[2]];
        const double ux = b[0] - a[0], uy = b[1] - a[1], vx = c[0] - a[0], vy = c[1] - a[1], area = ux * vy - uy * vx;
        const auto column = [&](double x) { return x / step + 0.5 * (width - 1); };
        const auto row = [&](double y) { return 0.5 * (height - 1) - y / step; };
        const auto [west, east] = std::minmax({a[0], b[0], c[0]});
        const auto [south, north] = std::minmax({a[1], b[1], c[1]});
        for (int i = std::max(int(row(north)), 0); i <= std::min(int(row(south)) + 1, height - 1); ++i)
            for (int j = std::max(int(column(west)), 0); j <= std::min(int(column(east)) + 1, width - 1); ++j)
            {
                const double x = (j - 0.5 * (width - 1)) * step, y = (0.5 * (height - 1) - i) * step;
                const double s = ((x - a[0]) * vy - (y - a[1]) * vx) / area,
                             t = (ux * (y - a[1]) - uy * (x - a[0])) / area;
                if (!(s >= 0 && t >= 0 && s + t <= 1)) continue;
                largest = std::max(largest, std::abs(a[2] + s * (b[2] - a[2]) + t * (c[2] - a[2]) - heightOf(j, i)));
            }
    }
    return largest;
}

// The stated error of the triangles in view equals that of each triangle at each sample.
TEST(MeshInView, StatesItsTrueError)
{
    const Result<Raster> source = loadRaster("synthetic:129:4");
    ASSERT_TRUE(source);
    const ReadGlb drawn = meshInView({"synthetic:129:4", "--set", "terrain.height_scale=2"});
    const double largest = largestDistance(drawn, 129, 129, source->pixelWidth, [&](int column, int row) {
        return 2 * double(source->heights[std::size_t(row * 129 + column)]);
    });
    EXPECT_GT(largest, 1);
    EXPECT_NEAR(drawn.error, largest, 0.01 * largest);
}

// So it does for a terrain in tiles, at samples of its finest level that are not resident.
TEST(MeshInViewThorough, StatesItsTrueErrorInTiles)
{
    const test::TemporaryFolder folder;
    constexpr int kWidth = 16'400, kHeight = 96;  // more columns than an image may have
    const auto heightOf = [](int column, int row) {
        return double(std::lround(300 + 200 * std::sin(0.002 * column) + 20 * std::sin(0.9 * column + 0.4 * row)));
    };
    const Raster raster = test::placedRaster(kWidth, kHeight, "EPSG:32611", test::inMetres(400'000, 3'800'000, 10),
                                             [&](int column, int row) { return float(heightOf(column, row)); });
    ASSERT_TRUE(writeGeoTiff(raster, folder / "wide.tif"));
    const ReadGlb drawn = meshInView({folder / "wide.tif"});
    const double largest = largestDistance(drawn, kWidth, kHeight, 10, heightOf);
    EXPECT_GT(largest, 1);
    EXPECT_NEAR(drawn.error, largest, 0.01 * largest);
}

// So it does on the Earth, along the verticals of all samples of the relief.
TEST(MeshInViewThorough, StatesItsTrueErrorOnTheEarth)
{
    const Result<EarthRelief> relief = EarthRelief::read(OROGEN_ROOT "/assets/earth/etopo5.tif");
    ASSERT_TRUE(relief);
    const ReadGlb drawn = meshInView({"earth", "--goto", "46.5,8,20000", "--set", "terrain.height_scale=3"});
    const Geodetic eye{46.5, 8, 20'000};
    const glm::dvec3 camera = earthFixed(eye);
    const LocalAxes axes = axesAt(camera);
    constexpr double kAside = 5'000;  // metres that a vertical far away leans aside
    struct Drawn
    {
        glm::dvec3 a, b, c, low, high;
    };
    std::vector<Drawn> triangles;
    for (const auto& triangle : drawn.triangles)
    {
        const auto at = [&](std::size_t i) {
            const auto& [x, y, z] = drawn.positions[triangle[i]];
            return glm::dvec3(x, y, z);
        };
        const glm::dvec3 a = at(0), b = at(1), c = at(2);
        triangles.push_back({a, b, c, glm::min(a, glm::min(b, c)) - kAside, glm::max(a, glm::max(b, c)) + kAside});
    }
    double largest = 0;
    for (int row = 37 * 12; row < 44 * 12; ++row)  // 12 a degree, from the north pole
        for (int column = 0; column < 16 * 12; ++column)
        {
            const Geodetic place{90 - row / 12.0, column / 12.0, 0};
            const glm::dvec3 up = axes.toLocal(normalThrough(place)),
                             foot = axes.toLocal(earthFixed(place) - camera) + glm::dvec3(0, 0, eye.height);
            const double ground = 3 * std::max(0.0, double(relief->heightAt(place.latitude, place.longitude)));
            for (const auto& [a, b, c, low, high] : triangles)
            {
                if (foot.x < low.x || foot.y < low.y || foot.x > high.x || foot.y > high.y) continue;
                const glm::dmat3 sides(b - a, c - a, -up);
                if (std::abs(glm::determinant(sides)) < 1e-6) continue;
                const glm::dvec3 met = glm::inverse(sides) * (foot - a);
                if (met.x >= 0 && met.y >= 0 && met.x + met.y <= 1)
                    largest = std::max(largest, std::abs(met.z - ground));
            }
        }
    EXPECT_GT(largest, 1);
    EXPECT_NEAR(drawn.error, largest, 0.01 * largest);
}

TEST(MeshCommand, RefusesWhatItCannotDo)
{
    const test::TemporaryFolder folder;
    const std::string out = folder / "m.ply";
    const auto expect = [](const Finished& run, int code, const std::string& part) {
        EXPECT_EQ(run.code, code) << run.err;
        EXPECT_NE(run.err.find(part), std::string::npos) << run.err;
    };
    expect(mesh({kMeshed, "--out", out}), 2, "expected one of --error-metres and --triangles");
    expect(mesh({kMeshed, "--out", out, "--error-metres", "1", "--triangles", "9"}), 2, "--triangles");
    expect(mesh({kMeshed, "--out", folder / "m.fbx", "--error-metres", "1"}), 2, "expected a name that ends with .glb");
    expect(mesh({kMeshed, "--out", out, "--error-metres", "-1"}), 2, "--error-metres");
    expect(mesh({kMeshed, "--out", out, "--triangles", "1"}), 2, "expected at least");
    expect(mesh({kMeshed, "--out", out, "--error-metres", "1", "--crop", "1,2,3"}), 2, "--crop");
    expect(mesh({kMeshed, "--out", out, "--error-metres", "1", "--crop", "0,0,1,1"}), 2, "within");
    expect(mesh({"earth", "--out", out, "--error-metres", "1"}), 2, "--crop is missing");
    for (const char* crop : {"0,0,0,10", "0,10,10,0", "0,-91,1,10", "nan,0,1,10", "-181,0,1,10"})
        for (const bool models : {false, true})
        {
            Words words = {"earth", "--out", out, "--error-metres", "1", std::string("--crop=") + crop};
            if (models) words.insert(words.begin() + 1, kMeshed);
            expect(mesh(words), 2, "longitudes within -180 to 540");
        }
    expect(mesh({folder / "none.tif", "--out", out, "--error-metres", "1"}), 5, "none.tif");
    expect(mesh({kMeshed, "--out", folder / "none/m.ply", "--error-metres", "1"}), 8, "none");
    EXPECT_FALSE(fs::exists(out));
    test::writeBytes(out, test::Bytes(7));
    expect(mesh({kMeshed, "--out", out, "--error-metres", "100"}), 8, "m.ply");
    EXPECT_EQ(fs::file_size(out), 7u);
    EXPECT_EQ(mesh({kMeshed, "--out", out, "--error-metres", "100", "--force"}).code, 0);
    EXPECT_GT(fs::file_size(out), 1000u);
}

}  // namespace
}  // namespace orogen
