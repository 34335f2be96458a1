// shaders/shading/shadow.glsl, compiled as C++, over a wall whose shadow is known.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "core/glsl_types.h"
#include "core/gpu_layout.h"

namespace orogen::test {
namespace {

using namespace orogen::gpu;
using glm::smoothstep;

// Level ground west of a wall that runs from north to south, east of the origin.
struct Wall
{
    float high = 500;   // metres
    float wide = 1000;  // metres

    float heightAt(vec2 place, float) const { return place.x > 0 && place.x < wide ? high : 0.0f; }

#define const static constexpr  // a global constant of GLSL becomes a member of this struct
#include "shaders/shading/shadow.glsl"
#undef const
};

constexpr float kCell = 5;

// Share of the sun in the east, `degrees` high, at a distance west of the wall.
float shareAt(float distance, double degrees)
{
    const double up = degrees * 3.14159265358979 / 180;
    return Wall().sunShare(vec2(-distance, 10), 0, 500, kCell, vec3(float(std::cos(up)), 0, float(std::sin(up))));
}

TEST(ShadowGlsl, AWallCastsAShadowAsLongAsTheSunIsLow)
{
    for (const double degrees : {3.0, 8.0, 20.0, 45.0})
    {
        const auto shadow = float(500 / std::tan(degrees * 3.14159265358979 / 180));
        if (shadow > 880 * kCell) continue;
        EXPECT_LT(shareAt(0.92f * shadow, degrees), 0.01f) << degrees;
        EXPECT_GT(shareAt(1.10f * shadow, degrees), 0.99f) << degrees;
    }
    EXPECT_EQ(shareAt(50, 89), 1.0f);
}

// The penumbra is as wide as the sun's disc of 0.53 degrees seen over the edge.
TEST(ShadowGlsl, ThePenumbraIsTheSunsDisc)
{
    const double distance = 2000, edge = std::atan2(500.0, distance) * 180 / 3.14159265358979;
    EXPECT_LT(shareAt(float(distance), edge - 0.30), 0.05f);
    EXPECT_GT(shareAt(float(distance), edge + 0.45), 0.95f);
    double narrowest = 90, widest = 0;
    for (double off = -1; off < 1; off += 0.01)
        if (const float share = shareAt(float(distance), edge + off); share > 0.02f && share < 0.98f)
        {
            narrowest = std::min(narrowest, off);
            widest = std::max(widest, off);
        }
    EXPECT_NEAR(widest - narrowest, 0.42, 0.10);  // the middle of the disc, and the steps of the march
}

// Nothing east of the wall stands in the way.
TEST(ShadowGlsl, LevelGroundIsLit)
{
    const double up = 0.05;
    Wall wall;
    const float share = wall.sunShare(vec2(2000, 0), 0, 500, kCell, vec3(float(std::cos(up)), 0, float(std::sin(up))));
    EXPECT_EQ(share, 1.0f);
}

}  // namespace
}  // namespace orogen::test
