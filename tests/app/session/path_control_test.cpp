#include "app/session/camera_control.h"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/view/camera_flight.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"

namespace orogen::app {
namespace {

namespace fs = std::filesystem;

constexpr double kStep = 1.0 / 60;

ViewSurroundings hills(double scale)
{
    ViewSurroundings around;
    around.ground = [scale](double east, double north) {
        return scale * (300 + 200 * std::sin(east / 900) * std::cos(north / 700));
    };
    around.terrain = {{20'000, 20'000}, 100 * scale, 500 * scale};
    return around;
}

class CameraPathSessionTest : public testing::Test
{
protected:
    CameraPathSessionTest() { session_.useFolder(fs::path(OROGEN_ROOT) / "assets/camera_paths"); }

    // Flies a turning climb, recorded frame by frame as in the viewer.
    std::vector<Camera> fly(int frames)
    {
        std::vector<Camera> flown;
        Camera camera{{-3'000, 1'000, 1'500}, 20, -15, 60};
        for (int i = 0; i < frames; ++i)
        {
            session_.record(i * kStep, camera, 1'000);
            flown.push_back(camera);
            camera.position += 8.0 * forward(camera) + glm::dvec3(0, 0, 3);
            camera.yaw = std::fmod(camera.yaw + 0.8, 360.0);
        }
        return flown;
    }

    // Returns the cameras of the next `frames` frames while the path plays.
    std::vector<Camera> played(PathControl& session, int frames)
    {
        std::vector<Camera> cameras;
        EXPECT_TRUE(session.placeOn({1, 1.0}, ground_));
        session.play();
        for (int i = 0; i < frames; ++i)
        {
            const std::optional<Camera> camera = session.advanced(kStep);
            EXPECT_TRUE(camera) << i;
            cameras.push_back(camera.value_or(Camera{}));
        }
        return cameras;
    }

    std::string file(const char* name) const { return (folder_ / name).string(); }

    const test::TemporaryFolder temporary_;
    const fs::path folder_ = temporary_.path();
    ViewSurroundings ground_ = hills(1);
    PathControl session_;
};

TEST_F(CameraPathSessionTest, WhatIsRecordedSavedAndLoadedPlaysTheSameCameras)
{
    session_.beginRecording();
    EXPECT_TRUE(session_.recording());
    const std::vector<Camera> flown = fly(200);
    EXPECT_NEAR(session_.recordedSeconds(), 199 * kStep, 1e-3);
    EXPECT_TRUE(session_.endRecording());
    EXPECT_FALSE(session_.recording());
    const std::vector<Camera> before = played(session_, 199);
    for (std::size_t i = 0; i < before.size(); ++i)
    {
        ASSERT_LT(glm::distance(before[i].position, flown[i].position), 2.5) << i;  // a fifth of a percent of 1 km
        ASSERT_NEAR(std::remainder(before[i].yaw - flown[i].yaw, 360), 0, 0.15) << i;
    }

    ASSERT_TRUE(session_.save(file("mine.path")));
    PathControl another;
    ASSERT_TRUE(another.load(file("mine.path")));
    EXPECT_EQ(*another.path(), *session_.path());
    EXPECT_EQ(played(another, 199), before);  // bit-identical
}

TEST_F(CameraPathSessionTest, ScrubbingHoldsThePathAtItsPlace)
{
    ASSERT_TRUE(session_.load("ridge"));
    played(session_, 30);
    EXPECT_TRUE(session_.playing());
    session_.scrub(0.25);
    EXPECT_FALSE(session_.playing());
    EXPECT_NEAR(session_.fraction(), 0.25, 1e-9);
    const CameraFlight flight(*session_.path(), ground_.terrain, ground_.ground);
    const std::optional<Camera> there = session_.advanced(kStep);
    ASSERT_TRUE(there);
    EXPECT_EQ(*there, flight.atTime(0.25 * flight.duration()));
    EXPECT_FALSE(session_.advanced(kStep));  // paused: the user controls the camera

    session_.play();
    EXPECT_EQ(session_.advanced(kStep), there);  // continues from the set position
    EXPECT_NE(session_.advanced(kStep), there);
}

TEST_F(CameraPathSessionTest, PausedItGoesOnFromWhereItWas)
{
    ASSERT_TRUE(session_.load("ridge"));
    const std::vector<Camera> whole = played(session_, 40);
    ASSERT_TRUE(session_.load("ridge"));
    EXPECT_EQ(played(session_, 20).back(), whole[19]);
    session_.pause();
    EXPECT_FALSE(session_.advanced(kStep));
    session_.play();
    for (std::size_t i = 20; i < 40; ++i)
        EXPECT_LT(glm::distance(session_.advanced(kStep)->position, whole[i].position), 1e-6) << i;
}

TEST_F(CameraPathSessionTest, OnAnotherTerrainItGoesOnAtTheSamePlaceOverItsGround)
{
    ASSERT_TRUE(session_.load("ridge"));
    played(session_, 300);
    const double place = session_.fraction();
    const ViewSurroundings steep = hills(4);
    EXPECT_TRUE(session_.placeOn({1, 1.0}, steep));  // known ground: no change
    EXPECT_EQ(session_.advanced(kStep), CameraFlight(*session_.path(), ground_.terrain, ground_.ground).at(300, kStep));
    EXPECT_TRUE(session_.placeOn({2, 1.0}, steep));
    EXPECT_TRUE(session_.playing());
    EXPECT_NEAR(session_.fraction(), place, 1e-3);
    const std::optional<Camera> camera = session_.advanced(kStep);
    ASSERT_TRUE(camera);
    const CameraFlight flight(*session_.path(), steep.terrain, steep.ground);
    const Camera expected = flight.at(301, kStep);
    EXPECT_LT(glm::distance(camera->position, expected.position), 1e-3);
    EXPECT_GE(camera->position.z, steep.ground(camera->position.x, camera->position.y) + kEyeHeight - 1e-9);

    EXPECT_TRUE(session_.placeOn({2, 2.0}, hills(8)));  // the new terrain also has another height scale
    EXPECT_NE(session_.advanced(kStep)->position.z, flight.at(302, kStep).position.z);
}

TEST_F(CameraPathSessionTest, LoadingEndsARecordingAndThePathIsWhatWasLoaded)
{
    session_.beginRecording();
    fly(50);
    ASSERT_TRUE(session_.load("spot"));
    EXPECT_FALSE(session_.recording());
    EXPECT_EQ(*session_.path(), *readCameraPath(std::string(OROGEN_ROOT) + "/assets/camera_paths/spot.path"));
    session_.record(1e3, {}, 100);  // the session does not record, and ignores the frame
    EXPECT_FALSE(session_.endRecording());
    EXPECT_NE(session_.path()->name, "recording");
}

TEST_F(CameraPathSessionTest, WhatCannotBeLoadedChangesNothing)
{
    std::ofstream(folder_ / "broken.path") << "orogen camera path 1\nunits feet\n";
    session_.beginRecording();
    fly(50);
    for (const std::string& bad : {file("broken.path"), file("none.path"), std::string("hill")})
    {
        const Status status = session_.load(bad);
        ASSERT_FALSE(status);
        EXPECT_EQ(status.error().code, ExitCode::kInput);
        EXPECT_TRUE(session_.recording());
    }
    EXPECT_TRUE(session_.endRecording());
    const CameraPath recording = *session_.path();
    EXPECT_FALSE(session_.load(file("broken.path")));
    EXPECT_EQ(*session_.path(), recording);
}

TEST_F(CameraPathSessionTest, PlayingEndsARecordingAndPlaysIt)
{
    session_.beginRecording();
    const std::vector<Camera> flown = fly(50);
    session_.play();  // starts once the path is placed on the terrain
    EXPECT_FALSE(session_.recording());
    EXPECT_TRUE(session_.placeOn({1, 1.0}, ground_));
    EXPECT_TRUE(session_.playing());
    EXPECT_EQ(session_.advanced(kStep)->position, flown.front().position);
}

TEST_F(CameraPathSessionTest, SavingNothingOrNowhereIsAnError)
{
    EXPECT_EQ(session_.save(file("a.path")).error().code, ExitCode::kUsage);
    EXPECT_FALSE(fs::exists(file("a.path")));
    ASSERT_TRUE(session_.load("spot"));
    EXPECT_EQ(session_.save(file("no/such/folder.path")).error().code, ExitCode::kOutput);
}

TEST_F(CameraPathSessionTest, ARecordingWithoutAMomentKeepsThePath)
{
    ASSERT_TRUE(session_.load("spot"));
    const CameraPath before = *session_.path();
    session_.beginRecording();
    EXPECT_FALSE(session_.endRecording());
    EXPECT_EQ(*session_.path(), before);
}

// Ending a session must keep an unsaved recording.
TEST_F(CameraPathSessionTest, ARecordingThatWasNotSavedIsKept)
{
    const fs::path kept = file("kept/paths");
    session_.keepIn(kept);
    EXPECT_EQ(*session_.keepUnsaved(), "");
    EXPECT_FALSE(fs::exists(kept));  // nothing to keep: no folder is created
    session_.beginRecording();
    fly(30);  // the session ends while it records
    const Result<std::string> first = session_.keepUnsaved();
    ASSERT_TRUE(first) << first.error().message;
    EXPECT_EQ(*first, (kept / "recording.path").string());
    ASSERT_TRUE(readCameraPath(*first));
    EXPECT_EQ(*session_.keepUnsaved(), "");  // a second call keeps nothing
    session_.beginRecording();
    fly(10);
    ASSERT_TRUE(session_.endRecording());
    const Result<std::string> second = session_.keepUnsaved();
    ASSERT_TRUE(second);
    EXPECT_NE(*second, *first);  // the second file replaces nothing
    PathControl next;
    next.keepIn(kept);
    EXPECT_EQ(next.kept().size(), 2u);
    EXPECT_TRUE(next.load(next.kept().front()));
}

TEST_F(CameraPathSessionTest, WhatWasSavedOrLoadedIsNotKeptAgain)
{
    session_.keepIn(file("kept"));
    session_.beginRecording();
    fly(30);
    ASSERT_TRUE(session_.endRecording());
    ASSERT_TRUE(session_.save(file("tour.path")));
    EXPECT_EQ(*session_.keepUnsaved(), "");
    ASSERT_TRUE(session_.load("spot"));
    EXPECT_EQ(*session_.keepUnsaved(), "");
}

TEST_F(CameraPathSessionTest, ShippedPathsHaveNames)
{
    EXPECT_EQ(session_.shipped(), (std::vector<std::string>{"around", "overview", "ridge", "spot"}));
    for (const std::string& name : session_.shipped())
        EXPECT_TRUE(session_.load(name)) << name;
}

// Coarse ground may lie above a place and fine ground below it, or the other way round.
TEST(CameraControl, GoesToTheGroundThatIsShownAsItLoads)
{
    double ground = 146;
    ViewSurroundings around;
    around.ground = [&ground](double, double) { return ground; };
    around.terrain = {{20'000, 20'000}, 0, 500};
    CameraControl control;
    SessionSettings settings;
    Messages messages;
    const auto heightAfterAFrame = [&] {
        control.follow(kStep, around, {1, 1.0}, settings, messages);
        return settings.wanted().view.position.z;
    };
    control.goTo({{100, 200, -100}, 0, -20, 60}, around, settings);
    EXPECT_EQ(settings.wanted().view.position.z, 146 + kEyeHeight);
    for (ground = 100; ground < 200; ground += 30)
        EXPECT_EQ(heightAfterAFrame(), ground + kEyeHeight);
    const double last = heightAfterAFrame();
    settings.view().position += glm::dvec3(1, 0, 0);  // moved by the user
    ground = 10;
    EXPECT_EQ(heightAfterAFrame(), last);
}

}  // namespace
}  // namespace orogen::app
