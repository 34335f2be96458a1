// Heights of the ground in view.
#include <cmath>

#include <glm/geometric.hpp>
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
    const double half = 9000 * std::tan(20 * 3.14159265358979 / 180) * 640 / 360 * 19 / 20;  // reach of the outer lines
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
    EXPECT_NEAR(seen->low, 10, 1e-9);
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

// Flies low over peaks and up to the border: from picture to picture, neither end moves by much of the range.
TEST(ViewedGround, ChangesSmoothlyInFlight)
{
    const auto peaks = [](const glm::dvec3& at) {
        return 900 + 500 * std::sin(at.x / 310) * std::sin(at.y / 270) +
               300 * std::sin(at.x / 97 + 1) * std::sin(at.y / 130);
    };
    std::optional<glm::dvec2> before;
    FollowedHeights heights;
    for (int frame = 0; frame < 600; ++frame)
    {
        const double t = frame / 600.0;
        const Camera camera{.position = {-9000 + 18'000 * t, 3000 * std::sin(6 * t), 3500},
                            .yaw = 90 + 120 * t,
                            .pitch = -35 + 25 * t,
                            .fov = 60};
        const auto seen = viewedGround(camera, plane(), peaks, 1);
        if (!seen) continue;
        const glm::dvec2 shown = heights.follow({seen->low, seen->high}, 0.15);
        const double range = shown.y - shown.x;
        EXPECT_LT(before ? glm::length(shown - *before) : 0, 0.03 * range) << frame;
        before = shown;
        EXPECT_LT(std::abs(shown.x - seen->low) + std::abs(shown.y - seen->high), 0.5 * range) << "follows";
    }
}

TEST(FollowedHeights, ArriveAndStay)
{
    FollowedHeights heights;
    EXPECT_EQ(heights.follow({0, 100}, 0.2), glm::dvec2(0, 100)) << "the first at once";
    glm::dvec2 shown(0, 100);
    for (int frame = 0; frame < 60; ++frame)
    {
        const glm::dvec2 next = heights.follow({50, 300}, 0.2);
        EXPECT_LE(next.y - shown.y, 0.2 * 200 + 1e-9);
        shown = next;
    }
    EXPECT_EQ(shown, glm::dvec2(50, 300));
    heights.forget();
    EXPECT_EQ(heights.follow({1, 2}, 0.2), glm::dvec2(1, 2));
}

}  // namespace
}  // namespace orogen::test
