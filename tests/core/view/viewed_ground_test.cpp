// Heights of the ground in view.
#include <cmath>

#include <gtest/gtest.h>

#include "core/view/earth_view.h"
#include "core/view/viewed_ground.h"

namespace orogen::test {
namespace {

ViewSurroundings plane()
{
    ViewSurroundings around;
    around.ground = [](double, double) { return 0.0; };
    around.terrain = {{20'000, 20'000}, 0, 4000};
    around.viewport = {640, 360};
    return around;
}

TEST(ViewedGround, FromAboveIsTheRangeBelow)
{
    Camera camera{.position = {0, 0, 10'000}, .yaw = 0, .pitch = -90, .fov = 40};
    const auto rises = [](const glm::dvec3& at) { return 1000 + 0.1 * at.x; };
    const auto seen = viewedGround(camera, plane(), rises, 1);
    ASSERT_TRUE(seen);
    const double half = 9000 * std::tan(20 * 3.14159265358979 / 180) * 640 / 360 * 11 / 12;  // reach of the outer lines
    EXPECT_NEAR(seen->low, 1000 - 0.1 * half, 0.05 * half);
    EXPECT_NEAR(seen->high, 1000 + 0.1 * half, 0.05 * half);
    EXPECT_NEAR(seen->slope, 0.1, 1e-6);
    EXPECT_NEAR(seen->metresPerPixel, 9000 * 2 * std::tan(20 * 3.14159265358979 / 180) / 360, 4);
    const auto exaggerated = viewedGround(camera, plane(), rises, 2);
    ASSERT_TRUE(exaggerated);
    EXPECT_LT(exaggerated->high, seen->high) << "ground twice as high is nearer, so less of it is seen";
}

TEST(ViewedGround, IgnoresWhatLiesOutsideAndTheSky)
{
    const auto height = [](const glm::dvec3& at) { return at.x > 9000 ? 5000.0 : 10.0; };
    Camera camera{.position = {0, 0, 500}, .yaw = 0, .pitch = 0, .fov = 60};
    const auto seen = viewedGround(camera, plane(), height, 1);
    ASSERT_TRUE(seen);
    EXPECT_EQ(seen->low, 10);
    camera.pitch = 60;
    EXPECT_FALSE(viewedGround(camera, plane(), height, 1));
}

TEST(ViewedGround, TheGlobesIsThatOfItsVisibleHalf)
{
    ViewSurroundings around;
    around.earthGround = [](const glm::dvec3&) { return 0.0; };
    around.terrain = {{1, 1}, -9000, 9000};
    const auto height = [](const glm::dvec3& at) { return at.x > 0 ? at.z / 1e4 : 9000.0; };  // metres by latitude
    const Camera camera{.position = earthFixed({0, 0, 2e7}), .yaw = 0, .pitch = -90, .fov = 60};
    const auto seen = viewedGround(camera, around, height, 1);
    ASSERT_TRUE(seen);
    EXPECT_LT(seen->low, -300);
    EXPECT_GT(seen->high, 300);
    EXPECT_LT(seen->high, 640) << "nothing of the far half";
}

}  // namespace
}  // namespace orogen::test
