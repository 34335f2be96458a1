// Tools over the Earth, operated with mouse and keys in a window: point and leaf, measured line, top view, map.
#include <algorithm>
#include <cmath>
#include <string>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/leb/cube_leaf.h"
#include "core/planet/cube_lattice.h"
#include "core/planet/ellipsoid.h"
#include "core/view/earth_view.h"
#include "tests/gl/desktop_support.h"
#include "tests/support/earth_fixtures.h"

namespace orogen::app::test {
namespace {

class EarthToolsInAWindow : public OnADesktop
{
protected:
    static constexpr int kWidth = 900, kHeight = 640;

    void openEarth()
    {
        SessionOptions options = small(kWidth, kHeight);
        options.dem = "earth";
        options.frames = 2;
        options.assignments = {"earth.depth=24",  "lod.split_pixels=40",  "render.msaa=1",
                               "render.scale=25", "terrain.detail=false", "marks.names=false",
                               "render.air=off",  "render.shadows=false", "imagery.opacity=0"};
        ASSERT_NO_FATAL_FAILURE(open(options));
        client_->placeAndResize(20, 40, kWidth, kHeight);
        catchUp();
        client_->focus();
        for (int i = 0; i < 400 && viewer_->pending().total() > 0; ++i)
            step();
        ASSERT_EQ(viewer_->pending().text(), "");
    }
    void steps(int count)
    {
        for (int i = 0; i < count; ++i)
            step();
    }
    void tap(const char* name)
    {
        client_->key(name, true);
        client_->key(name, false);
        steps(3);
    }
    void click(glm::ivec2 at)
    {
        client_->move(at.x, at.y);
        steps(2);
        client_->button(1, true);
        steps(2);
        client_->button(1, false);
        steps(3);
    }
    // A pixel beside the middle of the globe, which lies in the middle of what the panels leave free.
    glm::ivec2 onGlobe(glm::ivec2 beside)
    {
        const glm::dvec2 shift = viewer_->settings().view.shift;
        return beside + glm::ivec2((shift.x + 1) * kWidth / 2, (1 - shift.y) * kHeight / 2);
    }
    // The place of the sea under a pixel, by the camera alone.
    Geodetic placeUnder(glm::ivec2 at)
    {
        const Camera camera = cameraOf(viewer_->settings().view);
        const glm::dvec2 cursor((at.x + 0.5) / kWidth * 2 - 1, 1 - (at.y + 0.5) / kHeight * 2);
        const auto place = onRaisedEllipsoid(camera.position, earthRay(poseOf(camera), cursor, {kWidth, kHeight}), 0);
        EXPECT_TRUE(place);
        return geodeticOf(place.value_or(camera.position));
    }
    double number(const char* key)
    {
        const std::optional<std::string> value = viewer_->value(key);
        EXPECT_TRUE(value) << key;
        return value ? std::stod(*value) : 0;
    }
};

using EarthToolsInAWindowThorough = EarthToolsInAWindow;

TEST_F(EarthToolsInAWindowThorough, WorkByMouseAndKeysAsOnAPlane)
{
    ASSERT_NO_FATAL_FAILURE(openEarth());

    // Two clicks measure the geodesic between them.
    tap("m");
    const glm::ivec2 from = onGlobe({-110, -40}), to = onGlobe({110, -90});
    click(from);
    click(to);
    steps(20);
    const Geodesic line(placeUnder(from), placeUnder(to));
    EXPECT_GT(line.length(), 1e6);
    EXPECT_NEAR(number("measure_distance"), line.length(), 0.01 * line.length());
    EXPECT_TRUE(viewer_->ui().items().find("Measure/profile")) << "a profile is shown";
    // A drag sets no point.
    const double before = number("measure_distance");
    const glm::ivec2 dragged = onGlobe({-50, -20});
    client_->move(dragged.x, dragged.y);
    client_->button(1, true);
    steps(2);
    client_->move(dragged.x + 40, dragged.y + 20);
    steps(2);
    client_->button(1, false);
    steps(5);
    EXPECT_EQ(number("measure_distance"), before);
    tap("BackSpace");
    EXPECT_EQ(viewer_->value("measure_points"), "1");
    tap("Escape");
    tap("Escape");
    EXPECT_FALSE(viewer_->ui().items().find("Measure/close"));

    // The point under the mouse has its place and leaf.
    const glm::ivec2 picked = onGlobe({-60, -30});
    client_->move(picked.x, picked.y);
    steps(3);
    for (int i = 0; i < 100 && viewer_->value("pick_leaf") == "null"; ++i)
        step();
    const Geodetic place = placeUnder(picked);
    const glm::dvec3 eye = cameraOf(viewer_->settings().view).position;
    EXPECT_NEAR(number("pick_distance"), glm::distance(eye, earthFixed(place)), 20'000);
    EXPECT_LE(number("pick_depth"), 24);
    ASSERT_NE(viewer_->value("pick_leaf"), "null");
    const leb::CubeTriangle leaf = leb::cornersOf(leb::leafOfId(std::stoull(*viewer_->value("pick_leaf"))));
    const FacePlace point = facePlaceOf(scaledDirectionOf(place.latitude, place.longitude));
    const auto side = [&](const CubePlace& a, const CubePlace& b) {
        return double(b.x - a.x) * (point.at.y - a.y) - double(b.y - a.y) * (point.at.x - a.x);
    };
    EXPECT_EQ(leaf.apex.face, point.face);
    const double unit = double(kCubeSide), slack = -0.01 * unit * unit;  // the ground is not the sea
    EXPECT_GT(std::min({side(leaf.apex, leaf.left), side(leaf.left, leaf.right), side(leaf.right, leaf.apex)}), slack);

    // Top view and map open by their keys.
    tap("t");
    steps(6);
    EXPECT_TRUE(viewer_->ui().items().find("TopView/picture"));
    tap("t");
    EXPECT_FALSE(viewer_->ui().items().find("TopView/picture"));
    tap("Tab");
    EXPECT_EQ(viewer_->settings().view.mode, ViewMode::kMap);
    EXPECT_NEAR(viewer_->settings().view.pitch, -90, 1e-6);
    tap("Tab");
    EXPECT_EQ(viewer_->settings().view.mode, ViewMode::kFly);
}

// The second drop comes while the models of the first are being laid in.
TEST_F(EarthToolsInAWindowThorough, ModelsDroppedOneAfterAnotherAreAllLaidIn)
{
    ASSERT_NO_FATAL_FAILURE(openEarth());
    const orogen::test::EarthFiles files;
    const auto drop = glfwSetDropCallback(window().handle(), nullptr);
    for (const double latitude : {46.0, 48.0})
    {
        std::vector<std::string> names;
        for (const double longitude : {7.0, 9.0})
            names.push_back(files.write(fmt::format("{}-{}.tif", latitude, longitude),
                                        orogen::test::placedRaster(20, 20, "EPSG:4326",
                                                                   orogen::test::inDegrees(longitude, latitude, 0.01),
                                                                   orogen::test::hills)));
        const char* paths[] = {names[0].c_str(), names[1].c_str()};
        drop(window().handle(), 2, paths);
    }
    for (int i = 0; i < 400 && number("insets") < 4; ++i)
        step();
    EXPECT_EQ(viewer_->value("insets"), "4");
}

}  // namespace
}  // namespace orogen::app::test
