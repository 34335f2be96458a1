#include "core/view/camera.h"

#include <cmath>
#include <random>

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <gtest/gtest.h>

namespace orogen {
namespace {

const TerrainExtent kTerrain{{36'000, 31'000}, 236, 1076};

class Cameras : public testing::TestWithParam<unsigned>
{
protected:
    std::mt19937 random{GetParam()};
    double between(double low, double high) { return std::uniform_real_distribution(low, high)(random); }
    Camera camera()
    {
        return {{between(-2e4, 2e4), between(-2e4, 2e4), between(1100, 9000)},
                between(0, 360),
                between(-89, 89),
                between(20, 100),
                {between(-0.5, 0.5), between(-0.5, 0.5)}};
    }
};
INSTANTIATE_TEST_SUITE_P(Seeds, Cameras, testing::Range(1u, 6u));
INSTANTIATE_TEST_SUITE_P(SeedsLong, Cameras, testing::Range(6u, 21u));

glm::dvec4 clip(const Projection& projection, const glm::dvec3& relative)
{
    return glm::dmat4(projection.clipFromRelative) * glm::dvec4(relative, 1);
}

TEST_P(Cameras, AxesAreRightHandedUnitVectors)
{
    const Camera c = camera();
    EXPECT_NEAR(glm::length(right(c)), 1, 1e-12);
    EXPECT_NEAR(glm::length(forward(c)), 1, 1e-12);
    EXPECT_NEAR(glm::distance(glm::cross(right(c), forward(c)), up(c)), 0, 1e-12);
    EXPECT_NEAR(right(c).z, 0, 1e-12);
    EXPECT_GT(up(c).z, 0);
}

TEST(Camera, YawRunsFromNorthClockwiseAndPitchUp)
{
    const auto near = [](const glm::dvec3& a, const glm::dvec3& b) { return glm::distance(a, b) < 1e-12; };
    EXPECT_TRUE(near(forward({.yaw = 0, .pitch = 0}), {0, 1, 0}));
    EXPECT_TRUE(near(forward({.yaw = 90, .pitch = 0}), {1, 0, 0}));
    EXPECT_TRUE(near(forward({.yaw = 180, .pitch = 0}), {0, -1, 0}));
    EXPECT_TRUE(near(forward({.yaw = 0, .pitch = 90}), {0, 0, 1}));
    EXPECT_TRUE(near(up({.yaw = 0, .pitch = -90}), {0, 1, 0}));  // a map: north is up
}

TEST(Camera, ProjectsKnownPoints)
{
    const Projection p = project({.fov = 90}, 200, 100, 0.5);
    const auto ndc = [&](const glm::dvec3& relative) {
        const glm::dvec4 c = clip(p, relative);
        return glm::dvec3(c) / c.w;
    };
    EXPECT_NEAR(glm::distance(ndc({0, 0.5, 0}), {0, 0, 1}), 0, 1e-6);     // on the near plane
    EXPECT_NEAR(glm::distance(ndc({0, 1e12, 0}), {0, 0, 0}), 0, 1e-6);    // infinity
    EXPECT_NEAR(glm::distance(ndc({0, 10, 10}), {0, 1, 0.05}), 0, 1e-6);  // 45 degrees up: the upper edge
    EXPECT_NEAR(glm::distance(ndc({20, 10, 0}), {1, 0, 0.05}), 0, 1e-6);  // twice as wide as high: the right edge
    EXPECT_FLOAT_EQ(p.pixelsPerRadian, 50);
}

TEST_P(Cameras, AShiftMovesThePictureAndNothingElse)
{
    Camera shifted = camera(), plain = shifted;
    plain.shift = glm::dvec2(0.0);
    const Projection a = project(plain, 1280, 720, 0.5), b = project(shifted, 1280, 720, 0.5);
    for (int i = 0; i < 50; ++i)
    {
        const glm::dvec3 point(between(-10, 10), between(-10, 10), between(-10, 10));
        const glm::dvec4 before = clip(a, point), now = clip(b, point);
        EXPECT_NEAR(now.x, before.x + shifted.shift.x * before.w, 1e-4);
        EXPECT_NEAR(now.y, before.y + shifted.shift.y * before.w, 1e-4);
        EXPECT_EQ(now.z, before.z);
        EXPECT_EQ(now.w, before.w);
    }
}

TEST_P(Cameras, RelativeFromClipUndoesTheProjection)
{
    const Projection p = project(camera(), 1280, 720, 0.3);
    const glm::mat4 product = p.relativeFromClip * p.clipFromRelative;
    for (int column = 0; column < 4; ++column)
    {
        for (int row = 0; row < 4; ++row)
        {
            EXPECT_NEAR(product[column][row], column == row, 1e-5);
        }
    }
}

TEST_P(Cameras, PlanesAgreeWithTheMatrix)
{
    const Projection p = project(camera(), 1280, 720, 0.5);
    for (int i = 0; i < 500; ++i)
    {
        SCOPED_TRACE(i);
        const glm::dvec3 point(between(-10, 10), between(-10, 10), between(-10, 10));
        const glm::dvec4 c = clip(p, point);
        const std::array<double, 5> inside = {c.w + c.x, c.w - c.x, c.w + c.y, c.w - c.y, c.w - c.z};
        for (int plane = 0; plane < 5; ++plane)
        {
            const double distance = glm::dot(glm::dvec4(p.planes[plane]), glm::dvec4(point, 1));
            EXPECT_NEAR(glm::length(glm::dvec3(p.planes[plane])), 1, 1e-6);
            if (std::abs(distance) > 1e-4)
            {
                EXPECT_EQ(distance > 0, inside[plane] > 0) << "plane " << plane;
            }
        }
    }
}

TEST_P(Cameras, PlanesEncloseThePartThatIsAskedFor)
{
    const PicturePart part{0.2, 0.1, 0.7, 0.95};
    const Projection p = project(camera(), 1280, 720, 0.5, part);
    for (int i = 0; i < 500; ++i)
    {
        SCOPED_TRACE(i);
        const glm::dvec3 point(between(-10, 10), between(-10, 10), between(-10, 10));
        const glm::dvec4 c = clip(p, point);
        const std::array<double, 4> inside = {c.x - (2 * part.left - 1) * c.w, (2 * part.right - 1) * c.w - c.x,
                                              c.y - (2 * part.bottom - 1) * c.w, (2 * part.top - 1) * c.w - c.y};
        for (int plane = 0; plane < 4; ++plane)
        {
            const double distance = glm::dot(glm::dvec4(p.planes[plane]), glm::dvec4(point, 1));
            EXPECT_NEAR(glm::length(glm::dvec3(p.planes[plane])), 1, 1e-6);
            if (std::abs(distance) > 1e-4)
            {
                EXPECT_EQ(distance > 0, inside[plane] > 0) << "plane " << plane;
            }
        }
    }
}

TEST_P(Cameras, DepthIsReversed)
{
    const Projection p = project({}, 100, 100, 1);
    const double a = between(1, 1e5), b = a * 1.01;
    const auto depth = [&](double distance) { return clip(p, {0, distance, 0}).z / clip(p, {0, distance, 0}).w; };
    EXPECT_GT(depth(a), depth(b));
    EXPECT_LE(depth(a), 1);
    EXPECT_GT(depth(b), 0);
}

TEST_P(Cameras, HomeOfTheMapHoldsTheWholeTerrain)
{
    const TerrainExtent terrain{{between(10, 1e6), between(10, 1e6)}, between(-500, 0), between(0, 9000)};
    const double aspect = between(0.5, 3), fov = between(20, 100);
    const Camera home = homeMap(terrain, aspect, fov);
    const Projection p = project(home, int(aspect * 1000), 1000, 0.1);
    double widest = 0;
    for (int corner = 0; corner < 8; ++corner)
    {
        const glm::dvec3 point((corner & 1 ? 0.5 : -0.5) * terrain.size.x, (corner & 2 ? 0.5 : -0.5) * terrain.size.y,
                               corner & 4 ? terrain.maxHeight : terrain.minHeight);
        const glm::dvec4 c = clip(p, point - home.position);
        EXPECT_GT(c.w, 0);
        widest = std::max({widest, std::abs(c.x / c.w), std::abs(c.y / c.w)});
    }
    EXPECT_LE(widest, 1.0);
    EXPECT_GT(widest, 0.5);  // the terrain fills the image
}

// No panel covers an edge of the terrain, and the terrain fills the free part in one direction.
TEST_P(Cameras, HomeOfTheMapHoldsTheWholeTerrainBetweenPanels)
{
    const TerrainExtent terrain{{between(10, 1e6), between(10, 1e6)}, between(-500, 0), between(0, 9000)};
    const double aspect = between(0.5, 3), fov = between(20, 100);
    const PicturePart free{between(0, 0.4), between(0, 0.3), between(0.8, 1), between(0.7, 1)};
    const Camera home = homeMap(terrain, aspect, fov, free);
    EXPECT_EQ(home.pitch, -90);
    const Projection p = project(home, int(aspect * 1000), 1000, 0.1);
    glm::dvec2 low(1), high(0);
    for (int corner = 0; corner < 8; ++corner)
    {
        const glm::dvec3 point((corner & 1 ? 0.5 : -0.5) * terrain.size.x, (corner & 2 ? 0.5 : -0.5) * terrain.size.y,
                               corner & 4 ? terrain.maxHeight : terrain.minHeight);
        const glm::dvec4 c = clip(p, point - home.position);
        EXPECT_GT(c.w, 0);
        const glm::dvec2 share = 0.5 + 0.5 * glm::dvec2(c) / c.w;
        low = glm::min(low, share), high = glm::max(high, share);
    }
    EXPECT_GE(low.x, free.left);
    EXPECT_GE(low.y, free.bottom);
    EXPECT_LE(high.x, free.right);
    EXPECT_LE(high.y, free.top);
    const glm::dvec2 filled = (high - low) / glm::dvec2(free.right - free.left, free.top - free.bottom);
    EXPECT_GT(std::max(filled.x, filled.y), 0.9);
}

double hills(double east, double north) { return 600 + 300 * std::sin(east / 900) * std::cos(north / 700); }

TEST_P(Cameras, SpotLookedAtLiesOnTheGroundAndOnTheLineOfSight)
{
    Camera c = camera();
    c.pitch = between(-89, -20);
    const glm::dvec3 spot = spotLookedAt(c, hills, kTerrain);
    const double distance = glm::distance(spot, c.position);
    EXPECT_NEAR(spot.z, hills(spot.x, spot.y), 1e-3 * distance);
    EXPECT_NEAR(glm::distance(c.position + forward(c) * distance, spot), 0, 1e-6 * distance);
}

TEST(Camera, SpotOfALookAtTheSkyIsFinite)
{
    const Camera c{{100, 200, 3'000}, 30, 40};
    EXPECT_NEAR(glm::distance(spotLookedAt(c, hills, kTerrain), c.position), glm::length(c.position), 1e-6);
}

TEST_P(Cameras, SwitchingModesKeepsTheSpotAndTheDistance)
{
    Camera fly = camera();
    fly.pitch = between(-80, -20);
    const glm::dvec3 spot = spotLookedAt(fly, hills, kTerrain);
    const Camera map = toMap(fly, spot);
    EXPECT_EQ(map.pitch, -90);
    EXPECT_NEAR(glm::distance(glm::dvec2(map.position), glm::dvec2(spot)), 0, 1e-9);
    const glm::dvec3 spotOfMap = spotLookedAt(map, hills, kTerrain);
    EXPECT_NEAR(glm::distance(spotOfMap, spot), 0, 2e-3 * glm::distance(spot, fly.position));
    const Camera back = toFly(map, fly, spot);
    EXPECT_NEAR(glm::distance(back.position, fly.position), 0, 1e-6);
    EXPECT_EQ(back.yaw, fly.yaw);
    EXPECT_EQ(back.pitch, fly.pitch);
}

TEST_P(Cameras, SettingsHoldACamera)
{
    Camera c = camera();
    c.shift = glm::dvec2(0.0);
    Settings settings;
    storeCamera(c, settings.view);
    EXPECT_EQ(cameraOf(settings.view), c);
    storeCamera({.yaw = -725}, settings.view);
    EXPECT_DOUBLE_EQ(settings.view.yaw, 355);
}

}  // namespace
}  // namespace orogen
