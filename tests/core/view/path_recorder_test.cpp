#include "core/view/camera_path.h"

#include <cmath>
#include <vector>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/view/camera_flight.h"
#include "core/view/view_controller.h"
#include "tests/support/random.h"

namespace orogen {
namespace {

const TerrainExtent kTerrain{{30'000, 30'000}, 0, 1'500};

double hills(double east, double north)
{
    return 500 + 400 * std::sin(east / 2'300) * std::cos(north / 1'700) + 60 * std::sin(east / 310 + north / 270);
}

struct Moment
{
    double seconds;
    Camera camera;
    double above;
};

// Returns a simulated flight: keys pressed and released, drags, pauses, and uneven frame times.
std::vector<Moment> flownBySomebody(std::uint64_t seed, int frames)
{
    test::Random random(seed);
    std::vector<Moment> moments;
    Settings::View view{ViewMode::kFly, {-4'000, -7'000, 2'500}, 20, -15, 60};
    Camera camera = cameraOf(view);
    ViewController controller;
    CameraInput input;
    double now = 1e4 * random.unit();
    for (int frame = 0; frame < frames; ++frame)
    {
        if (random.chance(1, 40))
            input = {.forward = double(random.between(-1, 1)),
                     .right = double(random.between(-1, 1)),
                     .up = double(random.between(-1, 1)),
                     .turnX = random.chance(1, 2) ? 20 * random.unit() - 10 : 0,
                     .turnY = random.chance(1, 2) ? 6 * random.unit() - 3 : 0,
                     .slow = random.chance(1, 3),
                     .inverted = true};
        const double seconds = (0.7 + 0.6 * random.unit()) / 60;
        CameraInput moved = input;
        moved.turnX *= seconds * 60;  // mouse movement is proportional to time
        moved.turnY *= seconds * 60;
        view = controller.moved(view, moved, seconds, {}, {hills, kTerrain});
        camera = cameraOf(view);
        now += seconds;
        moments.push_back({now, camera, camera.position.z - hills(camera.position.x, camera.position.y)});
    }
    return moments;
}

CameraPath recorded(const std::vector<Moment>& moments)
{
    PathRecorder recorder;
    for (const Moment& moment : moments)
        EXPECT_TRUE(recorder.add(moment.seconds, moment.camera, moment.above));
    return recorder.path("flight");
}

TEST(PathRecorder, ThePathSavedAndReadFollowsTheFlightWithinTheTolerance)
{
    for (std::uint64_t seed = 0; seed < 6; ++seed)
    {
        SCOPED_TRACE(seed);
        const std::vector<Moment> moments = flownBySomebody(seed, 3'000);
        const auto path = parseCameraPath(formatCameraPath(recorded(moments)), "p");
        ASSERT_TRUE(path) << path.error().message;
        EXPECT_LT(path->keys.size(), moments.size() / 4);
        const CameraFlight flight(*path, kTerrain, [](double, double) { return -1e9; });
        const PathTolerance tolerance;
        for (const Moment& moment : moments)
        {
            const Camera camera = flight.atTime(moment.seconds - moments.front().seconds);
            // Adds half a centimetre to the tolerance, and the way flown in 0.05 ms, the rounding of times.
            const double metres =
                std::max(tolerance.metres, tolerance.relative * moment.above) + 0.01 + 5e-5 * 2 * moment.above;
            ASSERT_LT(glm::distance(camera.position, moment.camera.position), metres) << moment.seconds;
            const double degrees = tolerance.degrees + 0.001 + 5e-5 * 100;
            ASSERT_LT(std::abs(std::remainder(camera.yaw - moment.camera.yaw, 360.0)), degrees);
            ASSERT_LT(std::abs(camera.pitch - moment.camera.pitch), degrees);
        }
    }
}

TEST(PathRecorder, AStraightFlightIsTwoKeys)
{
    std::vector<Moment> moments;
    for (int frame = 0; frame <= 600; ++frame)
        moments.push_back({3 + frame / 60.0, {{10.0 * frame, -5.0 * frame, 900}, 90, -10, 60}, 500});
    const CameraPath path = recorded(moments);
    ASSERT_EQ(path.keys.size(), 2u);
    EXPECT_EQ(path.keys[1], (PathKey{10, {6'000, -3'000, 900}, 90, -10, 60}));
    EXPECT_EQ(path.name, "flight");
    EXPECT_EQ(path.units, PathUnits::kMetres);
    EXPECT_EQ(path.loopSeconds, 0);
}

TEST(PathRecorder, APauseIsStill)
{
    std::vector<Moment> moments;
    const auto fly = [&](double speed, int frames) {
        for (int frame = 0; frame < frames; ++frame)
        {
            const double east = moments.empty() ? 0 : moments.back().camera.position.x + speed / 60;
            moments.push_back({double(moments.size()) / 60, {{east, 0, 900}, 90, -10, 60}, 50});
        }
    };
    fly(200, 120);
    fly(0, 1'200);
    fly(-300, 120);
    const CameraPath path = recorded(moments);
    const CameraFlight flight(path, kTerrain, [](double, double) { return 0; });
    for (double time = 2.2; time < 21.8; time += 0.01)
        ASSERT_NEAR(flight.atTime(time).position.x, moments[200].camera.position.x, 0.11) << time;
    EXPECT_LT(path.keys.size(), 60u);
}

TEST(PathRecorder, ALeapStaysALeap)
{
    // As when switching to the map: another place in the next frame.
    std::vector<Moment> moments;
    for (int frame = 0; frame < 240; ++frame)
    {
        const double leap = frame < 120 ? 0 : 9'000;
        moments.push_back({frame / 60.0, {{leap + frame, 0, 900 + leap}, 90, frame < 120 ? -10.0 : -90.0, 60}, 500});
    }
    const CameraFlight flight(recorded(moments), kTerrain, [](double, double) { return 0; });
    for (double time = 0; time < 3.98; time += 0.001)
    {
        const double east = flight.atTime(time).position.x;
        ASSERT_TRUE(time > 119 / 60.0 || east < 119 + 5) << time << ": " << east;
        ASSERT_TRUE(time < 120 / 60.0 || east > 9'120 - 5) << time << ": " << east;
    }
}

TEST(PathRecorder, ASingleFrameIsAStill)
{
    PathRecorder recorder;
    EXPECT_TRUE(recorder.empty());
    EXPECT_TRUE(recorder.add(77, {{1, 2, 3'000}, 359.9999, -20, 60}, 100));
    EXPECT_TRUE(recorder.add(77.001, {{9, 9, 9'000}, 0, -20, 60}, 100));  // too soon after the previous sample
    const CameraPath path = recorder.path("");
    ASSERT_EQ(path.keys.size(), 1u);
    EXPECT_EQ(path.keys[0], (PathKey{0, {1, 2, 3'000}, 360, -20, 60}));
    EXPECT_TRUE(parseCameraPath(formatCameraPath(path), "p"));
}

TEST(PathRecorder, EndsWhenNoMoreFits)
{
    PathRecorder recorder;
    std::size_t taken = 0;
    while (taken < 2 * PathRecorder::kMostSamples &&
           recorder.add(double(taken) / 60, {{double(taken), 0, 0}, 0, 0, 60}, 9))
        ++taken;
    EXPECT_EQ(taken, PathRecorder::kMostSamples);
    EXPECT_EQ(recorder.path("").keys.size(), 2u);
    PathRecorder patient;
    EXPECT_TRUE(patient.add(0, {}, 1));
    EXPECT_FALSE(patient.add(kMostPathSeconds + 1, {}, 1));
}

}  // namespace
}  // namespace orogen
