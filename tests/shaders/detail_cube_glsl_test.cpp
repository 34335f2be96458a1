// shaders/heights/detail_cube_waves.glsl, compiled as C++, against core's procedural detail of the Earth.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "core/glsl_types.h"
#include "core/terrain/detail/detail.h"
#include "tests/support/random.h"

namespace orogen::test {
namespace {

namespace cube_glsl {

using namespace orogen::gpu;

struct Twin
{
    DetailUniforms detail{};

#define const static constexpr  // a global constant of GLSL becomes a member of this struct
#include "shaders/tree/lattice_earth.glsl"

#include "shaders/heights/detail_waves.glsl"

#include "shaders/heights/detail_cube_waves.glsl"
#undef const
};

}  // namespace cube_glsl

constexpr int kBase = 4;  // level of the ground around elevation models

cube_glsl::Twin cubeTwin(double spacing)
{
    cube_glsl::Twin twin;
    twin.detail = detailUniformsOnCube(spacing, kEarthExponent, kBase);
    return twin;
}

// A place with a unit of 2^bits, sometimes on the border of a face.
CubePlace placeOfUnit(Random& random, int bits)
{
    const auto at = [&] {
        if (random.chance(1, 5)) return random.chance(1, 2) ? 0 : kCubeSide;
        return int(random.below(std::uint32_t(kCubeSide >> bits))) << bits;
    };
    const std::int32_t x = at(), y = at();
    return {int(random.below(6)), x, y};
}

FacePlace facePlaceOf(const gpu::ivec3& point) { return {point.z, {point.x, point.y}}; }

TEST(DetailCubeGlsl, IsCoresRelief)
{
    Random random(2);
    for (const double spacing : {30.0, 600.0, 9800.0})
    {
        cube_glsl::Twin twin = cubeTwin(spacing);
        const float tolerance = 5e-5f * twin.detail.metres.z;
        int octaves = 0;
        for (int i = 0; i < 20'000; ++i)
        {
            const CubePlace p = placeOfUnit(random, random.between(0, 20));
            const int level = random.between(0, 3);
            // In an elevation model, around it, or in a cell of samples that its rim crosses.
            DataRelief data{random.chance(1, 3) ? 0.0f : 1.0f, {0.1f, -0.2f}, 0};
            if (random.chance(1, 2)) data.wide = 2, data.distance = float(std::exp2(random.between(0, 14)));
            const float relief = twin.detailRelief(twin.canonicalPlace(gpu::ivec3(p.x, p.y, p.face)), level,
                                                   gpu::vec3(data.roughness, data.slope.x, data.slope.y),
                                                   gpu::vec2(data.wide, data.distance));
            ASSERT_NEAR(relief,
                        detailReliefOnCube(twin.detail, facePlaceOf(twin.canonicalPlace(gpu::ivec3(p.x, p.y, p.face))),
                                           level, data),
                        tolerance)
                << p.face << ' ' << p.x << ' ' << p.y;
            octaves += relief != 0;
        }
        EXPECT_GT(octaves, 10'000);
    }
}

}  // namespace
}  // namespace orogen::test
