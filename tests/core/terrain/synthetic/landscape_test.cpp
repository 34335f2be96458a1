// Landscapes are bit-identical on every machine, and are eroded so that water drains.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <queue>
#include <set>

#include <gtest/gtest.h>

#include "core/terrain/synthetic/landscape_erosion.h"
#include "core/terrain/synthetic/synthetic.h"

namespace orogen {
namespace {

std::uint64_t hashOfBits(const std::vector<float>& heights)
{
    std::uint64_t hash = 1469598103934665603u;
    for (const float height : heights)
    {
        std::uint32_t bits = 0;
        std::memcpy(&bits, &height, sizeof bits);
        hash = (hash ^ bits) * 1099511628211u;
    }
    return hash;
}

TEST(LandscapeThorough, DoesNotDependOnTheNumberOfThreads)
{
    // Spans several tiles.
    const std::vector<float> one = makeLandscape(600, 3, 1);
    EXPECT_EQ(one, makeLandscape(600, 3, 3));
}

// Recorded on x86-64 with g++ 12 and clang 14. If a value changes, kLandscapeVersion must change.
TEST(LandscapeThorough, RepeatsOnEveryMachine)
{
    EXPECT_EQ(hashOfBits(makeLandscape(64, 1, 2)), 1284039257273621127u);
    EXPECT_EQ(hashOfBits(makeLandscape(300, 7, 2)), 2638329851591093425u);
}

TEST(LandscapeThorough, IsTheSameMountainsAtEverySize)
{
    const std::vector<float> coarse = makeLandscape(64, 5, 2), fine = makeLandscape(256, 5, 2);
    double product = 0, squareCoarse = 0, squareFine = 0;
    const double meanCoarse = std::accumulate(coarse.begin(), coarse.end(), 0.0) / double(coarse.size());
    const double meanFine = std::accumulate(fine.begin(), fine.end(), 0.0) / double(fine.size());
    for (int y = 0; y < 64; ++y)
        for (int x = 0; x < 64; ++x)
        {
            double mean = 0;
            for (int v = 0; v < 4; ++v)
                for (int u = 0; u < 4; ++u)
                    mean += fine[std::size_t((4 * y + v) * 256 + 4 * x + u)] / 16.0;
            const double a = coarse[std::size_t(y * 64 + x)] - meanCoarse, b = mean - meanFine;
            product += a * b, squareCoarse += a * a, squareFine += b * b;
        }
    EXPECT_GT(product / std::sqrt(squareCoarse * squareFine), 0.9);
}

TEST(LandscapeThorough, HasTheHeightsOfMountainsAndAnotherSeedIsAnother)
{
    std::set<std::uint64_t> seen;
    for (std::uint32_t seed = 1; seed <= 2; ++seed)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        const std::vector<float> heights = makeLandscape(128, seed, 2);
        seen.insert(hashOfBits(heights));
        const auto [lowest, highest] = std::minmax_element(heights.begin(), heights.end());
        EXPECT_GT(*lowest, 200.0f);
        EXPECT_LT(*lowest, 900.0f);
        EXPECT_GT(*highest, 2200.0f);
        EXPECT_LT(*highest, 4000.0f);
    }
    EXPECT_EQ(seen.size(), 2u);
}

// Plain fractal noise has several per cent of its samples in pits without an outlet; rivers leave few.
TEST(LandscapeThorough, DrainsToItsEdge)
{
    const int n = 256;
    const std::vector<float> heights = makeLandscape(n, 2, 2);
    int pits = 0;
    for (int y = 1; y < n - 1; ++y)
        for (int x = 1; x < n - 1; ++x)
        {
            bool lower = false;
            for (int v = -1; v <= 1; ++v)
                for (int u = -1; u <= 1; ++u)
                    lower |= heights[std::size_t((y + v) * n + x + u)] < heights[std::size_t(y * n + x)];
            pits += !lower;
        }
    EXPECT_LT(pits, n * n / 200);
}

TEST(LandscapeThorough, StopsWhenTold)
{
    int calls = 0;
    EXPECT_TRUE(makeLandscape(256, 1, 2, [&](double fraction) {
                    EXPECT_GE(fraction, 0.0);
                    EXPECT_LE(fraction, 1.0);
                    return ++calls < 10;
                }).empty());
    EXPECT_EQ(calls, 10);
}

TEST(FlowRouting, AreaOfTheOutletsIsTheWholeInflow)
{
    LandscapeMesh mesh;
    mesh.resize(40, 31);
    for (int y = 0; y < mesh.height; ++y)
        for (int x = 0; x < mesh.width; ++x)
        {
            mesh.heights[mesh.index(x, y)] = float(hashOf(std::uint32_t(x), std::uint32_t(y), 9) % 1000u);
            mesh.offsets[mesh.index(x, y)] = offsetOf(x, y, 4);
        }
    const std::vector<float> inflow(mesh.heights.size(), 1.0f);
    FlowRouting routing;
    routing.route(mesh, inflow);
    double outlets = 0;
    std::vector<bool> seen(mesh.heights.size());
    for (const std::uint32_t node : routing.order())
    {
        const std::uint32_t receiver = routing.receiver(node);
        if (receiver == node)
        {
            EXPECT_TRUE(mesh.onBorder(int(node) % mesh.width, int(node) / mesh.width));
            outlets += double(routing.area(node));
        }
        else
        {
            EXPECT_TRUE(seen[receiver]) << "a node before its receiver";
        }
        EXPECT_GE(routing.water(node), mesh.heights[node]);
        seen[node] = true;
    }
    EXPECT_EQ(routing.order().size(), mesh.heights.size());
    EXPECT_EQ(outlets, double(mesh.heights.size()));
}

}  // namespace
}  // namespace orogen
