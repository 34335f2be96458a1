#include "core/view/navigation.h"

#include <cmath>
#include <vector>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/view/view_controller.h"
#include "tests/support/random.h"
#include "tests/support/test_scale.h"

namespace orogen {
namespace {

const TerrainExtent kRollingTerrain{{36'000, 31'000}, 0, 1'500};

// Random bilinear heights on a grid of 100 m, with nearly vertical slopes.
class RoughGround
{
public:
    explicit RoughGround(test::Random& random, double scale) : heights_(kSide * kSide)
    {
        const double roughness = random.chance(1, 2) ? 1500 : 60;
        for (double& height : heights_)
            height = scale * roughness * random.unit();
    }
    double operator()(double east, double north) const
    {
        const double x = std::clamp(east / 100 + kSide / 2, 0.0, kSide - 1.001);
        const double y = std::clamp(north / 100 + kSide / 2, 0.0, kSide - 1.001);
        const int i = int(x), j = int(y);
        const auto at = [&](int a, int b) { return heights_[std::size_t(b) * kSide + std::size_t(a)]; };
        return std::lerp(std::lerp(at(i, j), at(i + 1, j), x - i), std::lerp(at(i, j + 1), at(i + 1, j + 1), x - i),
                         y - j);
    }

private:
    static constexpr int kSide = 64;
    std::vector<double> heights_;
};

double rollingHills(double east, double north) { return 600 + 300 * std::sin(east / 900) * std::cos(north / 700); }
const ViewSurroundings kHills{rollingHills, kRollingTerrain, {1280, 720}};

// Returns the screen position of a point in [-1, 1]², through the matrix instead of the rays that navigation uses.
glm::dvec2 onScreen(const Camera& camera, const glm::dvec3& point, glm::dvec2 viewport)
{
    const Projection p = project(camera, int(viewport.x), int(viewport.y), 0.1);
    const glm::dvec4 clip = glm::dmat4(p.clipFromRelative) * glm::dvec4(point - camera.position, 1);
    return glm::dvec2(clip) / clip.w;
}

CameraInput anyInput(test::Random& random)
{
    const auto swing = [&](double size) { return random.chance(1, 2) ? size * (2 * random.unit() - 1) : 0.0; };
    CameraInput input{.forward = swing(1), .right = swing(1), .up = swing(1)};
    input.turnX = swing(60);
    input.turnY = swing(60);
    input.panX = swing(40);
    input.panY = swing(40);
    input.zoom = random.chance(1, 8) ? swing(6) : 0;
    input.pace = random.chance(1, 30) ? swing(4) : 0;
    input.fast = random.chance(1, 3);
    input.slow = random.chance(1, 6);
    input.holding = random.chance(1, 2);
    if (random.chance(1, 40)) input.flyTo = glm::dvec2(2 * random.unit() - 1, 2 * random.unit() - 1);
    return input;
}

TEST(Navigation, NoFlightEndsUnderTheGroundOrOutOfReach)
{
    for (unsigned seed = 1; seed <= unsigned(test::scaled(40, 2'000)); ++seed)
    {
        test::Random random(seed);
        const double scale = seed % 3 == 0 ? 10 : 1;  // as terrain.height_scale
        const RoughGround ground(random, scale);
        const ViewSurroundings around{
            [&](double e, double n) { return ground(e, n); }, {{6'300, 6'300}, 0, 1'500 * scale}, {1280, 720}};
        Settings::View view{random.chance(1, 3) ? ViewMode::kMap : ViewMode::kFly, {0, 0, 1'600 * scale}, 0, -20, 60};
        view.position.x = 12'000 * random.unit() - 6'000;  // also outside the border
        ViewController controller;
        for (int frame = 0; frame < 250; ++frame)
        {
            const double seconds = random.chance(1, 10) ? 3 * random.unit() : 0.1 * random.unit();
            view = controller.moved(view, anyInput(random), seconds, {2 * random.unit() - 1, 2 * random.unit() - 1},
                                    around);
            const glm::dvec3& at = view.position;
            ASSERT_GE(at.z, ground(at.x, at.y) + kEyeHeight - 1e-9) << "seed " << seed << ", frame " << frame;
            ASSERT_LE(std::max(std::abs(at.x), std::abs(at.y)), 4 * 6'300.0 + 1e-6);
            ASSERT_LE(at.z, ceilingOver(around.terrain) + 1e-6);
            ASSERT_TRUE(std::abs(view.pitch) <= 90 && view.yaw >= 0 && view.yaw < 360);
        }
    }
}

TEST(Navigation, AWallIsClimbedAndNeitherPassedNorLeapt)
{
    // 40 m high, 63 degrees steep.
    const auto wall = [](double east, double) { return 40 * std::clamp(1.5 - std::abs(east) / 20, 0.0, 1.0); };
    const ViewSurroundings around{wall, {{4'000, 4'000}, 0, 40}, {1280, 720}};
    for (const double seconds : {0.004, 0.016, 0.1, 0.25})
    {
        Settings::View view{ViewMode::kFly, {-120, 0, 6}, 90, 0, 60};
        ViewController controller;
        double highest = 0, largestLeap = 0;
        for (double time = 0; time < 60; time += seconds)
        {
            const glm::dvec3 before = view.position;
            const double speed = controller.speed(cameraOf(view), wall(before.x, 0));
            view = controller.moved(view, {.forward = 1}, seconds, {}, around);
            highest = std::max(highest, view.position.z);
            largestLeap = std::max(largestLeap, glm::distance(view.position, before) / (seconds * speed));
            if (view.position.x > 0 && before.x <= 0)
            {
                EXPECT_GT(view.position.z, 40) << seconds;
            }
        }
        EXPECT_GT(highest, 40) << seconds;  // reached the top
        EXPECT_LT(largestLeap, 12)
            << seconds;  // full speed, which grows with the height beside a wall; a leap would be hundreds
    }
}

TEST(Navigation, ARayMeetsTheGroundThatAMarchOfSmallStepsMeets)
{
    test::Random random(7);
    int met = 0;
    for (int i = 0; i < test::scaled(300, 20'000); ++i)
    {
        Camera camera{{8'000 * random.unit() - 4'000, 8'000 * random.unit() - 4'000, 0}, 360 * random.unit(), 0, 60};
        camera.position.z =
            rollingHills(camera.position.x, camera.position.y) + 2 + 900 * random.unit() * random.unit();
        camera.pitch = 40 * random.unit() - 35;
        const glm::dvec2 cursor{2 * random.unit() - 1, 2 * random.unit() - 1};
        const std::optional<glm::dvec3> found = groundUnder(camera, cursor, kHills);
        const glm::dvec3 ray = glm::normalize(rayAt(camera, cursor, kHills.viewport));
        double expected = 0;
        while (expected < 20'000)
        {
            const glm::dvec3 at = camera.position + ray * expected;
            if (at.z <= rollingHills(at.x, at.y)) break;
            expected += 0.5;
        }
        if (!found)
        {
            EXPECT_GE(expected, 20'000) << i;
            continue;
        }
        const double distance = glm::distance(*found, camera.position);
        if (expected < 20'000)
        {
            EXPECT_NEAR(distance, expected, 0.6 + 1e-4 * expected) << i;
        }
        EXPECT_NEAR(found->z, rollingHills(found->x, found->y), 1e-3 + 1e-5 * distance);
        EXPECT_LT(glm::distance(onScreen(camera, *found, kHills.viewport), cursor), 1e-4);
        ++met;
    }
    EXPECT_GT(met, 100);
}

// The land outside a terrain may be higher than all of the terrain.
TEST(Navigation, RaysMeetMountainsOutsideTheTerrain)
{
    const auto ground = [](double east, double) { return std::clamp(0.5 * (east - 10'000), 50.0, 2'000.0); };
    ViewSurroundings around{ground, {{8'000, 8'000}, 0, 100}, {1280, 720}};
    around.terrain.landHeight = 2'100;
    for (const double height : {80.0, 700.0, 3'000.0})
        for (const double rise : {-0.1, 0.0, 0.02})
        {
            const glm::dvec3 from(-2'000, 0, height), along(1, 0, rise);
            const std::optional<glm::dvec3> met = groundAlong(from, along, around.ground, around.terrain);
            // The slope begins at 10,100 m east, and ends at 14,000 m and 2,000 m up.
            const double climb = (0.5 * (from.x - 10'000) - height) / (rise - 0.5), atLow = (50 - height) / rise;
            if (rise >= 0 && height > 2'000)
            {
                EXPECT_FALSE(met) << height;
                continue;
            }
            ASSERT_TRUE(met) << height << ", " << rise;
            const bool level = rise < 0 && from.x + atLow < 10'100;
            EXPECT_NEAR(met->x, from.x + (level ? atLow : climb), 0.1) << height << ", " << rise;
        }
}

TEST(Navigation, TheSkyIsNoGround)
{
    EXPECT_FALSE(groundUnder({{0, 0, 3'000}, 0, 10}, {0, 0.5}, kHills));
    EXPECT_FALSE(groundUnder({{0, 0, 700}, 0, 60}, {0, 0}, kHills));
}

class ViewModes : public testing::TestWithParam<ViewMode>
{
protected:
    test::Random random{3};
    glm::dvec2 anywhere() { return {1.6 * random.unit() - 0.8, 1.6 * random.unit() - 0.8}; }
    Settings::View view()
    {
        Settings::View view{GetParam(), {0, 0, 0}, 360 * random.unit(), -15 - 40 * random.unit(), 60};
        view.position = {8'000 * random.unit() - 4'000, 8'000 * random.unit() - 4'000, 1'300 + 4'000 * random.unit()};
        if (view.mode == ViewMode::kMap)
        {
            view.yaw = 0;
            view.pitch = -90;
        }
        return view;
    }
};
INSTANTIATE_TEST_SUITE_P(Both, ViewModes, testing::Values(ViewMode::kFly, ViewMode::kMap));

TEST_P(ViewModes, TheWheelKeepsThePointUnderTheCursor)
{
    for (int i = 0; i < 60; ++i)
    {
        const Settings::View before = view();
        const glm::dvec2 cursor = anywhere();
        const glm::dvec3 target = zoomTarget(cameraOf(before), cursor, kHills);
        const double notches = double(random.between(-4, 4));
        ViewController controller;
        Settings::View now = controller.moved(before, {.zoom = notches}, 0.013, cursor, kHills);
        for (int frame = 0; frame < 200 && controller.moving(); ++frame)
        {
            now = controller.moved(now, {}, 0.013, {0.9, -0.9}, kHills);  // the cursor moves during the drag
            ASSERT_LT(glm::distance(onScreen(cameraOf(now), target, kHills.viewport), cursor), 1e-5) << i;
        }
        EXPECT_FALSE(controller.moving());
        if (now.position.z < ceilingOver(kRollingTerrain) - 1)
        {
            EXPECT_NEAR(glm::distance(now.position, target) / glm::distance(before.position, target),
                        std::pow(0.85, notches), 1e-9);
        }
    }
}

TEST_P(ViewModes, WhatIsPulledStaysUnderTheCursor)
{
    for (int i = 0; i < 60; ++i)
    {
        Settings::View now = view();
        const glm::dvec2 start = anywhere();
        const std::optional<glm::dvec3> held = groundUnder(cameraOf(now), start, kHills);
        const double height = now.position.z - rollingHills(now.position.x, now.position.y);
        if (!held || glm::distance(*held, now.position) > 15 * height) continue;
        ViewController controller;
        glm::dvec2 cursor = start;
        const Settings::View before = now;
        for (int frame = 0; frame < 12; ++frame)
        {
            const glm::dvec2 pixels(double(random.between(-15, 15)), double(random.between(-9, 9)));
            cursor += pixels * glm::dvec2(2, -2) / kHills.viewport;
            now = controller.moved(now, {.panX = pixels.x, .panY = pixels.y, .holding = true}, 0.016, cursor, kHills);
            if (now.position.z - rollingHills(now.position.x, now.position.y) < 30) break;  // the ground interferes
            ASSERT_LT(glm::distance(onScreen(cameraOf(now), *held, kHills.viewport), cursor), 1e-5) << i;
            // The camera moves sideways only: the distance along the view stays.
            const glm::dvec3 view = forward(cameraOf(now));
            ASSERT_NEAR(glm::dot(*held - now.position, view), glm::dot(*held - before.position, view), 1e-6) << i;
        }
    }
}

TEST_P(ViewModes, SpeedIsGatheredAndLostGradually)
{
    const ViewSurroundings plain{[](double, double) { return 0.0; }, kRollingTerrain, {1280, 720}};
    Settings::View now = view();
    now.position = {0, 0, 1'000};
    now.pitch = now.mode == ViewMode::kMap ? -90 : 0;
    ViewController controller;
    const auto step = [&](const CameraInput& input) {
        const glm::dvec3 before = now.position;
        now = controller.moved(now, input, 0.01, {}, plain);
        return glm::distance(now.position, before) / (0.01 * 1'000);  // share of full speed
    };
    double before = 0;
    for (int i = 0; i < 60; ++i)
    {
        const double speed = step({.right = 1});
        EXPECT_GT(speed, before - 1e-9);
        EXPECT_LT(speed - before, 0.1) << i;
        before = speed;
    }
    EXPECT_NEAR(before, 1, 0.02);
    for (int i = 0; i < 200; ++i)
    {
        const double speed = step({});
        EXPECT_LT(before - speed, 0.1) << i;
        before = speed;
    }
    EXPECT_EQ(before, 0);
}

TEST_P(ViewModes, HeldKeysFlyTheSameWayHoweverTheTimeIsCut)
{
    const ViewSurroundings plain{[](double, double) { return 100.0; }, kRollingTerrain, {1280, 720}};
    Settings::View start = view();
    start.position.z = 1'000;
    const auto flyFor = [&](double frame) {
        ViewController controller;
        Settings::View now = start;
        const int held = int(std::lround(0.5 / frame)), after = int(std::lround(2.0 / frame));
        for (int i = 0; i < held; ++i)
            now = controller.moved(now, {.forward = 1, .right = 0.5}, frame, {}, plain);
        for (int i = 0; i < after; ++i)
            now = controller.moved(now, {}, frame, {}, plain);
        EXPECT_FALSE(controller.moving());
        return now.position;
    };
    const glm::dvec3 fine = flyFor(1.0 / 240);
    const double way = glm::distance(fine, start.position);
    for (const double frame : {1.0 / 60, 1.0 / 20, 1.0 / 4})
        EXPECT_LT(glm::distance(flyFor(frame), fine), 0.01 * way) << frame;
}

TEST_P(ViewModes, ADoubleClickLeadsThereAndEnds)
{
    for (int i = 0; i < 30; ++i)
    {
        const Settings::View before = view();
        const glm::dvec2 cursor = anywhere();
        const std::optional<glm::dvec3> spot = groundUnder(cameraOf(before), cursor, kHills);
        if (!spot) continue;
        ViewController controller;
        Settings::View now = controller.moved(before, {.flyTo = cursor}, 0.02, cursor, kHills);
        for (int frame = 0; frame < 60 && controller.moving(); ++frame)
            now = controller.moved(now, {}, 0.02, {}, kHills);
        EXPECT_FALSE(controller.moving());
        EXPECT_LT(glm::distance(now.position, *spot), 0.6 * glm::distance(before.position, *spot));
        if (now.position.z - rollingHills(now.position.x, now.position.y) > 30)  // the ground did not interfere
        {
            EXPECT_LT(glm::length(onScreen(cameraOf(now), *spot, kHills.viewport)), 1e-3) << i;
        }
    }
}

TEST_P(ViewModes, TheWheelChoosesThePaceWithinItsLimits)
{
    ViewController controller;
    const Settings::View at = view();
    EXPECT_EQ(controller.pace(), 1);
    controller.moved(at, {.pace = 2}, 0.016, {}, kHills);
    EXPECT_NEAR(controller.pace(), 2, 1e-12);
    EXPECT_NEAR(controller.speed(cameraOf(at), 0), 2 * flySpeed(cameraOf(at), 0, {}), 1e-6);
    controller.moved(at, {.pace = 100}, 0.016, {}, kHills);
    EXPECT_EQ(controller.pace(), 16);
    controller.moved(at, {.pace = -100}, 0.016, {}, kHills);
    EXPECT_EQ(controller.pace(), 1.0 / 16);
}

TEST(Navigation, SpeedFollowsTheHeightAboveGround)
{
    const Camera low{{0, 0, 1'010}}, high{{0, 0, 2'000}};
    EXPECT_NEAR(flySpeed(high, 1'000, {}) / flySpeed(low, 1'000, {}), 100, 1e-9);
    EXPECT_EQ(flySpeed({{0, 0, 1'000}}, 1'000, {}), kEyeHeight);
    EXPECT_EQ(flySpeed(low, 1'000, {.fast = true}), 50);
    EXPECT_EQ(flySpeed(low, 1'000, {.slow = true}), 2);
}

// The middle of the picture follows the cursor to a pixel, at every field of view; inverted, it moves the other way.
TEST(Navigation, LookingAroundMovesTheMiddleOfThePictureWithTheCursor)
{
    const double height = 720;
    for (const double fov : {20.0, 60.0, 120.0})
        for (const double pitch : {0.0, -20.0, 55.0})
        {
            const glm::dvec2 pixels(6, -4), turn = lookTurn(pixels, pitch, fov, height, false);
            const Camera before{{0, 0, 0}, 10, pitch, fov}, after{{0, 0, 0}, 10 + turn.x, pitch + turn.y, fov};
            const glm::dvec3 way = forward(before);
            const double focal = height / 2 / std::tan(fov / 2 * std::numbers::pi / 180);
            const double ahead = glm::dot(way, forward(after));
            const glm::dvec2 seen = focal / ahead * glm::dvec2(glm::dot(way, right(after)), -glm::dot(way, up(after)));
            EXPECT_LT(glm::distance(seen, pixels), 0.3) << fov << " " << pitch;
            EXPECT_EQ(lookTurn(pixels, pitch, fov, height, true), -turn);
        }
    EXPECT_LT(std::abs(lookTurn({1, 0}, -90, 60, height, false).x), 1);
}

}  // namespace
}  // namespace orogen
