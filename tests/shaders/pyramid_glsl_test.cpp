// shaders/heights/pyramid.glsl, compiled as C++, at sizes where a rounded logarithm is wrong.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/glsl_types.h"

namespace orogen::test {
namespace {

using namespace orogen::gpu;

struct PyramidTwin
{
#include "shaders/heights/pyramid.glsl"
};

constexpr uint kCoarsest = 20;

// Finds the level by its definition: goes up from level 1 until cells are long enough.
uint levelOf(float intervals, uint coarsest)
{
    uint level = 1;
    while (level < coarsest && std::ldexp(1.0, int(level)) < double(intervals))
        ++level;
    return level;
}

TEST(PyramidGlsl, CellsAreAsLongAsTheBoxAtEveryPowerOfTwoAndItsNeighbours)
{
    PyramidTwin twin;
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    for (int power = -24; power <= int(kCoarsest) + 2; ++power)
    {
        const float exact = std::ldexp(1.0f, power);
        for (const float intervals : {std::nextafter(exact, 0.0f), exact, std::nextafter(exact, kInfinity)})
            for (const uint coarsest : {1u, 3u, 10u, kCoarsest})
                EXPECT_EQ(twin.pyramidLevel(intervals, coarsest), levelOf(intervals, coarsest))
                    << "2^" << power
                    << (intervals < exact   ? " less"
                        : intervals > exact ? " more"
                                            : "");
    }
    EXPECT_EQ(twin.pyramidLevel(0.0f, 5u), 1u);
}

TEST(PyramidGlsl, EveryWholeSizeHasItsLevel)
{
    PyramidTwin twin;
    for (uint size = 1; size <= 70'000; ++size)
        ASSERT_EQ(twin.pyramidLevel(float(size), kCoarsest), levelOf(float(size), kCoarsest)) << size;
}

TEST(PyramidGlsl, ATexelLiesInTheCellThatBeginsAtOrBeforeIt)
{
    PyramidTwin twin;
    for (uint level = 1; level <= 15; ++level)
        for (uint cell = 0; cell < 40; ++cell)
        {
            const float begin = std::ldexp(float(cell), int(level)), end = std::ldexp(float(cell + 1), int(level));
            EXPECT_EQ(twin.pyramidCell(begin, level), cell);
            EXPECT_EQ(twin.pyramidCell(std::nextafter(end, 0.0f), level), cell);
        }
}

}  // namespace
}  // namespace orogen::test
