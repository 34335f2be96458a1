// Erosion of a landscape at one resolution (a level): uplift, incision, landslides and creep, tile by tile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/terrain/synthetic/noise.h"

namespace orogen {

// ---- mesh ----
//
// A square lattice with displaced nodes.
//
// On a regular lattice water flows in eight directions and carves them into the terrain. A fixed random displacement of
// each node removes these preferred directions. The neighbours of a node stay those of the lattice.

// Offset of a node from the centre of its cell, in 1/256 of a cell.
struct NodeOffset
{
    std::int8_t x, y;
};

// Returns an offset of at most 0.43 cells each way, so that a node never leaves its cell.
inline NodeOffset offsetOf(int x, int y, std::uint32_t seed)
{
    const std::uint32_t hash = hashOf(std::uint32_t(x), std::uint32_t(y), seed);
    return {std::int8_t(int((hash & 0xffffu) % 221u) - 110), std::int8_t(int((hash >> 16) % 221u) - 110)};
}

// A piece of a landscape during erosion; nodes are row-major.
struct LandscapeMesh
{
    int width = 0, height = 0;
    std::vector<float> heights;  // metres
    std::vector<NodeOffset> offsets;

    std::size_t index(int x, int y) const { return std::size_t(y) * std::size_t(width) + std::size_t(x); }
    bool onBorder(int x, int y) const { return x == 0 || y == 0 || x == width - 1 || y == height - 1; }
    void resize(int newWidth, int newHeight)
    {
        width = newWidth;
        height = newHeight;
        heights.resize(std::size_t(width) * std::size_t(height));
        offsets.resize(heights.size());
    }
};

// ---- flow routing on a mesh ----
//
// The receiver of a node is the neighbour that its water flows to. Water also crosses depressions: they overflow.

// Router of water for one mesh after another; reuses its memory. Not thread-safe; O(nodes).
class FlowRouting
{
public:
    // Floods the mesh from its border inwards, lowest first, so that depressions fill and overflow at their lowest
    // point. `inflow`: drainage area that each node adds, its own cell included.
    void route(const LandscapeMesh& mesh, std::span<const float> inflow);

    // Returns the nodes, each after its receiver.
    std::span<const std::uint32_t> order() const { return order_; }
    // Returns the neighbour that a node drains to; the node itself at an outlet, which lies on the border.
    std::uint32_t receiver(std::uint32_t node) const { return receivers_[node]; }
    // Returns the drainage area of a node, in the unit of `inflow`.
    float area(std::uint32_t node) const { return areas_[node]; }
    // Returns the height of the water surface at a node (metres), which rises slightly upstream. A dry node has its own
    // height.
    float water(std::uint32_t node) const { return water_[node]; }

private:
    void push(std::uint32_t node);
    void pushBorder();
    void flood();
    void visit(std::uint32_t node);
    void accumulate(std::span<const float> inflow);

    const LandscapeMesh* mesh_ = nullptr;
    std::vector<float> water_, areas_;
    std::vector<std::uint32_t> receivers_, order_;
    enum State : std::uint8_t
    {
        kUnseen,
        kQueued,
        kDone,
    };
    std::vector<State> states_;

    // Queue of the flood: buckets by water level, first in, first out within a bucket.
    std::vector<std::uint32_t> bucketHead_, bucketTail_, next_;
    int bucket_ = 0;
    float lowest_ = 0, bucketsPerMetre_ = 0;
};

// ---- ground: uplift and hardness ----

// The fields of uplift and hardness over a square of kSide kilometres around the landscape. They are smooth and do not
// depend on the resolution.
class LandscapeGround
{
public:
    static constexpr float kSide = 81.92f;  // kilometres: the landscape's 40.96, and 20.48 on each side

    LandscapeGround(std::uint32_t seed, ThreadPool& pool);

    struct Sample
    {
        float uplift;    // 0.07 in the plains to 1 under the ranges
        float hardness;  // 0.4 to 1.8; hard ground erodes slowly and stands steep
    };
    // Returns both fields at a place, bilinear and clamped to the square. `x`, `y`: kilometres east and south of the
    // landscape's north-western corner.
    Sample at(float x, float y) const;

private:
    static constexpr int kCells = 512;  // per side; 160 m wide: an eleventh of the shortest wave of the uplift

    std::vector<Sample> samples_;
};

// ---- erosion ----

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

// Parameters of one step.
struct ErosionStep
{
    float uplift = 0;  // where the field of uplift is 1 (metres per repeat)
    float talus = 0;   // steepest stable slope on ground of hardness 1 (metres per metre)
    float creep = 0;   // fraction of the way to the mean height of the neighbours, per repeat, in [0, 1]
    int repeats = 1;   // rounds of uplift and incision, each followed by creep, for one routing of the water
};

// Runs one step over the level. Levels larger than one tile are processed in overlapping tiles, whose results are
// blended. The border of a tile stays fixed, and rivers enter where they crossed the border before. The result does not
// depend on the number of threads. Calls `tick` after each tile that the calling thread has processed. Returns false,
// and leaves the level invalid, if `tick` returns false.
bool erode(LandscapeLevel& level, const LandscapeGround& ground, const ErosionStep& step, ThreadPool& pool,
           const std::function<bool()>& tick);

}  // namespace orogen
