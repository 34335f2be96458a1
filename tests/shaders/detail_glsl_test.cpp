// shaders/heights/detail_plane.glsl, compiled as C++, against core's procedural detail.
#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "core/glsl_types.h"
#include "core/leb/leb.h"
#include "core/terrain/detail/detail.h"

namespace orogen::test {
namespace {

using namespace orogen::gpu;

constexpr vec2 kSlope(0.2f, -0.1f);  // the data slope east

struct DetailTwin
{
    DetailUniforms detail{};
    float everywhere = 1;

    vec3 reliefAt(ivec2) const { return vec3(everywhere, kSlope.x, kSlope.y); }
    float roughestBetween(ivec2, ivec2) const { return everywhere; }
    vec3 roughnessAcross(ivec2, ivec2, float) const { return vec3(everywhere, 0.0f, 0.0f); }

#define const static constexpr  // a global constant of GLSL becomes a member of this struct
#include "shaders/tree/leb.glsl"

#include "shaders/tree/lattice_plane.glsl"

#include "shaders/tree/diamond.glsl"

#include "shaders/heights/detail_plane.glsl"
#undef const
};

DetailTwin twinOf(double side, double spacing)
{
    DetailTwin twin;
    twin.detail = detailUniforms(side, spacing, 1.3);
    return twin;
}

ivec2 randomPoint(std::mt19937& random)
{
    const uint bits = uint(random() % 12), points = leb::kDrawSide >> bits;
    return ivec2(int(random() % points << bits), int(random() % points << bits));
}

TEST(DetailGlsl, IsCoresRelief)
{
    std::mt19937 random(2);
    for (const double side : {12'000.0, 35'910.0, 4e6})
    {
        DetailTwin twin = twinOf(side, side / 1000);
        const float tolerance = 1e-5f * twin.detail.metres.z;
        for (int i = 0; i < 20'000; ++i)
        {
            const ivec2 p = randomPoint(random);
            ASSERT_NEAR(twin.detailHeight(p), detailRelief(twin.detail, glm::dvec2(p), {1, kSlope}), tolerance)
                << p.x << ' ' << p.y;
            ASSERT_NEAR(twin.detailAt(p, vec2(0.0f), 0.0f, twin.reliefAt(p)).x, twin.detailHeight(p), tolerance);
        }
    }
}

// Slopes (metres per metre) against finite differences.
TEST(DetailGlsl, SlopesAreThoseOfTheHeights)
{
    std::mt19937 random(3);
    DetailTwin twin = twinOf(35'910.0, 30.0);
    twin.detail.octaves.x = 1;  // finer ones lean on the slopes before; their slopes leave that out
    for (int i = 0; i < 5000; ++i)
    {
        const ivec2 p = randomPoint(random);
        const vec3 here = twin.detailAt(p, vec2(0.5f), 0.0f, twin.reliefAt(p));
        const double unit = double(twin.detail.metres.x), step = 0.5;
        const auto at = [&](double x, double y) {
            return double(detailRelief(twin.detail, glm::dvec2(p) + glm::dvec2(0.5 + x, 0.5 + y), {1, kSlope}));
        };
        ASSERT_NEAR(here.y, (at(step, 0) - at(-step, 0)) / (2 * step * unit), 0.01) << p.x << ' ' << p.y;
        ASSERT_NEAR(here.z, (at(0, step) - at(0, -step)) / (2 * step * unit), 0.01) << p.x << ' ' << p.y;
    }
}

// Octaves too fine for a pixel are hidden, and coarse ones have full weight.
TEST(DetailGlsl, OctavesComeInWithoutAStep)
{
    DetailTwin twin = twinOf(35'910.0, 30.0);
    const ivec2 p(1'234'567, 765'433);
    EXPECT_EQ(twin.detailAt(p, vec2(0.0f), 100.0f, twin.reliefAt(p)).x, 0.0f);
    float before = twin.detailAt(p, vec2(0.0f), 60.0f, twin.reliefAt(p)).x;
    for (float shortest = 60.0f; shortest > 0.01f; shortest *= 0.999f)
    {
        const float now = twin.detailAt(p, vec2(0.0f), shortest, twin.reliefAt(p)).x;
        ASSERT_NEAR(now, before, 0.002f * twin.detail.metres.z) << shortest;
        before = now;
    }
}

// A vertex that a leaf's split inserts never has a larger error than the leaf.
TEST(DetailGlsl, ErrorsGrowWithTriangles)
{
    DetailTwin twin = twinOf(35'910.0, 30.0);
    for (uint bits = 1; bits < uint(leb::kDrawLatticeBits); ++bits)
        for (uint patch = 0; patch < bits && patch <= 6; ++patch)
            EXPECT_GE(twin.detailError(uvec2(1u << bits, 0u), patch),
                      twin.detailError(uvec2(1u << (bits - patch), 0u), 0));
}

}  // namespace
}  // namespace orogen::test
