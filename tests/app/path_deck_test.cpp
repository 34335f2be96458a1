#include "app/session/path_deck.h"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/view/camera_flight.h"
#include "tests/support/places.h"

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

class PathDeckTest : public testing::Test
{
protected:
    PathDeckTest() : folder_(fs::temp_directory_path() / "orogen-paths-XXXXXX")
    {
        std::string name = folder_.string();
        EXPECT_NE(mkdtemp(name.data()), nullptr);
        folder_ = name;
        deck_.useFolder(fs::path(OROGEN_ROOT) / "assets/camera_paths");
    }
    ~PathDeckTest() override
    {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }

    // A turning climb, a frame at a time, as the viewer records it.
    std::vector<Camera> fly(int frames)
    {
        std::vector<Camera> flown;
        Camera camera{{-3'000, 1'000, 1'500}, 20, -15, 60};
        for (int i = 0; i < frames; ++i)
        {
            deck_.record(i * kStep, camera, 1'000);
            flown.push_back(camera);
            camera.position += 8.0 * forward(camera) + glm::dvec3(0, 0, 3);
            camera.yaw = std::fmod(camera.yaw + 0.8, 360.0);
        }
        return flown;
    }

    // The cameras of `frames` frames.
    std::vector<Camera> played(PathDeck& deck, int frames)
    {
        std::vector<Camera> cameras;
        deck.placeOn({1, 1.0}, ground_);
        deck.play();
        for (int i = 0; i < frames; ++i)
        {
            const std::optional<Camera> camera = deck.advanced(kStep);
            EXPECT_TRUE(camera) << i;
            cameras.push_back(camera.value_or(Camera{}));
        }
        return cameras;
    }

    std::string file(const char* name) const { return (folder_ / name).string(); }

    fs::path folder_;
    ViewSurroundings ground_ = hills(1);
    PathDeck deck_;
};

TEST_F(PathDeckTest, WhatIsRecordedSavedAndLoadedPlaysTheSameCameras)
{
    deck_.beginRecording();
    EXPECT_TRUE(deck_.recording());
    const std::vector<Camera> flown = fly(200);
    EXPECT_NEAR(deck_.recordedSeconds(), 199 * kStep, 1e-3);
    EXPECT_TRUE(deck_.endRecording());
    EXPECT_FALSE(deck_.recording());
    const std::vector<Camera> before = played(deck_, 199);
    for (std::size_t i = 0; i < before.size(); ++i)
    {
        ASSERT_LT(glm::distance(before[i].position, flown[i].position), 2.5) << i;  // a fifth of a percent of 1 km
        ASSERT_NEAR(std::remainder(before[i].yaw - flown[i].yaw, 360), 0, 0.15) << i;
    }

    ASSERT_TRUE(deck_.save(file("mine.path")));
    PathDeck another;
    ASSERT_TRUE(another.load(file("mine.path")));
    EXPECT_EQ(*another.path(), *deck_.path());
    EXPECT_EQ(played(another, 199), before);  // to the last bit
}

TEST_F(PathDeckTest, ScrubbingHoldsThePathAtItsPlace)
{
    ASSERT_TRUE(deck_.load("ridge"));
    played(deck_, 30);
    EXPECT_TRUE(deck_.playing());
    deck_.scrub(0.25);
    EXPECT_FALSE(deck_.playing());
    EXPECT_NEAR(deck_.fraction(), 0.25, 1e-9);
    const CameraFlight flight(*deck_.path(), ground_.terrain, ground_.ground);
    const std::optional<Camera> there = deck_.advanced(kStep);
    ASSERT_TRUE(there);
    EXPECT_EQ(*there, flight.atTime(0.25 * flight.duration()));
    EXPECT_FALSE(deck_.advanced(kStep));  // held: the camera is the user's

    deck_.play();
    EXPECT_EQ(deck_.advanced(kStep), there);  // goes on from where it was put
    EXPECT_NE(deck_.advanced(kStep), there);
}

TEST_F(PathDeckTest, PausedItGoesOnFromWhereItWas)
{
    ASSERT_TRUE(deck_.load("ridge"));
    const std::vector<Camera> whole = played(deck_, 40);
    ASSERT_TRUE(deck_.load("ridge"));
    EXPECT_EQ(played(deck_, 20).back(), whole[19]);
    deck_.pause();
    EXPECT_FALSE(deck_.advanced(kStep));
    deck_.play();
    for (std::size_t i = 20; i < 40; ++i)
        EXPECT_LT(glm::distance(deck_.advanced(kStep)->position, whole[i].position), 1e-6) << i;
}

TEST_F(PathDeckTest, OnAnotherTerrainItGoesOnAtTheSamePlaceOverItsGround)
{
    ASSERT_TRUE(deck_.load("ridge"));
    played(deck_, 300);
    const double place = deck_.fraction();
    const ViewSurroundings steep = hills(4);
    deck_.placeOn({1, 1.0}, steep);  // the same place by name: nothing happens
    EXPECT_EQ(deck_.advanced(kStep), CameraFlight(*deck_.path(), ground_.terrain, ground_.ground).at(300, kStep));
    deck_.placeOn({2, 1.0}, steep);
    EXPECT_TRUE(deck_.playing());
    EXPECT_NEAR(deck_.fraction(), place, 1e-3);
    const std::optional<Camera> camera = deck_.advanced(kStep);
    ASSERT_TRUE(camera);
    const CameraFlight flight(*deck_.path(), steep.terrain, steep.ground);
    const Camera expected = flight.at(301, kStep);
    EXPECT_LT(glm::distance(camera->position, expected.position), 1e-3);
    EXPECT_GE(camera->position.z, steep.ground(camera->position.x, camera->position.y) + kEyeHeight - 1e-9);

    deck_.placeOn({2, 2.0}, hills(8));  // another height scale, too
    EXPECT_NE(deck_.advanced(kStep)->position.z, flight.at(302, kStep).position.z);
}

TEST_F(PathDeckTest, LoadingEndsARecordingAndThePathIsWhatWasLoaded)
{
    deck_.beginRecording();
    fly(50);
    ASSERT_TRUE(deck_.load("spot"));
    EXPECT_FALSE(deck_.recording());
    EXPECT_EQ(*deck_.path(), *readCameraPath(std::string(OROGEN_ROOT) + "/assets/camera_paths/spot.path"));
    deck_.record(1e3, {}, 100);  // no recording: nothing
    EXPECT_FALSE(deck_.endRecording());
    EXPECT_NE(deck_.path()->name, "recording");
}

TEST_F(PathDeckTest, WhatCannotBeLoadedChangesNothing)
{
    std::ofstream(folder_ / "broken.path") << "orogen camera path 1\nunits feet\n";
    deck_.beginRecording();
    fly(50);
    for (const std::string& bad : {file("broken.path"), file("none.path"), std::string("hill")})
    {
        const Status status = deck_.load(bad);
        ASSERT_FALSE(status);
        EXPECT_EQ(status.error().code, ExitCode::kInput);
        EXPECT_TRUE(deck_.recording());
    }
    EXPECT_TRUE(deck_.endRecording());
    const CameraPath recording = *deck_.path();
    EXPECT_FALSE(deck_.load(file("broken.path")));
    EXPECT_EQ(*deck_.path(), recording);
}

TEST_F(PathDeckTest, PlayingEndsARecordingAndPlaysIt)
{
    deck_.beginRecording();
    const std::vector<Camera> flown = fly(50);
    deck_.play();  // before it is placed: as soon as it is
    EXPECT_FALSE(deck_.recording());
    deck_.placeOn({1, 1.0}, ground_);
    EXPECT_TRUE(deck_.playing());
    EXPECT_EQ(deck_.advanced(kStep)->position, flown.front().position);
}

TEST_F(PathDeckTest, SavingNothingOrNowhereIsAnError)
{
    EXPECT_EQ(deck_.save(file("a.path")).error().code, ExitCode::kUsage);
    EXPECT_FALSE(fs::exists(file("a.path")));
    ASSERT_TRUE(deck_.load("spot"));
    EXPECT_EQ(deck_.save(file("no/such/folder.path")).error().code, ExitCode::kOutput);
}

TEST_F(PathDeckTest, ARecordingWithoutAMomentKeepsThePath)
{
    ASSERT_TRUE(deck_.load("spot"));
    const CameraPath before = *deck_.path();
    deck_.beginRecording();
    EXPECT_FALSE(deck_.endRecording());
    EXPECT_EQ(*deck_.path(), before);
}

TEST_F(PathDeckTest, ShippedPathsHaveNames)
{
    EXPECT_EQ(deck_.shipped(), (std::vector<std::string>{"overview", "ridge", "spot"}));
    for (const std::string& name : deck_.shipped())
        EXPECT_TRUE(deck_.load(name)) << name;
}

}  // namespace
}  // namespace orogen::app
