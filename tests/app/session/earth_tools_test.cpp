// Measured lines and points on the Earth.
#include <cmath>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "app/model/picture_state.h"
#include "app/session/ground_tools.h"
#include "core/leb/cube_leaf.h"
#include "core/planet/cube_lattice.h"
#include "core/planet/ellipsoid.h"
#include "core/view/earth_view.h"
#include "tests/support/earth_tiles.h"

namespace orogen::app {
namespace {

// A ground that rises to the north, so that heights along a line are known.
double groundAt(double latitude) { return 100 + 1'000 * scaledDirectionOf(latitude, 0).z; }

class EarthLine : public testing::Test
{
protected:
    static void SetUpTestSuite()
    {
        auto tiles = std::make_shared<test::EarthTiles>(3, test::EarthTiles::Refines(),
                                                        [](const glm::dvec3& n) { return 100 + 1'000 * n.z; });
        Result<std::unique_ptr<TileCache>> cache = TileCache::create(tiles, 64u << 20);
        ASSERT_TRUE(cache) << cache.error().message;
        cache_ = std::move(*cache);
        cache_->update({}, 1'000'000, 1);
    }
    static void TearDownTestSuite() { cache_.reset(); }

    EarthScene scene(const Geodetic& above = {.latitude = 30, .longitude = 10, .height = 1.5e7})
    {
        EarthScene scene(*cache_);
        scene.around.viewport = {1280, 720};
        scene.around.terrain = {{1, 1}, -4'000, 4'000};
        scene.around.earthGround = [](const glm::dvec3&) { return 0.0; };
        scene.camera = {earthFixed(above), 0, -90, 60};
        scene.heights = 1;
        return scene;
    }
    void measure(std::initializer_list<Geodetic> places)
    {
        line_.toggle();
        for (const Geodetic& place : places)
            line_.add(earthFixed(place));
        const EarthScene shown = scene();
        for (int i = 0; i < 300 && (i == 0 || line_.pending()); ++i)
            line_.update(shown);
        line_.update(shown);
    }

    static inline std::unique_ptr<TileCache> cache_;
    MeasureTool line_;
};

// The first line is one of PROJ's published test cases.  Its height is at the sea's level: heights do not lengthen it.
TEST_F(EarthLine, HasTheLengthOfTheGeodesicToAMillimetre)
{
    measure({{35.60777, -139.44815, 0}, {-11.17491, -69.95921, 0}});
    EXPECT_NEAR(std::stod(*line_.value("measure_distance")), 8935244.5604818305, 1e-3);
    EXPECT_NEAR(std::stod(*line_.value("measure_bearing")), 111.098748429560326, 1e-5);
    const double rise = groundAt(-11.17491) - groundAt(35.60777);
    EXPECT_NEAR(line_.profile().figures().rise, rise, 1);
    EXPECT_NEAR(line_.profile().figures().fall, -rise, 1);
    EXPECT_GT(line_.profile().samples().size(), 100u);
}

TEST_F(EarthLine, CrossesTheDateLineAndThePole)
{
    const Geodetic a{70, 179, 0}, b{70, -178, 0}, c{70, 2, 0};  // the second leg leads over the pole
    measure({a, b, c});
    const double first = Geodesic(a, b).length(), second = Geodesic(b, c).length();
    EXPECT_NEAR(std::stod(*line_.value("measure_distance")), first + second, 1e-3);
    EXPECT_LT(first, 200'000);
    EXPECT_NEAR(line_.state().bearing, 0, 1e-6);
    EXPECT_NEAR(line_.state().figures.highest, 1'100, 1);  // at the pole
    for (const ProfileSample& sample : line_.profile().samples())
        ASSERT_GE(geodeticOf(sample.place).latitude, 69.99);
    const std::vector<SeenPoint> path = line_.state().path;
    for (std::size_t i = 1; i < path.size(); ++i)
        EXPECT_LT(glm::distance(path[i].place, path[i - 1].place), 0.02 * (first + second));
}

TEST_F(EarthLine, ItsFileHasLatitudeAndLongitude)
{
    measure({{10, 179.5, 0}, {10, -179.5, 0}});
    const std::string csv = profileCsv(line_.profile().samples(), scene().columns());
    EXPECT_EQ(csv.substr(0, csv.find('\n')), "distance_m,latitude,longitude,height_m,void");
    EXPECT_NE(csv.find("\n0.000,10.00000000,179.50000000,27"), std::string::npos) << csv.substr(0, 200);
    EXPECT_NE(csv.find(",10.00000000,-179.50000000,27"), std::string::npos);
}

TEST_F(EarthLine, TheFarSideIsHidden)
{
    measure({{30, 10, 0}, {-30, -170, 0}});
    const MeasureState state = line_.state();
    ASSERT_EQ(state.points.size(), 2u);
    EXPECT_FALSE(state.points.front().hidden);
    EXPECT_TRUE(state.points.back().hidden);
}

TEST_F(EarthLine, ThePictureMarksTheSampleUnderTheMouse)
{
    measure({{30, 0, 0}, {30, 20, 0}});
    const EarthScene shown = scene();
    const ProfileSample middle = line_.profile().samples()[line_.profile().samples().size() / 2];
    const EarthPose pose = poseOf(shown.camera);
    const glm::dvec3 way = middle.place - shown.camera.position;
    const double ahead = glm::dot(way, forwardOf(pose)), tanY = std::tan(30.0 / kDegreesARadian);
    line_.pointAt({}, glm::dvec2(glm::dot(way, pose.right) / (ahead * tanY * 1280 / 720),
                                 glm::dot(way, pictureUpOf(pose)) / (ahead * tanY)));
    line_.update(shown);
    ASSERT_TRUE(line_.state().marked);
    EXPECT_LT(glm::distance(line_.state().marked->place, middle.place), 90'000);
}

// Slope and aspect of a ground that rises to the north.
TEST_F(EarthLine, APointHasTheModelsSlope)
{
    const EarthScene shown = scene();
    const GroundPoint point = shown.pointAt(earthFixed({40, 5, 900}));
    EXPECT_NEAR(point.height, groundAt(40), 1);
    const double rise = (groundAt(40.5) - groundAt(39.5)) / Geodesic({39.5, 5}, {40.5, 5}).length();
    EXPECT_NEAR(point.slope, std::atan(rise) * kDegreesARadian, 2e-4);
    EXPECT_NEAR(point.aspect, 180, 2);
    EXPECT_TRUE(point.inside);
    EXPECT_EQ(shown.coordinates(earthFixed({40, 5, 0}), 2'000), "40.00\u00b0 N, 5.00\u00b0 E");
    EXPECT_EQ(shown.coordinates(earthFixed({40, 5, 0}), 0.1), "40.000000\u00b0 N, 5.000000\u00b0 E");
}

// A leaf's shape holds the places inside it, and its corners come back.
TEST_F(EarthLine, LeavesKnowTheirPlaces)
{
    const EarthScene shown = scene();
    test::Random random(3);
    for (int i = 0; i < 200; ++i)
    {
        const int depth = random.between(0, 40);
        const PickedLeaf leaf{(std::uint64_t(16 + random.between(0, 11)) << depth) |
                                  (std::uint64_t(random.unit() * 1e15) & ((std::uint64_t(1) << depth) - 1)),
                              depth, 0, 0};
        const std::optional<LeafShape> shape = shown.shapeOf(leaf);
        ASSERT_TRUE(shape);
        const glm::dvec2 middle = (shape->corners[0] + shape->corners[1] + shape->corners[2]) / 3.0;
        const glm::dvec3 place = shown.offLattice(middle, shape->face);
        const std::optional<glm::dvec2> back = shown.onLattice(place, shape->face);
        ASSERT_TRUE(back);
        EXPECT_LT(glm::distance(*back, middle), 0.01);
        EXPECT_FALSE(shown.onLattice(place, (shape->face + 1) % 6));
    }
}

// The camera is in the middle of the top view; a place 1 km to its east lies 1 km right of it.
TEST_F(EarthLine, TheTopViewIsASquareAroundTheCamera)
{
    const EarthScene shown = scene({.latitude = -40, .longitude = 170, .height = 4'000});
    const double side = std::ldexp(shown.topSide(), -shown.startZoom());
    EXPECT_GT(side, 8 * 4'000);
    EXPECT_LT(side, 32 * 4'000);
    const TopRegion region = shown.topRegion({}, side);
    EXPECT_LT(glm::length(shown.onTop(region, shown.camera.position)), 1e-6);
    const LocalAxes axes = axesAt(shown.camera.position);
    const glm::dvec2 east = shown.onTop(region, shown.camera.position + axes.east * 1'000.0);
    EXPECT_LT(glm::distance(east, glm::dvec2(1'000, 0)), 1e-3);
    EarthScene moved = shown;
    moved.camera.position += axes.north * (0.004 * side);
    EXPECT_EQ(moved.topRegion(region, side), region);
    moved.camera.position += axes.north * (0.02 * side);
    EXPECT_NE(moved.topRegion(region, side), region);
    EXPECT_EQ(scene({.latitude = 0, .longitude = 0, .height = 1.9e7}).startZoom(), 0);
}

// From far away, where all of the globe is in the picture, the ground in view ends at the horizon, all around.
TEST_F(EarthLine, TheGroundInViewEndsAtTheHorizon)
{
    const EarthScene shown = scene({.latitude = 20, .longitude = 40, .height = 1.9e7});
    const double distance = glm::length(shown.camera.position);
    const double horizon = std::acos(kEarthEquatorRadius / distance);
    const glm::dvec3 up = shown.camera.position / distance;
    for (const glm::dvec3& place : shown.borderInView())
        EXPECT_NEAR(std::acos(glm::dot(glm::normalize(place), up)), horizon, 0.005);
}

}  // namespace
}  // namespace orogen::app
