// Erosion of one level of a landscape: uplift, incision, landslides and creep, tile by tile.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/terrain/synthetic/landscape_ground.h"
#include "core/terrain/synthetic/landscape_mesh.h"

namespace orogen {

// A square landscape at one resolution. A margin of kMargin cells around it feeds rivers into it.
struct LandscapeLevel
{
    static constexpr int kMargin = 64;

    int number = 0;  // 0 is the coarsest; cells halve with each level
    int side = 0;    // nodes, including both margins
    float cell = 0;  // metres
    std::uint32_t seed = 0;
    std::vector<float> heights;  // metres, row-major
    std::vector<float> areas;    // drainage area of each node (square metres)

    std::size_t index(int x, int y) const { return std::size_t(y) * std::size_t(side) + std::size_t(x); }
    NodeOffset offset(int x, int y) const { return offsetOf(x, y, seed + 31u * std::uint32_t(number)); }
};

struct ErosionStep
{
    float uplift = 0;  // where it is strongest (metres)
    float talus = 0;   // steepest stable slope on ground of hardness 1
    float creep = 0;   // movement towards the mean of the neighbours, in [0, 1]
    int repeats = 1;   // incisions per routing of the water
};

// Runs one step over the level. Levels larger than one tile are processed in overlapping tiles, whose results are
// blended. The border of a tile stays fixed and lets in the rivers that crossed it before. The result does not depend
// on the number of threads. Calls `tick` on the calling thread after each of its tiles; if it returns false, the result
// is false and the level is invalid.
bool erode(LandscapeLevel& level, const LandscapeGround& ground, const ErosionStep& step, ThreadPool& pool,
           const std::function<bool()>& tick);

}  // namespace orogen
