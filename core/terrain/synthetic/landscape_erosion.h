// Rivers cutting into one level of a landscape: uplift, incision, landslides and creep, tile by tile.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/terrain/synthetic/landscape_ground.h"
#include "core/terrain/synthetic/landscape_mesh.h"

namespace orogen {

// A landscape at one resolution: square, with a margin of kMargin cells around it, which feeds rivers into it.
struct LandscapeLevel
{
    static constexpr int kMargin = 64;

    int number = 0;  // 0 is the coarsest; cells halve from one to the next
    int side = 0;    // nodes, both margins included
    float cell = 0;  // metres
    std::uint32_t seed = 0;
    std::vector<float> heights;  // metres, row-major
    std::vector<float> areas;    // square metres that drain through each node

    std::size_t index(int x, int y) const { return std::size_t(y) * std::size_t(side) + std::size_t(x); }
    NodeOffset offset(int x, int y) const { return offsetOf(x, y, seed + 31u * std::uint32_t(number)); }
};

struct ErosionStep
{
    float uplift = 0;  // metres where it is strongest
    float talus = 0;   // steepest slope that stands on ground of hardness 1
    float creep = 0;   // how far a node moves to the mean of its neighbours, 0 to 1
    int repeats = 1;   // incisions for one routing of the water
};

// Runs one step over the level.  Levels of more than one tile are worked on in overlapping tiles, whose results are
// blended; the border of a tile stays as it was and lets in the rivers that crossed it before.  The result does not
// depend on the number of threads.  `tick` is called on the calling thread after each of its tiles; false stops: the
// result is false then and the level is not to be used.
bool erode(LandscapeLevel& level, const LandscapeGround& ground, const ErosionStep& step, ThreadPool& pool,
           const std::function<bool()>& tick);

}  // namespace orogen
