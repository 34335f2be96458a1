#include "core/terrain/overlays/ground_line.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

namespace orogen {
namespace {

glm::dvec3 placeOf(const LineVertex& vertex) { return glm::dvec3(vertex.high) + glm::dvec3(vertex.low); }

double distanceToLine(const glm::dvec3& point, const std::vector<LineVertex>& line)
{
    double nearest = 1e300;
    for (std::size_t i = 1; i < line.size(); ++i)
    {
        if (line[i].high.w > 0) continue;
        const glm::dvec3 a = placeOf(line[i - 1]), way = placeOf(line[i]) - a;
        const double t = std::clamp(glm::dot(point - a, way) / std::max(glm::dot(way, way), 1e-300), 0.0, 1.0);
        nearest = std::min(nearest, glm::distance(point, a + way * t));
    }
    return nearest;
}

// A walk of `count` steps of 10 m on the Earth's scale of coordinates, in lines of 1,000 vertices.
GroundLine walk(std::size_t count, unsigned seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> step(0, 10);
    std::vector<glm::dvec3> places;
    std::vector<std::uint8_t> begins;
    glm::dvec3 at(4'200'000, 590'000, 4'750'000);
    for (std::size_t i = 0; i < count; ++i)
    {
        at += glm::dvec3(step(random), step(random), 0.3 * step(random));
        places.push_back(at);
        begins.push_back(i % 1000 == 0);
    }
    return GroundLine(std::move(places), std::move(begins), false);
}

TEST(GroundLine, ThinnedLinesStayWithinThePixelsAllowed)
{
    const GroundLine line = walk(20'000, 1);
    for (const double distance : {300.0, 3'000.0, 60'000.0})
    {
        const LineView view{line.place(10'000) - glm::dvec3(0, distance, 0), {0, 1, 0}, 3.2, 700};
        std::vector<LineVertex> thinned;
        line.thinned(view, 0.7, thinned);
        EXPECT_LT(thinned.size(), line.size() * (distance > 50'000 ? 1 : 2) / (distance > 50'000 ? 4 : 1));
        for (std::size_t i = 0; i < line.size(); i += 197)
        {
            const double pixels = distanceToLine(line.place(i), thinned) / glm::distance(line.place(i), view.eye) * 700;
            ASSERT_LT(pixels, 1.5) << "vertex " << i << " from " << distance;
        }
    }
}

TEST(GroundLine, BothPartsOfAVertexResolveAMillimetre)
{
    const GroundLine line = walk(300, 2);
    std::vector<LineVertex> all;
    line.thinned({line.place(0), {0, 1, 0}, 3.2, 1e9}, 0.1, all);
    ASSERT_EQ(all.size(), line.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        EXPECT_LT(glm::distance(placeOf(all[i]), line.place(i)), 1e-3);
}

TEST(GroundLine, LinesStayApartAndChunksJoin)
{
    const GroundLine line = walk(3'000, 3);
    std::vector<LineVertex> all;
    line.thinned({line.place(0), {0, 1, 0}, 3.2, 1e9}, 0.1, all);
    EXPECT_EQ(std::ranges::count_if(all, [](const LineVertex& vertex) { return vertex.high.w > 0; }), 3);
    // Out of view on one side: what is left begins lines of its own, and joins nothing over the gap.
    std::vector<LineVertex> none;
    line.thinned({line.place(0) + glm::dvec3(0, 1e6, 0), {0, 1, 0}, 0.3, 700}, 0.7, none);
    EXPECT_TRUE(none.empty());
}

TEST(GroundLine, ThinnedPointsLieApart)
{
    std::mt19937 random(4);
    std::uniform_real_distribution<double> across(0, 1000);
    std::vector<glm::dvec3> places;
    for (int i = 0; i < 20'000; ++i)
        places.push_back({across(random), across(random), 0});
    const GroundLine points(places, {}, true);
    std::vector<LineVertex> far, near;
    const glm::dvec3 middle(500, 500, 0);
    points.thinned({middle - glm::dvec3(0, 0, -50'000), {0, 0, -1}, 1, 700}, 0.7, far);
    points.thinned({middle - glm::dvec3(0, 0, -10), {0, 0, -1}, 3.2, 70'000}, 0.7, near);
    EXPECT_LT(far.size(), 200u);
    EXPECT_GT(far.size(), 3u);
    EXPECT_GT(near.size(), 15'000u);
}

}  // namespace
}  // namespace orogen
