#include <cmath>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <gtest/gtest.h>

#include "core/view/camera_flight.h"
#include "core/view/camera_path.h"
#include "core/view/earth_view.h"
#include "core/view/key_spline.h"

namespace orogen {
namespace {

PathKey keyAt(double time, const Geodetic& place, double yaw, double pitch)
{
    return {time, earthFixed(place), yaw, pitch, 60};
}

double angle(const glm::dvec3& a, const glm::dvec3& b)
{
    return glm::degrees(std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b)));
}

ViewSurroundings sea(double height = 0)
{
    ViewSurroundings around;
    around.earthGround = [height](const glm::dvec3&) { return height; };
    return around;
}

// Flies along the meridian of 20 degrees east over both poles, looking ahead.
CameraPath onceAround()
{
    CameraPath path;
    path.units = PathUnits::kEarth;
    path.loopSeconds = 60;
    path.keys = {keyAt(0, {0, 20, 400'000}, 0, -30), keyAt(15, {90, 0, 400'000}, 160, -30),
                 keyAt(30, {0, -160, 400'000}, 180, -30), keyAt(45, {-90, 0, 400'000}, 20, -30)};
    // At a pole, yaw is relative to the meridian of 0.
    path.keys[1].yaw = cameraOf(carried(poseOf({path.keys[0].position, 0, -30, 60}),
                                        {std::cos(glm::radians(20.0)), std::sin(glm::radians(20.0)), 0}, {0, 0, 1}))
                           .yaw;
    path.keys[3].yaw =
        cameraOf(carried(poseOf({path.keys[2].position, 180, -30, 60}), upThrough(path.keys[2].position), {0, 0, -1}))
            .yaw;
    return path;
}

