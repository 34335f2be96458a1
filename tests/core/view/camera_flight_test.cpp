#include "core/view/camera_flight.h"

#include <cmath>
#include <cstring>
#include <numbers>
#include <vector>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "tests/support/places.h"
#include "tests/support/random.h"

namespace orogen {
namespace {

const TerrainExtent kTerrain{{30'000, 30'000}, 0, 2'000};

double flat(double, double) { return 0; }
double hills(double east, double north)
{
    return 900 + 500 * std::sin(east / 2'300 + 1) * std::cos(north / 1'700) + 90 * std::sin(east / 310 + north / 270);
}

CameraPath shipped(const std::string& name)
{
    const auto path = findCameraPath(name, std::string(OROGEN_ROOT) + "/assets/camera_paths");
    EXPECT_TRUE(path) << path.error().message;
    return *path;
}

// Returns a path in fractions of the terrain, with uneven times and turns to both sides.
CameraPath randomPath(test::Random& random, bool loop)
{
    CameraPath path;
    path.units = PathUnits::kTerrain;
    path.smoothSeconds = 0.5 + 5 * random.unit();
    double time = 0;
    for (int key = random.between(2, 14); key > 0; --key)
    {
        path.keys.push_back({time,
                             {random.unit() - 0.5, random.unit() - 0.5, 0.2 * random.unit() * random.unit()},
                             360 * random.unit(),
                             120 * random.unit() - 70,
                             20 + 60 * random.unit()});
        time += 0.3 + 6 * random.unit() * random.unit();
    }
    path.loopSeconds = loop ? time : 0;
    return path;
}

bool sameBits(const Camera& a, const Camera& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

double turnBetween(const Camera& a, const Camera& b)  // degrees
{
    const auto angle = [](const glm::dvec3& u, const glm::dvec3& v) {
        return std::atan2(glm::length(glm::cross(u, v)), glm::dot(u, v)) * 180 / std::numbers::pi;
    };
    return std::max(angle(forward(a), forward(b)), angle(right(a), right(b)));
}

// Largest change of the camera's rates between neighbouring intervals.
struct RateChange
{
    double metres = 0, facing = 0, degrees = 0;  // per second
};
RateChange largestRateChange(const CameraFlight& flight, double end, double interval)
{
    RateChange largest;
    for (double time = interval; time < end - interval; time += 0.37 * interval)
    {
        const Camera a = flight.atTime(time - interval), b = flight.atTime(time), c = flight.atTime(time + interval);
        const auto change = [&](const auto& x, const auto& y, const auto& z) { return (z - y - (y - x)) / interval; };
        largest.metres = std::max(largest.metres, glm::length(change(a.position, b.position, c.position)));
        largest.facing = std::max({largest.facing, glm::length(change(forward(a), forward(b), forward(c))),
                                   glm::length(change(right(a), right(b), right(c)))});
        largest.degrees = std::max(largest.degrees, std::abs(change(a.fov, b.fov, c.fov)));
    }
    return largest;
}

// In shorter intervals, the change of a smooth rate shrinks, while that of a step does not.
void expectSmooth(const CameraFlight& flight, double end)
{
    const RateChange coarse = largestRateChange(flight, end, 0.004), fine = largestRateChange(flight, end, 0.0005);
    EXPECT_LT(fine.metres, 0.4 * coarse.metres + 1e-3);
    EXPECT_LT(fine.facing, 0.4 * coarse.facing + 1e-6);
    EXPECT_LT(fine.degrees, 0.4 * coarse.degrees + 1e-6);
}

TEST(CameraFlight, GoesThroughItsKeys)
{
    for (std::uint64_t seed = 0; seed < 50; ++seed)
    {
        SCOPED_TRACE(seed);
        test::Random random(seed);
        CameraPath path = randomPath(random, seed % 2 == 0);
        path.units = PathUnits::kMetres;
        const CameraFlight flight(path, kTerrain, [](double, double) { return -1e4; });
        for (const PathKey& key : path.keys)
        {
            const Camera camera = flight.atTime(key.time);
            EXPECT_LT(glm::distance(camera.position, key.position), 1e-12);
            EXPECT_LT(turnBetween(camera, {key.position, key.yaw, key.pitch, key.fov}), 1e-9);
            EXPECT_NEAR(camera.fov, key.fov, 1e-12);
        }
    }
}

TEST(CameraFlight, LoopsAreSmoothInPositionAndOrientationOverTheirSeamToo)
{
    for (std::uint64_t seed = 0; seed < 8; ++seed)
    {
        SCOPED_TRACE(seed);
        test::Random random(seed);
        const CameraFlight flight(randomPath(random, true), kTerrain, hills);
        expectSmooth(flight, 1.5 * flight.duration());
    }
}

TEST(CameraFlight, TurnsTheShorterWayAcrossNorth)
{
    CameraPath path;
    path.loopSeconds = 4;
    path.keys = {{0, {0, 0, 0}, 350, -10, 60}, {1, {0, 0, 0}, 10, -10, 60}, {2, {0, 0, 0}, 350 - 720, -10, 60}};
    const CameraFlight flight(path, kTerrain, [](double, double) { return -100; });
    for (int frame = 0; frame < 1'000; ++frame)
    {
        const double yaw = flight.at(frame, 0.01).yaw;
        ASSERT_GE(yaw, 0);
        ASSERT_LT(yaw, 360);
        ASSERT_LT(std::abs(std::remainder(yaw, 360.0)), 10.5) << frame;
    }
}

TEST(CameraFlight, AFullTurnGoesAroundOnceWithoutAJump)
{
    const CameraFlight spot(shipped("spot"), kTerrain, flat);
    const double step = spot.duration() / 720;
    double turned = 0;
    for (int frame = 0; frame < 720; ++frame)
    {
        const double turn = std::remainder(spot.at(frame + 1, step).yaw - spot.at(frame, step).yaw, 360.0);
        ASSERT_NEAR(turn, 0.5, 1e-9) << frame;
        turned += turn;
    }
    EXPECT_NEAR(turned, 360, 1e-6);
}

TEST(CameraFlight, TheSamePathGivesTheSameCamerasBitForBit)
{
    const std::vector<std::string> names = {"overview", "ridge", "spot"};
    for (const std::string& name : names)
    {
        const CameraFlight once(shipped(name), kTerrain, hills), again(shipped(name), kTerrain, hills);
        std::vector<Camera> cameras;
        for (std::uint64_t frame = 0; frame < 8'000; ++frame)
            cameras.push_back(once.at(frame, 1.0 / 60));
        for (std::uint64_t frame = 8'000; frame-- > 0;)  // repeats the frames in another order
            ASSERT_TRUE(sameBits(again.at(frame, 1.0 / 60), cameras[frame])) << name << " " << frame;
    }
}

TEST(CameraFlight, EqualKeysAreStillBitForBit)
{
    CameraPath path;
    path.keys = {{0, {0.1, 7, 900.7}, 13.3, -7.7, 60},
                 {2, {1000.1, 7.3, 901.7}, 33.3, -17.7, 50.1},
                 {5, {1000.1, 7.3, 901.7}, 33.3, -17.7, 50.1},
                 {6, {500.1, 7, 900.7}, 13.3, -7.7, 60}};
    const CameraFlight flight(path, kTerrain, flat);
    for (double time = 2; time < 5; time += 0.01)
        ASSERT_TRUE(sameBits(flight.atTime(time), flight.atTime(2))) << time;
}

TEST(CameraFlight, BeginsAgainWhenItIsOver)
{
    test::Random random(1);
    for (const bool loop : {true, false})
    {
        CameraPath path = randomPath(random, loop);
        (loop ? path.loopSeconds : path.keys.back().time) = 32;  // a power of two, so that frames repeat at exact times
        const CameraFlight flight(path, kTerrain, hills);
        for (std::uint64_t frame = 1; frame < 256; ++frame)
            ASSERT_TRUE(sameBits(flight.at(frame, 0.125), flight.at(frame + 3 * 256, 0.125))) << frame;
        const double leap = glm::distance(flight.atTime(32.001).position, flight.atTime(31.999).position);
        EXPECT_EQ(leap > 1'000, !loop) << leap;
    }
}

TEST(CameraFlight, ASingleKeyIsAStill)
{
    CameraPath path;
    path.keys = {{0, {100, 200, -50}, 80, -20, 50}};
    for (const double loop : {0.0, 3.0})
    {
        path.loopSeconds = loop;
        const CameraFlight flight(path, kTerrain, flat);
        EXPECT_EQ(flight.duration(), loop);
        for (std::uint64_t frame = 0; frame < 300; ++frame)
        {
            const Camera camera = flight.at(frame, 0.03);
            ASSERT_EQ(camera.position.x, 100);
            ASSERT_NEAR(camera.position.z, kEyeHeight, 1e-9);
            ASSERT_EQ(camera.yaw, 80);
        }
    }
}

// Needles and walls of 2 km height, a few metres thin.
double needles(double east, double north)
{
    const auto near = [](double value, double period, double width) {
        return std::abs(std::remainder(value, period)) < width;
    };
    const bool wall = near(east, 1'900, 6) || near(north + 0.3 * east, 2'700, 6);
    const bool needle = near(east, 70, 1) && near(north, 90, 1);
    return hills(east, north) + (wall ? 2'000 : 0) + (needle ? 1'000 : 0);
}

TEST(CameraFlight, NeverComesCloserToTheGroundThanTheEyesHeight)
{
    for (std::uint64_t seed = 0; seed < 40; ++seed)
    {
        SCOPED_TRACE(seed);
        test::Random random(seed);
        CameraPath path = randomPath(random, seed % 3 != 0);
        if (seed % 2 == 0)
        {
            path.units = PathUnits::kMetres;
            for (PathKey& key : path.keys)
                key.position *= glm::dvec3(30'000, 30'000, 10'000);
        }
        const CameraFlight flight(path, kTerrain, needles);
        for (const double step : {1.0 / 60, 0.0071})
            for (std::uint64_t frame = 0; frame < 4'000; ++frame)
            {
                const glm::dvec3 place = flight.at(frame, step).position;
                ASSERT_GE(place.z, needles(place.x, place.y) + kEyeHeight) << frame;
            }
    }
}

TEST(CameraFlight, AMountainInTheWayIsClimbedSmoothly)
{
    // Approaches a plateau of 1,000 m with steep sides at 300 m/s, 100 m above the sea.
    const auto plateau = [](double east, double) { return std::abs(east) < 1'500 ? 1'000.0 : 0.0; };
    CameraPath path;
    path.smoothSeconds = 4;
    path.keys = {{0, {-6'000, 0, 100}, 90, 0, 60}, {40, {6'000, 0, 100}, 90, 0, 60}};
    const CameraFlight flight(path, kTerrain, plateau);
    double fastest = 0, highest = 0;
    for (double time = 0.01; time < 40; time += 0.01)
    {
        const double z = flight.atTime(time).position.z;
        fastest = std::max(fastest, std::abs(z - flight.atTime(time - 0.01).position.z) / 0.01);
        highest = std::max(highest, z);
    }
    EXPECT_NEAR(highest, 1'000 + kEyeHeight, 0.01);
    EXPECT_LT(fastest, 470);                      // 902 m by a tent filter of 4 s: at most 451 m/s
    EXPECT_EQ(flight.atTime(2).position.z, 100);  // unchanged far away
    EXPECT_EQ(flight.atTime(38).position.z, 100);
    expectSmooth(flight, flight.duration());
}

TEST(CameraFlight, WhatIsHighEnoughFliesAsRecorded)
{
    test::Random random(5);
    CameraPath path = randomPath(random, false);
    path.units = PathUnits::kMetres;
    for (PathKey& key : path.keys)
        key.position = key.position * glm::dvec3(30'000, 30'000, 5'000) + glm::dvec3(0, 0, 4'000);
    const CameraFlight above(path, kTerrain, hills), alone(path, kTerrain, [](double, double) { return -1e9; });
    for (double time = 0; time < path.duration(); time += 0.01)
        ASSERT_TRUE(sameBits(above.atTime(time), alone.atTime(time))) << time;
}

TEST(CameraFlight, HeightsFollowTheGround)
{
    // On a long slope, the mean over the seconds before and after is the local height.
    const auto slope = [](double east, double) { return 0.1 * east; };
    CameraPath path;
    path.units = PathUnits::kTerrain;
    path.keys = {{0, {-0.4, 0, 0.01}, 90, 0, 60}, {30, {0.4, 0, 0.01}, 90, 0, 60}};
    const CameraFlight flight(path, kTerrain, slope);
    for (double time = 3; time < 27; time += 0.1)
    {
        const glm::dvec3 place = flight.atTime(time).position;
        ASSERT_NEAR(place.z - slope(place.x, place.y), 300, 0.01) << time;
    }
}

TEST(CameraFlight, ScalesWithTheTerrain)
{
    constexpr double kScale = 7.5;
    const TerrainExtent larger{kScale * kTerrain.size, 0, kScale * kTerrain.maxHeight};
    const auto largerHills = [](double east, double north) { return kScale * hills(east / kScale, north / kScale); };
    for (const char* name : {"overview", "ridge", "spot"})
    {
        const CameraFlight small(shipped(name), kTerrain, hills), large(shipped(name), larger, largerHills);
        for (std::uint64_t frame = 0; frame < 1'200; ++frame)
        {
            const Camera a = small.at(frame, 0.1), b = large.at(frame, 0.1);
            ASSERT_LT(glm::distance(kScale * a.position, b.position), 1e-6) << name << " " << frame;
            ASSERT_LT(turnBetween(a, b), 1e-9);
        }
    }
}

TEST(CameraFlight, OnAStretchedTerrainLooksAtTheSamePlaces)
{
    const TerrainExtent stretched{{60'000, 20'000}, 0, 0};
    CameraPath path;
    path.units = PathUnits::kTerrain;
    path.keys = {{0, {0.5, -0.5, 0.2}, 315, -20, 60},  // each looks at the centre
                 {1, {-0.5, 0, 0.2}, 90, -20, 60},
                 {2, {-0.3, 0.3, 0.2}, 135, -20, 60},
                 {3, {0, 0.5, 0.2}, 180, -20, 60}};
    const CameraFlight flight(path, stretched, flat);
    for (const PathKey& key : path.keys)
    {
        const Camera camera = flight.atTime(key.time);
        EXPECT_NEAR(camera.position.x, 60'000 * key.position.x, 1e-6);
        EXPECT_NEAR(camera.position.y, 20'000 * key.position.y, 1e-6);
        const glm::dvec2 ahead(forward(camera)), home(-camera.position);
        EXPECT_NEAR(glm::dot(glm::normalize(ahead), glm::normalize(home)), 1, 1e-12) << key.time;
    }
}

// Returns the share of a 16:9 image that a flat terrain covers.
double shareOfTerrain(const Camera& camera, glm::dvec2 extent)
{
    const double reach = std::tan(camera.fov / 2 * std::numbers::pi / 180);
    int hits = 0;
    constexpr int kColumns = 32, kRows = 18;
    for (int i = 0; i < kColumns * kRows; ++i)
    {
        const double x = (2 * (i % kColumns) + 1.0) / kColumns - 1, y = (2 * (i / kColumns) + 1.0) / kRows - 1;
        const glm::dvec3 ray = forward(camera) + right(camera) * (x * reach * 16 / 9) + up(camera) * (y * reach);
        const glm::dvec2 place = glm::dvec2(camera.position) - glm::dvec2(ray) * (camera.position.z / ray.z);
        hits += ray.z < 0 && std::abs(place.x) < extent.x / 2 && std::abs(place.y) < extent.y / 2;
    }
    return double(hits) / (kColumns * kRows);
}

TEST(CameraFlight, ShippedPathsShowTerrainOnAnyExtentAndTurnGently)
{
    for (const glm::dvec2 size : {glm::dvec2(30'000, 30'000), glm::dvec2(800, 2'000), glm::dvec2(400'000, 150'000)})
        for (const char* name : {"overview", "ridge", "spot"})
        {
            SCOPED_TRACE(testing::Message() << name << " on " << size.x << " x " << size.y);
            const CameraFlight flight(shipped(name), {size, 0, 0}, flat);
            for (double time = 0; time < flight.duration(); time += 0.1)
            {
                const Camera camera = flight.atTime(time);
                ASSERT_GT(shareOfTerrain(camera, size), size.x == size.y ? 0.4 : 0.2) << time;
                ASSERT_LT(turnBetween(camera, flight.atTime(time + 0.1)), 4.5) << time;
            }
        }
}

TEST(PathPlayer, PlaysFromTheBeginningAndKeepsItsPlaceOnAnotherTerrain)
{
    const CameraFlight flight(shipped("overview"), kTerrain, hills);
    PathPlayer player;
    EXPECT_FALSE(player.advanced(1));
    player.play();
    EXPECT_FALSE(player.playing());  // nothing to play
    player.load(flight, true);
    player.play();
    for (int frame = 0; frame < 50; ++frame)
        ASSERT_EQ(player.advanced(0.25), flight.atTime(0.25 * frame));
    player.load(CameraFlight(shipped("overview"), kTerrain, flat), false);
    EXPECT_TRUE(player.playing());
    EXPECT_NEAR(player.fraction(), 12.5 / 20, 1e-12);
    player.pause();
    EXPECT_FALSE(player.advanced(1));
}

TEST(PathPlayer, EqualStepsAreTheFlightsFramesBitForBit)
{
    const CameraFlight flight(shipped("ridge"), kTerrain, hills);
    PathPlayer player;
    player.load(flight, true);
    player.play();
    for (std::uint64_t frame = 0; frame < 10'000; ++frame)
        ASSERT_TRUE(sameBits(*player.advanced(1.0 / 60), flight.at(frame, 1.0 / 60))) << frame;
}

TEST(PathPlayer, ScrubbingShowsThatPlaceOnceAndStays)
{
    test::Random random(2);
    for (const bool loop : {true, false})
    {
        const CameraFlight flight(randomPath(random, loop), kTerrain, hills);
        PathPlayer player;
        player.load(flight, true);
        player.play();
        for (const double fraction : {0.0, 0.125, 0.5, 0.999, loop ? 0.25 : 1.0})
        {
            player.scrub(fraction);
            EXPECT_NEAR(player.fraction(), fraction, 1e-12);
            EXPECT_EQ(player.advanced(1), flight.atTime(fraction * flight.duration()));
            EXPECT_FALSE(player.advanced(1));
            EXPECT_NEAR(player.fraction(), fraction, 1e-12);
        }
    }
}

}  // namespace
}  // namespace orogen
