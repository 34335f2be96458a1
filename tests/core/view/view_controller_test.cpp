#include "core/view/view_controller.h"

#include <cmath>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/view/navigation.h"

namespace orogen {
namespace {

const ViewSurroundings kAround{[](double east, double north) { return 500 + 200 * std::sin(east / 800 + north / 900); },
                               {{30'000, 30'000}, 300, 700},
                               {1280, 720}};

TEST(ViewController, MapAndBackIsWhereItWas)
{
    const Settings::View fly{ViewMode::kFly, {4'000, -3'000, 3'500}, 70, -35, 50};
    ViewController controller;
    const Settings::View map = controller.switched(fly, ViewMode::kMap, kAround);
    EXPECT_EQ(map.mode, ViewMode::kMap);
    EXPECT_EQ(map.pitch, -90);
    EXPECT_EQ(map.fov, 50);
    const Settings::View back = controller.switched(map, ViewMode::kFly, kAround);
    EXPECT_EQ(back.mode, ViewMode::kFly);
    EXPECT_EQ(back.yaw, fly.yaw);
    EXPECT_EQ(back.pitch, fly.pitch);
    EXPECT_LT(glm::distance(back.position, fly.position), 30);  // small compared with the 5 km between the two
}

TEST(ViewController, ScrollingTheMapMovesTheSpotOfTheFlight)
{
    ViewController controller;
    Settings::View map = controller.switched({ViewMode::kFly, {0, -6'000, 5'000}, 0, -40, 60}, ViewMode::kMap, kAround);
    map = controller.moved(map, {.panX = -300}, 0.016, {-300 * 2 / 1280.0, 0}, kAround);
    const Settings::View fly = controller.switched(map, ViewMode::kFly, kAround);
    const glm::dvec3 spot = spotLookedAt(cameraOf(fly), kAround.ground, kAround.terrain);
    EXPECT_NEAR(spot.x, map.position.x, 60);
    EXPECT_NEAR(spot.y, map.position.y, 60);
}

TEST(ViewController, SwitchingToTheSameModeChangesNothing)
{
    const Settings::View view{ViewMode::kFly, {1, 2, 3'000}, 4, 5, 60};
    EXPECT_EQ(ViewController().switched(view, ViewMode::kFly, kAround), view);
}

TEST(ViewController, NeverEndsBelowTheGroundOfTheNewPlace)
{
    ViewController controller;
    Settings::View view{ViewMode::kFly, {0, 0, 600}, 33, -20, 60};
    for (int frame = 0; frame < 3'000; ++frame)
    {
        view = controller.moved(view, {.forward = 1, .fast = frame % 3 == 0}, 0.05, {}, kAround);
        ASSERT_GE(view.position.z, kAround.ground(view.position.x, view.position.y) + kEyeHeight - 1e-9);
    }
}

TEST(ViewController, IdleInputLeavesEvenAViewBelowGroundAlone)
{
    const Settings::View view{ViewMode::kFly, {0, 0, -100}, -30, 0, 60};
    EXPECT_EQ(ViewController().moved(view, {}, 0.016, {}, kAround), view);
}

TEST(ViewController, AViewThatSomebodyElseMovedStopsTheFlight)
{
    ViewController controller;
    Settings::View view = controller.moved({ViewMode::kFly, {0, 0, 900}, 0, 0, 60}, {.forward = 1}, 0.1, {}, kAround);
    EXPECT_TRUE(controller.moving());
    view.position = {1'000, 2'000, 3'000};
    EXPECT_EQ(controller.moved(view, {}, 0.1, {}, kAround), view);
    EXPECT_FALSE(controller.moving());
}

TEST(ViewController, HomeOfTheMapLiesBetweenPanels)
{
    ViewSurroundings around = kAround;
    around.freeLow = {0.4, 0.1};
    around.freeHigh = {1, 1};
    const Settings::View map{ViewMode::kMap, {}, 0, -90, 60};
    const Settings::View home = ViewController().home(map, around);
    EXPECT_LT(home.position.x, -1'000);  // the terrain lies right of the picture's middle, and below it
    EXPECT_GT(home.position.y, 1'000);
    EXPECT_GT(home.position.z, ViewController().home(map, kAround).position.z);
}

TEST(ViewController, HomeKeepsModeAndFieldOfView)
{
    const Settings::View lost{ViewMode::kMap, {9e6, 0, 1}, 50, 3, 40};
    const Settings::View home = ViewController().home(lost, kAround);
    EXPECT_EQ(home.mode, ViewMode::kMap);
    EXPECT_EQ(home.fov, 40);
    EXPECT_EQ(home.pitch, -90);
    EXPECT_NEAR(home.position.x, 0, 1e-6);
    EXPECT_EQ(ViewController().home({.mode = ViewMode::kFly}, kAround).position, homeView(kAround).position);
}

}  // namespace
}  // namespace orogen
