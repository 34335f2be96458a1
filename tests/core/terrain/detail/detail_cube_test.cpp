// Procedural detail on the cube, as part of the Earth's ground.
#include <algorithm>
#include <cmath>
#include <vector>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/terrain/detail/detail.h"
#include "core/terrain/tiles/tiled_ground.h"
#include "tests/support/earth_tiles.h"
#include "tests/support/tile_fixtures.h"

namespace orogen {
namespace {

using namespace orogen::test;

// Returns all names of a point of the cube.
std::vector<CubePlace> namesOf(const CubePoint& point)
{
    std::vector<CubePlace> names;
    for (int face = 0; face < kCubeFaces; ++face)
        if (isOnFace(point, face)) names.push_back(placeOnFace(point, face));
    return names;
}

constexpr DataRelief kSloping{1, {0.2f, -0.1f}, 0};

FacePlace facePlace(const CubePlace& place) { return {place.face, {place.x, place.y}}; }

TEST(DetailOnCube, IsTheSameFromEveryFaceOfAnEdgeOrACorner)
{
    Random random(4);
    const gpu::DetailUniforms detail = detailUniformsOnCube(600, kEarthExponent);
    double largest = 0;
    int corners = 0;
    for (int i = 0; i < 20'000; ++i)
    {
        const auto border = [&] { return random.chance(1, 2) ? 0 : kCubeSide; };
        const CubePlace on{random.between(0, 5), border(), random.chance(1, 20) ? border() : int(random.bits() >> 2)};
        const auto names = namesOf(cubePoint(on));
        ASSERT_GE(names.size(), 2u);
        corners += names.size() == 3;
        const float here = detailReliefOnCube(detail, facePlace(on), 2, kSloping);
        for (const CubePlace& name : names)
            ASSERT_NEAR(detailReliefOnCube(detail, facePlace(name), 2, kSloping), here, 1e-5f * detail.metres.z)
                << name.face;
        largest = std::max(largest, std::abs(double(here)));
    }
    EXPECT_GT(corners, 500);
    EXPECT_GT(largest, 0.1 * double(detail.metres.z));
    EXPECT_LE(largest, double(detail.metres.z));
}

// Compares both sides of an edge, a millimetre apart.
TEST(DetailOnCube, GoesOnOverEdgesWithoutAStep)
{
    Random random(5);
    const gpu::DetailUniforms detail = detailUniformsOnCube(600, kEarthExponent);
    for (int i = 0; i < 5000; ++i)
    {
        const CubePlace on{random.between(0, 5), kCubeSide, int(random.bits() >> 2)};
        const glm::dvec3 n = scaledDirection(cubePoint(on));
        const auto names = namesOf(cubePoint(on));
        const auto inside = [&](const CubePlace& name) {
            const glm::dvec2 middle(kCubeSide / 2.0), at(name.x, name.y);
            return FacePlace{name.face, at + (middle - at) * 1e-10};
        };
        const float a = detailReliefOnCube(detail, inside(names[0]), 0, kSloping);
        const float b = detailReliefOnCube(detail, inside(names[1]), 0, kSloping);
        ASSERT_NEAR(a, b, 2e-3f * detail.metres.z) << n.x << ' ' << n.y << ' ' << n.z;
    }
}

// Between samples a shore may move; deep water stays.
TEST(DetailOnCube, KeepsSamplesOnLandOrInTheSea)
{
    Random random(6);
    const gpu::DetailUniforms detail = detailUniformsOnCube(600, kEarthExponent);
    const double reach = 30 * double(detail.metres.z);
    int risen = 0, sunk = 0;
    for (int i = 0; i < 2000; ++i)
    {
        const FacePlace place = facePlaceOf(randomDirection(random));
        const double above = (i % 2 == 0 ? reach : 35) * (2.4 * random.unit() - 1.2);
        DataRelief data{30, {0.1f, 0.2f}, 0};
        const double made = madeHeightOnCube(detail, place, 0, data, above);
        ASSERT_TRUE(above > 0 ? above + made >= 0 : made == 0) << above;
        data.betweenSamples = 1;
        const double between = madeHeightOnCube(detail, place, 0, data, above);
        ASSERT_TRUE(above > -reach || between == 0) << above;
        risen += above < 0 && above + between > 0;
        sunk += above > 0 && above + between < 0;
        data.slope = {1e-3f, 2e-3f};  // 1.3 m a sample: the shore is farther away than one
        const double shallow = madeHeightOnCube(detail, place, 0, data, above);
        ASSERT_TRUE(std::abs(above) < 1 || above * (above + shallow) >= 0) << above << ' ' << shallow;
    }
    EXPECT_GT(risen, 10);
    EXPECT_GT(sunk, 10);
}

TEST(EarthGround, IsThatOfTheFinestActiveTileAboveTheSeaAndScaled)
{
    const auto source = std::make_shared<EarthTiles>(5);
    const auto cache = cacheOf(source, 300 * kTileBytes);
    ASSERT_TRUE(cache);
    const gpu::DetailUniforms detail = detailUniformsOnCube(cubeSampleMetres(source->grid(), 0), kEarthExponent);
    Random random(7);
    double most = 0;
    for (int i = 0; i < 12; ++i)
    {
        const glm::dvec3 n = awkwardDirection(random), position = raised(n, earthHeight(n) + 50);
        ASSERT_TRUE(cache->settle(earthView(position, -normalAt(n), 0.7, 40), 600, [] {}));
        const FacePlace place = facePlaceOf(n);
        ASSERT_EQ(cache->levelAt(place), 0);
        const double data = double(cache->heightAt(place));
        EXPECT_NEAR(drawnGroundUnder(*cache, position, {.heightScale = 2, .sea = {}}), 2 * data, 0.01);
        EXPECT_NEAR(drawnGroundUnder(*cache, position, {.sea = 100.0}), std::max(data, 100.0), 0.01);
        const double made = drawnGroundUnder(*cache, position, {.sea = {}, .detail = &detail}) - data;
        EXPECT_LE(std::abs(made), double(cache->reliefAt(place).roughness * detail.metres.z) + 0.01);
        most = std::max(most, std::abs(made));
    }
    EXPECT_GT(most, 1);
}

}  // namespace
}  // namespace orogen
