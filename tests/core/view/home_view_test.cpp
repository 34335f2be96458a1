// Initial view of a session over terrains of every shape.
#include "core/view/navigation.h"

#include <cmath>
#include <numbers>
#include <random>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

namespace orogen {
namespace {

// Hills within the terrain's range of heights.
ViewSurroundings overHills(glm::dvec2 size, double lowest, double highest)
{
    const double wave = 0.05 * std::min(size.x, size.y);
    ViewSurroundings around;
    around.terrain = {size, lowest, highest};
    around.ground = [=](double east, double north) {
        const double share = 0.5 + 0.5 * std::sin(east / wave) * std::cos(north / (1.3 * wave));
        return lowest + (highest - lowest) * share;
    };
    return around;
}

class HomeViews : public testing::TestWithParam<unsigned>
{
protected:
    double between(double low, double high) { return std::uniform_real_distribution(low, high)(random_); }

    std::mt19937 random_{GetParam()};
};

TEST_P(HomeViews, StandInTheSouthernThirdAboveTheGround)
{
    for (int i = 0; i < 50; ++i)
    {
        const double east = std::pow(10.0, between(1, 5)), north = std::min(east * between(0.2, 5), 1e10 / east);
        const double lowest = between(-11'000, 4'000);
        const ViewSurroundings around = overHills({east, north}, lowest, lowest + between(0, 0.2) * east);
        const Camera home = homeView(around);
        SCOPED_TRACE(testing::Message() << east << " x " << north << " m");
        EXPECT_EQ(home.position.x, 0);
        EXPECT_GT(home.position.y, -north / 2);
        EXPECT_LT(home.position.y, -north / 6);
        EXPECT_EQ(home.yaw, 0);
        EXPECT_NEAR(home.pitch, -14, 1e-9);
        const double above = home.position.z - around.ground(home.position.x, home.position.y);
        EXPECT_GE(above, kEyeHeight);
        EXPECT_LT(above, 0.6 * std::sqrt(east * north) + 2 * kEyeHeight);  // near enough to show relief
    }
}

// A wall ahead raises the camera above it.
TEST(HomeView, SeesOverWhatIsAhead)
{
    ViewSurroundings around = overHills({10'000, 10'000}, 0, 0);
    around.terrain.maxHeight = 1'500;
    around.ground = [](double, double north) { return north > -2'600 && north < -2'100 ? 1'500.0 : 0.0; };
    EXPECT_GT(homeView(around).position.z, 1'500);
}

// Plains with one range of mountains, whose place the seed chooses.
TEST_P(HomeViews, ShowTheMountainsOfALargePlain)
{
    for (int i = 0; i < 4; ++i)
    {
        const double side = between(20'000, 260'000), height = between(0.02, 0.04) * side;
        const glm::dvec2 range(between(-0.2, 0.2) * side, between(-0.2, 0.2) * side);
        const auto ground = [&](double east, double north) {
            const double distance = glm::length(glm::dvec2(east, north) - range) / (0.1 * side);
            const double ridges = std::abs(std::sin(east * 40 / side) * std::cos(north * 37 / side));
            return 20.0 * std::sin(east / 5'000) + height * ridges * std::exp(-distance * distance);
        };
        SCOPED_TRACE(testing::Message() << side << " m, range at " << range.x << ", " << range.y);
        const Camera view = viewOfRelief(ground, {side, side}, side / 1'024);
        EXPECT_GT(view.position.z, ground(view.position.x, view.position.y) + kEyeHeight);
        // The middle of the picture shows the range, near enough.
        const glm::dvec2 way = range - glm::dvec2(view.position);
        const double yaw = view.yaw * std::numbers::pi / 180, across = way.x * std::cos(yaw) - way.y * std::sin(yaw);
        EXPECT_LT(glm::length(way), 0.45 * side);
        EXPECT_LT(std::abs(across), 0.2 * side);
        EXPECT_GE(view.yaw, -135);
        EXPECT_LE(view.yaw, 45);
        const Camera again = viewOfRelief(ground, {side, side}, side / 1'024);
        EXPECT_EQ(view.position, again.position);
    }
}

TEST(HomeView, OfALevelTerrainStandsAboveIt)
{
    const Camera view = viewOfRelief([](double, double) { return 300.0; }, {1'000, 700}, 10);
    EXPECT_GE(view.position.z, 300 + kEyeHeight);
    EXPECT_LE(std::abs(view.position.x), 500);
    EXPECT_LE(std::abs(view.position.y), 350);
}

TEST(HomeView, IsTheOneThatTheTerrainNames)
{
    ViewSurroundings around = overHills({30'000, 30'000}, 0, 800);
    around.home = Camera{.position = {-4'000, 1'000, 1'200}, .yaw = 95, .pitch = -10, .fov = 40};
    const Camera home = homeView(around, 60);
    EXPECT_EQ(home.position, around.home->position);
    EXPECT_NEAR(home.yaw, 95, 1e-9);
    EXPECT_NEAR(home.pitch, -10, 1e-9);
    EXPECT_EQ(home.fov, 60);
    around.ground = [](double, double) { return 1'500.0; };  // exaggeration changed
    EXPECT_GT(homeView(around, 60).position.z, 1'500);
}

// The point that is in the middle of the image without panels is in the middle of the area that panels leave.
TEST(HomeView, LooksPastPanels)
{
    ViewSurroundings around = overHills({30'000, 30'000}, 0, 800);
    const glm::dvec3 straight = forward(homeView(around));
    around.viewport = {1000, 640};
    around.freeLow = {0.3, 0.05};
    around.freeHigh = {0.96, 1.0};
    const Camera home = homeView(around);
    const Projection p = project(home, 1000, 640, 0.1);
    const glm::vec4 clip = p.clipFromRelative * glm::vec4(glm::vec3(straight), 1.0f);
    const glm::dvec2 share(0.5 + 0.5 * double(clip.x / clip.w), 0.5 - 0.5 * double(clip.y / clip.w));
    EXPECT_NEAR(share.x, 0.63, 0.01);
    EXPECT_NEAR(share.y, 0.525, 0.01);
}

INSTANTIATE_TEST_SUITE_P(, HomeViews, testing::Range(0u, 4u));

}  // namespace
}  // namespace orogen