TEST(EarthPath, OnceAroundThroughBothPolesGoesEvenly)
{
    const CameraFlight flight(onceAround(), sea());
    for (int frame = 0; frame < 60 * 60; ++frame)
    {
        const Camera a = flight.at(std::uint64_t(frame), 1.0 / 60), b = flight.at(std::uint64_t(frame + 1), 1.0 / 60);
        const double moved = angle(upThrough(a.position), upThrough(b.position));
        ASSERT_NEAR(moved, 0.1, 0.02) << frame;
        ASSERT_LT(angle(earthForward(a), earthForward(b)), 0.13) << frame;
        ASSERT_LT(angle(earthUp(a), earthUp(b)), 0.13) << frame;
        ASSERT_NEAR(geodeticOf(a.position).height, 400'000, 1) << frame;
        ASSERT_LT(
            std::abs(glm::dot(a.position, glm::dvec3(-std::sin(glm::radians(20.0)), std::cos(glm::radians(20.0)), 0))),
            10);
    }
}

TEST(EarthPath, OfACameraThatStandsStillStaysThere)
{
    const Camera camera{earthFixed({46.5, 8, 9'000}), 33, -20, 60};
    const CameraPath path = standingPath(camera, World::kEarth);
    ASSERT_TRUE(checkPathWorld(path, World::kEarth));
    const CameraFlight flight(path, sea());
    for (const std::uint64_t frame : {0u, 1u, 1'000u})
    {
        const Camera at = flight.at(frame, 1.0 / 60);
        EXPECT_LT(glm::distance(at.position, camera.position), 1e-6);
        EXPECT_NEAR(at.yaw, 33, 1e-9);
        EXPECT_NEAR(at.pitch, -20, 1e-9);
    }
    const Result<CameraPath> read = parseCameraPath(formatCameraPath(path), "view.path");
    ASSERT_TRUE(read);
    EXPECT_EQ(hashOf(*read), hashOf(path));
}

TEST(EarthPath, ADescentSlowsDownTowardsTheGround)
{
    const EarthSpline curve({keyAt(0, {46, 8, 2e7}, 0, -90), keyAt(20, {46, 8, 2}, 0, -20)});
    double before = 2e7;
    for (int frame = 1; frame <= 400; ++frame)
    {
        const double height = geodeticOf(curve.at(0.05 * frame).position).height;
        ASSERT_LE(height, before + 1e-6);
        ASSERT_LT(before - height, 0.05 * (before + 100)) << frame;
        before = height;
    }
    EXPECT_NEAR(before, 2, 0.01);
}

TEST(EarthPath, PassesItsKeys)
{
    const std::vector<PathKey> keys = {keyAt(0, {46, 170, 3'000}, 300, -20), keyAt(7, {-80, -100, 2e6}, 10, -80),
                                       keyAt(9, {-81, -100, -300}, 200, 30)};
    const EarthSpline curve(keys);
    for (const PathKey& key : keys)
    {
        const PathKey found = curve.at(key.time);
        EXPECT_LT(glm::distance(found.position, key.position), 1e-3);
        EXPECT_NEAR(std::remainder(found.yaw - key.yaw, 360), 0, 1e-6);
        EXPECT_NEAR(found.pitch, key.pitch, 1e-9);
    }
}

TEST(EarthPath, TheGroundLiftsIt)
{
    CameraPath path = onceAround();
    path.keys = {keyAt(0, {46, 8, 10}, 0, 0), keyAt(10, {46.01, 8, 10}, 0, 0)};
    path.loopSeconds = 0;
    const CameraFlight flight(path, sea(50));
    for (double time = 0; time <= 10; time += 0.5)
        EXPECT_GE(geodeticOf(flight.atTime(time).position).height, 52 - 1e-6);
}

TEST(EarthPath, IsReadAsItWasWritten)
{
    CameraPath path = onceAround();
    path.name = "around";
    const Result<CameraPath> read = parseCameraPath(formatCameraPath(path), "around.path");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, path);
}

TEST(EarthPath, APlaceWithinTheEarthIsRefusedWithItsLine)
{
    const Result<CameraPath> read =
        parseCameraPath("orogen camera path 1\nunits earth\n0 1 2 3 0 0 60\nend\n", "inside.path");
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ExitCode::kInput);
    EXPECT_TRUE(read.error().message.starts_with("inside.path:3: found '0 1 2 3")) << read.error().message;
}

TEST(EarthPath, OfTheWrongWorldIsRefused)
{
    CameraPath earth = onceAround(), plane = earth;
    plane.units = PathUnits::kTerrain;
    EXPECT_TRUE(checkPathWorld(earth, World::kEarth));
    EXPECT_TRUE(checkPathWorld(plane, World::kPlane));
    EXPECT_EQ(checkPathWorld(earth, World::kPlane).error().code, ExitCode::kInput);
    EXPECT_NE(checkPathWorld(plane, World::kEarth).error().message.find("units terrain"), std::string::npos);
}

TEST(EarthPath, ARecordingOverThePoleFollowsTheFlight)
{
    PathRecorder recorder({}, World::kEarth);
    const CameraFlight flight(onceAround(), sea());
    for (int frame = 600; frame < 1200; ++frame)  // seconds 10 to 20: over the north pole
        ASSERT_TRUE(recorder.add(frame / 60.0, flight.atTime(frame / 60.0), 400'000));
    const CameraPath path = recorder.path("pole");
    EXPECT_EQ(path.units, PathUnits::kEarth);
    EXPECT_LT(path.keys.size(), 40u);
    const CameraFlight again(path, sea());
    for (int frame = 600; frame < 1199; ++frame)
    {
        const Camera wanted = flight.atTime(frame / 60.0), found = again.atTime(frame / 60.0 - 10);
        ASSERT_LT(glm::distance(wanted.position, found.position), 0.003 * 400'000) << frame;
        ASSERT_LT(angle(earthForward(wanted), earthForward(found)), 0.3) << frame;
    }
}

}  // namespace
}  // namespace orogen
