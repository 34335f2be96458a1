#include "core/planet/ellipsoid.h"
#include "core/view/earth_view.h"

#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/view/earth_controller.h"
#include "core/view/view_controller.h"

namespace orogen {
namespace {

constexpr double kDegrees = 180 / std::numbers::pi;
const glm::dvec2 kViewport{1280, 720};

double hills(const glm::dvec3& position)
{
    const Geodetic place = geodeticOf(position);
    return 800 + 700 * std::sin(place.latitude * 40) * std::cos(place.longitude * 40);
}

ViewSurroundings around(EarthGround ground = hills)
{
    ViewSurroundings surroundings;
    surroundings.terrain = {{1, 1}, -100, 3'000};
    surroundings.viewport = kViewport;
    surroundings.earthGround = std::move(ground);
    return surroundings;
}

Settings::View viewOf(const Camera& camera)
{
    Settings::View view;
    storeCamera(camera, view);
    return view;
}

Settings::View viewAt(const Geodetic& place, double yaw, double pitch)
{
    return viewOf({earthFixed(place), yaw, pitch, 60});
}

// Returns the image position of a point, in [-1, 1]², y up.
glm::dvec2 seenAt(const Camera& camera, const glm::dvec3& point)
{
    const glm::dvec3 way = point - camera.position;
    const double tanY = std::tan(0.5 * camera.fov / kDegrees), tanX = tanY * kViewport.x / kViewport.y;
    const double ahead = glm::dot(way, earthForward(camera));
    return camera.shift + glm::dvec2(glm::dot(way, earthRight(camera)) / (ahead * tanX),
                                     glm::dot(way, earthUp(camera)) / (ahead * tanY));
}

double pixels(glm::dvec2 a, glm::dvec2 b) { return glm::length((a - b) * 0.5 * kViewport); }

// Returns the rotation of the image about any axis (degrees).
double turned(const Camera& a, const Camera& b)
{
    const auto angle = [](const glm::dvec3& x, const glm::dvec3& y) {
        return std::atan2(glm::length(glm::cross(x, y)), glm::dot(x, y)) * kDegrees;
    };
    return std::max(angle(earthForward(a), earthForward(b)), angle(earthUp(a), earthUp(b)));
}

double heightOver(const Settings::View& view) { return geodeticOf(view.position).height - hills(view.position); }

TEST(EarthView, APoseIsTheCameraThatItIsOf)
{
    for (const Geodetic place : {Geodetic{46, 8, 500}, Geodetic{-89.9999, 179.9, 2e7}, Geodetic{90, 0, 3}})
        for (const double pitch : {-90.0, -20.0, 60.0})
        {
            const Camera camera{earthFixed(place), 123, pitch, 50}, back = cameraOf(poseOf(camera));
            EXPECT_LT(glm::distance(back.position, camera.position), 1e-6);
            EXPECT_LT(turned(back, camera), 1e-8);
            EXPECT_EQ(back.pitch, camera.pitch);
        }
}

TEST(EarthView, GoingToAPlaceLooksNorthAndDownAsItsHeightAsks)
{
    const Camera high = goTo({46.5, 8, 100'000}), low = goTo({46.5, 8, 99'999});
    EXPECT_EQ(high.pitch, -90);
    EXPECT_EQ(low.pitch, -20);
    EXPECT_EQ(high.yaw, 0);
    EXPECT_NEAR(geodeticOf(high.position).latitude, 46.5, 1e-9);
    EXPECT_NEAR(geodeticOf(high.position).height, 100'000, 1e-4);
}

TEST(EarthView, PlacesOffTheEarthAreRefusedWithTheirRange)
{
    for (const char* text : {"91,0,100", "0,180.5,100", "0,0,2e8", "nan,0,0", "1,2", "1,2,3,4", "north,0,0"})
        EXPECT_EQ(placeIn(text).error().code, ExitCode::kUsage) << text;
    EXPECT_NE(placeIn("91,0,100").error().message.find("-90 to 90 degrees"), std::string::npos);
    EXPECT_EQ(placeIn(" -90, 180, 2 ")->longitude, 180);
}

TEST(EarthView, ARayMeetsTheGroundThatIsThere)
{
    const Camera camera{earthFixed({46.5, 8, 5'000}), 30, -25, 60};
    const auto met = earthGroundAlong(camera.position, earthForward(camera), hills, 3'000);
    ASSERT_TRUE(met);
    EXPECT_NEAR(geodeticOf(*met).height, hills(*met), 1.0);
    EXPECT_FALSE(earthGroundAlong(camera.position, earthUp(camera), hills, 3'000));
}

TEST(EarthView, TheWholeEarthIsInTheHomeView)
{
    const Camera home = earthHome(around());
    const double angle = std::asin(kEarthEquatorRadius / glm::length(home.position)) * kDegrees;
    EXPECT_LT(angle, 30);
    EXPECT_GT(angle, 15);
    EXPECT_NEAR(geodeticOf(home.position).longitude, 10, 1e-9);
}

TEST(EarthView, TheGlobeIsInTheMiddleOfWhatNoPanelCovers)
{
    ViewSurroundings narrow = around();
    narrow.freeLow = {0.4, 0.1};
    Camera home = earthHome(narrow);
    home.shift = globeShift(narrow, home.position);
    EXPECT_LT(pixels(seenAt(home, {0, 0, 0}), {0.4, -0.1}), 1);
    const Camera wide = earthHome(around());
    EXPECT_LT(glm::length(wide.position), glm::length(home.position));
    const double half = std::tan(std::asin(kEarthEquatorRadius / glm::length(home.position)));  // globe's angular size
    const double across = half / std::tan(0.5 * home.fov / kDegrees) * kViewport.y / kViewport.x;
    EXPECT_LE(across, 0.6);
    EXPECT_GT(across, 0.4);
    EXPECT_EQ(globeShift(narrow, earthFixed({46, 8, 2'000})), glm::dvec2(0.0));
    EXPECT_EQ(globeShift(around(), home.position), glm::dvec2(0.0));
}

TEST(EarthView, AShiftedLensHoldsWhatIsUnderTheCursor)
{
    Camera camera{earthFixed({10, 20, 5e6}), 0, -90, 60};
    camera.shift = {0.4, -0.1};
    const glm::dvec2 cursor{0.1, 0.3};
    const EarthPose pose = poseOf(camera);
    const auto spot = onRaisedEllipsoid(camera.position, earthRay(pose, cursor, kViewport), 0);
    ASSERT_TRUE(spot);
    EXPECT_LT(pixels(seenAt(camera, *spot), cursor), 1e-6);
    const EarthPose closer = zoomedOverEarth(pose, *spot, cursor, 3, 1, kViewport);
    EXPECT_LT(pixels(seenAt(cameraOf(closer), *spot), cursor), 0.01);
    EXPECT_LT(closer.height, pose.height);
}

TEST(EarthView, AnExtentThatIsGoneToLiesInTheMiddle)
{
    const ViewSurroundings there = around();
    for (const double side : {0.05, 30.0})
    {
        const Camera camera = viewOfExtent(179, 10, wrappedLongitude(179 + side), 10 + side, there);
        const Geodetic middle{10 + side / 2, wrappedLongitude(179 + side / 2), 0};
        glm::dvec3 spot = earthFixed(middle);
        spot = positionAbove(upThrough(spot), hills(spot));
        EXPECT_LT(pixels(seenAt(camera, spot), {0, 0}), 1) << side;
    }
}

TEST(EarthView, ABookmarkComesBackAsItWas)
{
    const Camera camera{earthFixed({-33.9, 151.2, 220}), 77.5, -12.25, 55};
    const std::optional<Camera> back = bookmarkIn(bookmarkText(camera));
    ASSERT_TRUE(back);
    EXPECT_LT(glm::distance(back->position, camera.position), 0.02);
    EXPECT_EQ(back->yaw, camera.yaw);
    EXPECT_FALSE(bookmarkIn("91 0 0 0 0 60"));
    EXPECT_FALSE(bookmarkIn("1 2 3"));
}

class Wheel : public testing::TestWithParam<glm::dvec2>
{
};

// Turns the wheel one notch every few frames.
TEST_P(Wheel, GoesFromOrbitToTheGroundWithoutAJump)
{
    const ViewSurroundings there = around();
    EarthController controller;
    const glm::dvec2 cursor = GetParam();
    Settings::View view = viewAt({46.5, 8, kMostEarthHeight}, 40, -90);
    double height = heightOver(view);
    for (int frame = 0; frame < 4'000 && height > 2.001; ++frame)
    {
        const Camera before = cameraOf(view);
        view = controller.moved(view, {.zoom = frame % 4 == 0 ? 1.0 : 0.0}, 1.0 / 60, cursor, there);
        const Camera after = cameraOf(view);
        const double now = heightOver(view);
        ASSERT_LT(glm::distance(before.position, after.position), 1.2 * height + 0.01) << height;
        ASSERT_LT(turned(before, after), 6) << height;
        ASSERT_GE(now, kEyeHeight - 1e-6);
        height = now;
    }
    EXPECT_LT(height, 40);
}

TEST_P(Wheel, KeepsWhatIsUnderTheCursorThere)
{
    const ViewSurroundings there = around([](const glm::dvec3&) { return 500.0; });
    const glm::dvec2 cursor = GetParam();
    for (const double pitch : {-90.0, -60.0, -25.0})
        for (double height = 1e7; height > 5; height *= 0.2)
        {
            const Settings::View view = viewAt({-46.5, 179.999, 500 + height}, 200, pitch);
            const Camera before = cameraOf(view);
            const auto spot = earthGroundUnder(before, cursor, there);
            if (!spot || glm::distance(*spot, before.position) > 10 * height) continue;
            EarthController controller;
            Settings::View after = controller.moved(view, {.zoom = 1}, 1.0 / 60, cursor, there);
            for (int frame = 0; frame < 60; ++frame)
                after = controller.moved(after, {}, 1.0 / 60, cursor, there);
            EXPECT_LT(pixels(seenAt(cameraOf(after), *spot), cursor), 0.05) << height << " " << pitch;
            EXPECT_NEAR(glm::distance(after.position, *spot) / glm::distance(before.position, *spot), 0.85, 0.16)
                << height << " " << pitch;
        }
}

INSTANTIATE_TEST_SUITE_P(Cursors, Wheel,
                         testing::Values(glm::dvec2(0, 0), glm::dvec2(0.1, 0.15), glm::dvec2(-0.2, -0.1)));

TEST(EarthController, TheWheelStopsAtTheHighestHeight)
{
    EarthController controller;
    Settings::View view = viewAt({10, 20, 1.9e7}, 0, -90);
    for (int frame = 0; frame < 100; ++frame)
        view = controller.moved(view, {.zoom = -1}, 1.0 / 60, {0.1, 0.1}, around());
    EXPECT_NEAR(geodeticOf(view.position).height, kMostEarthHeight, 1);
}

TEST(EarthController, ADraggedGlobeKeepsWhatIsHeldUnderTheCursor)
{
    const ViewSurroundings there = around();
    for (const Geodetic place : {Geodetic{46, 8, 1e7}, Geodetic{89, 100, 5e6}, Geodetic{-10, 179.5, 400'000}})
    {
        EarthController controller;
        Settings::View view = viewAt(place, 30, -88);
        glm::dvec2 cursor{0.1, -0.1};
        const auto held = earthGroundUnder(cameraOf(view), cursor, there);
        ASSERT_TRUE(held);
        for (int frame = 0; frame < 30; ++frame)
        {
            const CameraInput input{.turnX = 4, .turnY = -3, .holding = true};
            cursor += glm::dvec2(4, 3) * 2.0 / kViewport;
            view = controller.moved(view, input, 1.0 / 60, cursor, there);
            ASSERT_LT(pixels(seenAt(cameraOf(view), *held), cursor), 0.01) << place.latitude << " " << frame;
        }
        EXPECT_NEAR(geodeticOf(view.position).height, place.height, 1e-3);
    }
}

// A drag moves the ground with the cursor in both worlds, or against it in both.
TEST(EarthController, ADragMeansTheSameAsOnAPlane)
{
    const ViewSurroundings there = around([](const glm::dvec3&) { return 0.0; });
    const ViewSurroundings plane{[](double, double) { return 0.0; }, {{30'000, 30'000}, 0, 100}, kViewport};
    for (const bool inverted : {false, true})
        for (const glm::dvec2 drag : {glm::dvec2(10, 0), glm::dvec2(0, 10), glm::dvec2(-7, 3)})
        {
            CameraInput input{.turnX = drag.x, .turnY = drag.y, .holding = true};
            input.inverted = inverted;
            EarthController earth;
            const Settings::View low = viewAt({46, 8, 500}, 40, -20);
            const Settings::View turnedOnEarth = earth.moved(low, input, 0.016, {}, there);
            ViewController flat;
            const Settings::View over{ViewMode::kFly, {0, 0, 500}, 40, -20, 60};
            const Settings::View turnedOver = flat.moved(over, input, 0.016, {}, plane);
            const double way = inverted ? 1 : -1;  // dragged right, the camera turns left
            EXPECT_NEAR(turnedOver.yaw - over.yaw, turnedOnEarth.yaw - low.yaw, 1e-6);
            EXPECT_NEAR(turnedOver.pitch - over.pitch, turnedOnEarth.pitch - low.pitch, 1e-6);
            EXPECT_EQ(drag.x != 0, way * drag.x * (turnedOver.yaw - over.yaw) > 0);
            EXPECT_EQ(drag.y != 0, -way * drag.y * (turnedOver.pitch - over.pitch) > 0);
        }
}

// Dragging changes between turning the globe and looking around, and follows the cursor at every height.
TEST(EarthController, FromGlobeToLookingAroundIsNoStep)
{
    const ViewSurroundings there = around([](const glm::dvec3&) { return 0.0; });
    double last = 0;
    for (double height = 1'000; height < 200'000; height *= 1.05)
    {
        EarthController controller;
        const Settings::View view = viewAt({46, 8, height}, 0, -60);
        const auto held = earthGroundUnder(cameraOf(view), {0, 0}, there);
        const glm::dvec2 cursor = glm::dvec2(20, 0) / kViewport;
        const Settings::View after = controller.moved(view, {.turnX = 10, .holding = true}, 0.016, cursor, there);
        EXPECT_LT(pixels(seenAt(cameraOf(after), *held), cursor), 0.5) << height;
        const double moved = glm::distance(view.position, after.position) / height;
        EXPECT_NEAR(moved, last, 0.002) << height;
        last = moved;
    }
}

double largestTurn(Settings::View view, const CameraInput& input, int frames, bool& crossed)
{
    const ViewSurroundings there = around([](const glm::dvec3&) { return 0.0; });
    EarthController controller;
    double largest = 0;
    const double beforeLongitude = geodeticOf(view.position).longitude;
    for (int frame = 0; frame < frames; ++frame)
    {
        const Camera before = cameraOf(view);
        view = controller.moved(view, input, 1.0 / 60, {0, 0}, there);
        largest = std::max(largest, turned(before, cameraOf(view)));
    }
    crossed = std::abs(geodeticOf(view.position).longitude - beforeLongitude) > 90;
    return largest;
}

TEST(EarthController, FlyingOverThePoleFeelsAsAnywhereElse)
{
    bool over = false, elsewhere = false;
    const CameraInput forward{.forward = 1};
    const double pole = largestTurn(viewAt({89.9, 30, 20'000}, 0, -20), forward, 240, over);
    const double equator = largestTurn(viewAt({0.1, 30, 20'000}, 0, -20), forward, 240, elsewhere);
    EXPECT_TRUE(over);
    EXPECT_FALSE(elsewhere);
    EXPECT_NEAR(pole, equator, 0.02 * equator);
}

TEST(EarthController, TheDateLineIsNotFelt)
{
    bool over = false, elsewhere = false;
    const CameraInput forward{.forward = 1};
    const double line = largestTurn(viewAt({20, 179.9, 20'000}, 90, -20), forward, 240, over);
    const double other = largestTurn(viewAt({20, 29.9, 20'000}, 90, -20), forward, 240, elsewhere);
    EXPECT_TRUE(over);
    EXPECT_FALSE(elsewhere);
    EXPECT_NEAR(line, other, 1e-6);
}

TEST(EarthController, KeysFollowTheCurvedSurfaceAsFastAsTheCameraIsHigh)
{
    const ViewSurroundings there = around([](const glm::dvec3&) { return 0.0; });
    EarthController controller;
    const Geodetic start{10, 20, 200'000};
    Settings::View view = viewAt(start, 90, -90);
    for (int frame = 0; frame < 120; ++frame)
        view = controller.moved(view, {.forward = 1}, 1.0 / 60, {0, 0}, there);
    const Geodetic end = geodeticOf(view.position);
    EXPECT_NEAR(end.height, start.height, 1);
    const double flown =
        glm::distance(earthFixed({start.latitude, start.longitude, 0}), earthFixed({end.latitude, end.longitude, 0}));
    EXPECT_NEAR(flown, 2 * 200'000, 0.15 * 400'000);
}

TEST(EarthController, NothingLeadsBelowTheGround)
{
    const ViewSurroundings there = around();
    EarthController controller;
    Settings::View view = viewAt({46.5, 8, 2'500}, 60, -30);
    for (int frame = 0; frame < 600; ++frame)
    {
        const bool down = frame > 300;
        view = controller.moved(view, {.forward = 1, .up = down ? -1.0 : 0.0}, 1.0 / 60, {0, 0}, there);
        ASSERT_GE(heightOver(view), kEyeHeight - 1e-6);
    }
}

TEST(EarthController, ADoubleClickFliesToThePointWithoutALeap)
{
    const ViewSurroundings there = around();
    for (const double height : {3e3, 1e7})
    {
        EarthController controller;
        Settings::View view = viewAt({46.5, 8, height}, 10, height > 1e6 ? -90 : -30);
        const glm::dvec2 cursor{0.2, 0.1};
        const auto spot = earthGroundUnder(cameraOf(view), cursor, there);
        ASSERT_TRUE(spot);
        const double far = glm::distance(*spot, view.position);
        Settings::View next = controller.moved(view, {.flyTo = cursor}, 1.0 / 60, cursor, there);
        for (int frame = 0; frame < 400 && controller.moving(); ++frame)
        {
            EXPECT_LT(glm::distance(next.position, view.position), 0.12 * far);
            EXPECT_LT(turned(cameraOf(next), cameraOf(view)), 6);
            view = next;
            next = controller.moved(view, {}, 1.0 / 60, cursor, there);
        }
        EXPECT_FALSE(controller.moving());
        EXPECT_NEAR(glm::distance(next.position, *spot) / far, 0.3, 0.02);
        EXPECT_LT(pixels(seenAt(cameraOf(next), *spot), {0, 0}), 2);
    }
}

TEST(HigherGround, IsThatOfBothWhileTheOtherIsShown)
{
    bool shown = true;
    const auto open = [&shown] { return shown; };
    const ViewSurroundings slope{[](double east, double) { return east; }, {{1'000, 1'000}, -500, 500}, kViewport};
    const ViewSurroundings level{[](double, double) { return 100.0; }, {{1'000, 1'000}, 100, 600}, kViewport};
    const ViewSurroundings plane = higherOf(slope, level, open);
    EXPECT_EQ(plane.terrain.minHeight, -500);
    EXPECT_EQ(plane.terrain.maxHeight, 600);
    const glm::dvec3 north = positionAbove({0, 0, 1}, 0), south = positionAbove({0, 0, -1}, 0);
    const ViewSurroundings halves = around([](const glm::dvec3& at) { return at.z > 0 ? 500.0 : 0.0; });
    const ViewSurroundings earth = higherOf(halves, around([](const glm::dvec3&) { return 200.0; }), open);
    for (const bool seen : {true, false})
    {
        shown = seen;
        EXPECT_EQ(groundIn(plane, {300, 0, 0}), 300);
        EXPECT_EQ(groundIn(plane, {-300, 0, 0}), seen ? 100 : -300);
        EXPECT_EQ(groundIn(earth, north), 500);
        EXPECT_EQ(groundIn(earth, south), seen ? 200 : 0);
    }
}

TEST(EarthController, IdleInputLeavesTheViewToTheLastBit)
{
    const Settings::View view = viewAt({46.5, 8, 1'234.5}, 10.1, -30.3);
    EXPECT_EQ(EarthController().moved(view, {}, 0.016, {0.3, 0.2}, around()), view);
}

// ---- map ----

void expectMap(const Settings::View& view)
{
    EXPECT_EQ(view.mode, ViewMode::kMap);
    EXPECT_LT(std::abs(std::remainder(view.yaw, 360.0)), 1e-6);
    EXPECT_EQ(view.pitch, -90);
}

TEST(EarthMap, AndBackIsWhereItWas)
{
    const ViewSurroundings there = around();
    for (const Geodetic place :
         {Geodetic{46, 8, 5'000}, Geodetic{-33, -179.99, 60'000}, Geodetic{70, 20, 2e6}, Geodetic{10, 100, 1'900}})
        for (const double pitch : {-15.0, -50.0, -80.0})
        {
            EarthController controller;
            const Settings::View fly = viewAt(place, 70, place.height > 1e6 ? -60 : pitch);
            const Settings::View map = controller.switched(fly, ViewMode::kMap, there);
            expectMap(map);
            const glm::dvec3 spot = earthSpotLookedAt(cameraOf(fly), there);
            const double distance = glm::distance(fly.position, spot);
            EXPECT_LT(glm::distance(earthSpotLookedAt(cameraOf(map), there), spot), 1e-3 * distance);
            EXPECT_NEAR(glm::distance(map.position, spot), distance, 1e-3 * distance);
            const Settings::View back = controller.switched(map, ViewMode::kFly, there);
            EXPECT_EQ(back.mode, ViewMode::kFly);
            EXPECT_LT(glm::distance(back.position, fly.position), 1e-3 * distance);
            EXPECT_LT(turned(cameraOf(back), cameraOf(fly)), 0.1);
            EXPECT_EQ(controller.switched(fly, ViewMode::kFly, there), fly);
        }
    const Settings::View buried = viewAt({46, 8, -500}, 0, -20);
    const Settings::View map = EarthController().switched(buried, ViewMode::kMap, there);
    EXPECT_GE(heightOver(map), kEyeHeight - 1e-6);
}

TEST(EarthMap, DragsAndTheWheelKeepWhatIsUnderTheCursor)
{
    const ViewSurroundings there = around([](const glm::dvec3&) { return 0.0; });
    for (const Geodetic place : {Geodetic{46, 8, 1e7}, Geodetic{-10, 179.9, 400'000}, Geodetic{80, 30, 20'000},
                                 Geodetic{-75, -60, 3e6}, Geodetic{0, 0, 300}})
    {
        EarthController controller;
        Settings::View view = viewAt(place, 0, -90);
        view.mode = ViewMode::kMap;
        glm::dvec2 cursor{0.2, -0.1};
        const auto held = earthGroundUnder(cameraOf(view), cursor, there);
        ASSERT_TRUE(held);
        for (int frame = 0; frame < 30; ++frame)
        {
            const glm::dvec2 pull = frame < 15 ? glm::dvec2(5, -3) : glm::dvec2(-4, 1);
            CameraInput input{.holding = true};
            (frame % 2 == 0 ? input.turnX : input.panX) = pull.x;  // both buttons pull
            (frame % 2 == 0 ? input.turnY : input.panY) = pull.y;
            cursor += pull * glm::dvec2(2, -2) / kViewport;
            view = controller.moved(view, input, 1.0 / 60, cursor, there);
            expectMap(view);
            ASSERT_LT(pixels(seenAt(cameraOf(view), *held), cursor), 0.01) << place.latitude << " " << frame;
        }
        EXPECT_NEAR(geodeticOf(view.position).height, place.height, 1e-3);
        for (int frame = 0; frame < 60; ++frame)
        {
            view = controller.moved(view, {.zoom = frame < 3 ? 1.0 : 0.0}, 1.0 / 60, cursor, there);
            expectMap(view);
            ASSERT_LT(pixels(seenAt(cameraOf(view), *held), cursor), 0.01) << place.latitude << " wheel " << frame;
        }
        EXPECT_NEAR(geodeticOf(view.position).height, place.height * std::pow(0.85, 3), 0.001 * place.height);
    }
}

// Keys scroll along parallels and meridians, over the date line and up to kMostMapLatitude, and stop there.
TEST(EarthMap, KeysScrollAlongParallelsAndMeridians)
{
    const ViewSurroundings there = around([](const glm::dvec3&) { return 0.0; });
    EarthController controller;
    Settings::View view = viewAt({60, 179.5, 200'000}, 0, -90);
    view.mode = ViewMode::kMap;
    for (int frame = 0; frame < 60; ++frame)
        view = controller.moved(view, {.right = 1}, 1.0 / 60, {}, there);
    Geodetic place = geodeticOf(view.position);
    EXPECT_NEAR(place.latitude, 60, 1e-6);
    EXPECT_LT(place.longitude, -175);
    controller.rest();
    for (int frame = 0; frame < 600; ++frame)
        view = controller.moved(view, {.forward = 1, .fast = true}, 1.0 / 60, {}, there);
    place = geodeticOf(view.position);
    EXPECT_NEAR(place.latitude, kMostMapLatitude, 1e-6);
    EXPECT_LT(place.longitude, -175);
    expectMap(view);
    controller.rest();
    const double before = place.height;
    for (int frame = 0; frame < 60; ++frame)
        view = controller.moved(view, {.up = 1}, 1.0 / 60, {}, there);
    EXPECT_GT(geodeticOf(view.position).height, 1.8 * before);
}

TEST(EarthMap, ADoubleClickHalvesTheHeightAboveThePoint)
{
    const ViewSurroundings there = around();
    EarthController controller;
    Settings::View view = viewAt({46, 8, 100'000}, 0, -90);
    view.mode = ViewMode::kMap;
    const glm::dvec2 cursor(0.3, 0.2);
    const auto spot = earthGroundUnder(cameraOf(view), cursor, there);
    ASSERT_TRUE(spot);
    view = controller.moved(view, {.flyTo = cursor}, 1.0 / 60, cursor, there);
    for (int frame = 0; frame < 300 && controller.moving(); ++frame)
        view = controller.moved(view, {}, 1.0 / 60, cursor, there);
    expectMap(view);
    const double ground = geodeticOf(*spot).height;
    EXPECT_NEAR(geodeticOf(view.position).height - ground, (100'000 - ground) / 2, 1);
    EXPECT_LT(pixels(seenAt(cameraOf(view), *spot), {0, 0}), 0.5);
}

}  // namespace
}  // namespace orogen
