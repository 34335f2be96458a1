// Initial view of a session over terrains of every shape.
#include "core/view/navigation.h"

#include <cmath>
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

// As a whole, a terrain of 262 km would look like a plain in haze.
TEST(HomeView, IsNearTheHighestPlaceOfALargeTerrain)
{
    ViewSurroundings around = overHills({262'144, 262'144}, 0, 0);
    around.terrain.maxHeight = 2'000;
    const glm::dvec2 peak(-70'000, 40'000);
    around.ground = [=](double east, double north) {
        return std::max(0.0, 2'000 - 0.1 * glm::length(glm::dvec2(east, north) - peak));
    };
    const Camera home = homeView(around);
    EXPECT_NEAR(home.position.x, peak.x, 6'000);
    EXPECT_LT(home.position.y, peak.y);
    EXPECT_GT(home.position.y, peak.y - 20'000);
    EXPECT_LT(home.position.z, 4'500);
    // In a corner, the region stays within the terrain.
    around.ground = [](double east, double north) { return 0.004 * (east + north); };
    EXPECT_LE(std::abs(homeView(around).position.x), 131'072 - 20'000);
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
