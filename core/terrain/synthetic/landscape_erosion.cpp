#include "core/terrain/synthetic/landscape_erosion.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>

#include "core/terrain/synthetic/noise.h"

namespace orogen {
namespace {

// Returns the squared distance between two displaced nodes (in squared cells). (dx, dy): offset between their cells.
float distanceSquared(NodeOffset from, NodeOffset to, int dx, int dy)
{
    const float x = float(dx) + float(to.x - from.x) * (1.0f / 256.0f);
    const float y = float(dy) + float(to.y - from.y) * (1.0f / 256.0f);
    return x * x + y * y;
}

constexpr std::uint32_t kNone = 0xffffffffu;
constexpr int kBuckets = 1 << 12;  // number of water levels that the flood's queue tells apart
constexpr float kRise = 1e-3f;     // rise of the water from a node to the next one upstream (metres)

}  // namespace

void FlowRouting::route(const LandscapeMesh& mesh, std::span<const float> inflow)
{
    assert(inflow.size() == mesh.heights.size());
    mesh_ = &mesh;
    water_ = mesh.heights;
    receivers_.resize(water_.size());
    next_.resize(water_.size());
    states_.assign(water_.size(), kUnseen);
    order_.clear();
    order_.reserve(water_.size());
    flood();
    accumulate(inflow);
}

void FlowRouting::push(std::uint32_t node)
{
    states_[node] = kQueued;
    const int rank = int((water_[node] - lowest_) * bucketsPerMetre_);
    // The flood never returns to an emptied bucket, so the node goes into the current bucket or a later one.
    const std::size_t bucket = std::size_t(std::max(bucket_, std::min(rank, kBuckets - 1)));
    next_[node] = kNone;
    if (bucketHead_[bucket] == kNone)
        bucketHead_[bucket] = node;
    else
        next_[bucketTail_[bucket]] = node;
    bucketTail_[bucket] = node;
}

void FlowRouting::pushBorder()
{
    const auto pushOnce = [&](int x, int y) {
        const std::uint32_t node = std::uint32_t(mesh_->index(x, y));
        if (states_[node] != kUnseen) return;
        receivers_[node] = node;
        push(node);
    };
    for (int x = 0; x < mesh_->width; ++x)
        pushOnce(x, 0), pushOnce(x, mesh_->height - 1);
    for (int y = 0; y < mesh_->height; ++y)
        pushOnce(0, y), pushOnce(mesh_->width - 1, y);
}

void FlowRouting::flood()
{
    const auto [lowest, highest] = std::minmax_element(mesh_->heights.begin(), mesh_->heights.end());
    lowest_ = *lowest;
    bucketsPerMetre_ = float(kBuckets - 1) / std::max(*highest - *lowest, 1e-3f);
    bucketHead_.assign(kBuckets, kNone);
    bucketTail_.assign(kBuckets, kNone);
    bucket_ = 0;
    pushBorder();
    for (; bucket_ < kBuckets; ++bucket_)
        for (std::uint32_t& head = bucketHead_[std::size_t(bucket_)]; head != kNone;)
        {
            const std::uint32_t node = head;
            head = next_[node];
            visit(node);
        }
}

// Fixes the node that receives this node's water, and queues the node's unseen neighbours. Water in a depression leaves
// the way the flood came; dry ground drains along the steepest descent. The border cuts through a larger landscape:
// water crosses it, but does not run along it.
void FlowRouting::visit(std::uint32_t node)
{
    const LandscapeMesh& mesh = *mesh_;
    const int x = int(node % std::uint32_t(mesh.width)), y = int(node / std::uint32_t(mesh.width));
    const bool border = mesh.onBorder(x, y), dry = water_[node] <= mesh.heights[node];
    float steepest = 0;  // squared slope
    for (int v = std::max(y - 1, 0); v <= std::min(y + 1, mesh.height - 1); ++v)
        for (int u = std::max(x - 1, 0); u <= std::min(x + 1, mesh.width - 1); ++u)
        {
            const std::uint32_t other = std::uint32_t(mesh.index(u, v));
            if (states_[other] == kUnseen)
            {
                water_[other] = std::max(mesh.heights[other], water_[node] + kRise);
                receivers_[other] = node;
                push(other);
            }
            else if (dry && states_[other] == kDone && water_[other] < water_[node] && !(border && mesh.onBorder(u, v)))
            {
                const float drop = water_[node] - water_[other];
                const float slope =
                    drop * drop / distanceSquared(mesh.offsets[node], mesh.offsets[other], u - x, v - y);
                if (slope > steepest) receivers_[node] = other, steepest = slope;
            }
        }
    states_[node] = kDone;
    order_.push_back(node);
}

void FlowRouting::accumulate(std::span<const float> inflow)
{
    areas_.assign(inflow.begin(), inflow.end());
    for (auto node = order_.rbegin(); node != order_.rend(); ++node)
        if (receivers_[*node] != *node) areas_[receivers_[*node]] += areas_[*node];
}

namespace {

constexpr float kMargin = LandscapeGround::kSide / 4;
constexpr int kSamples = 513;

float smoothStep(float t) { return t * t * (3.0f - 2.0f * t); }

// Returns the uplift at (x, y) kilometres. Mountain ranges follow the zero crossings of a warped noise, with uneven
// heights along them.
float upliftAt(float x, float y, std::uint32_t seed)
{
    constexpr float kPlains = 0.07f;
    const float warpedX = x + 6.0f * fractalNoise(x / 26.0f, y / 26.0f, 3, seed + 100);
    const float warpedY = y + 6.0f * fractalNoise(x / 26.0f, y / 26.0f, 3, seed + 200);
    const float ridge = 1.0f - std::fabs(fractalNoise(warpedX / 34.0f, warpedY / 34.0f, 3, seed + 300));
    const float range = smoothStep(std::clamp(ridge * 1.6f - 0.6f, 0.0f, 1.0f));
    const float uneven = 0.75f + 0.35f * fractalNoise(x / 7.0f, y / 7.0f, 3, seed + 400);
    return std::clamp(range * uneven, 0.0f, 1.0f) * (1.0f - kPlains) + kPlains;
}

float hardnessAt(float x, float y, std::uint32_t seed)
{
    return std::clamp(1.0f + 0.4f * fractalNoise(x / 3.0f, y / 3.0f, 4, seed + 500), 0.4f, 1.8f);
}

}  // namespace

LandscapeGround::LandscapeGround(std::uint32_t seed, ThreadPool& pool) : samples_(std::size_t(kSamples) * kSamples)
{
    static_assert(kSamples == kCells + 1);
    const float step = kSide / kCells;
    // Mixes the seed: octaves use consecutive seeds, and the octaves of two landscapes must not have seeds in common.
    const std::uint32_t mixed = hashOf(seed, 0, 1);
    forRows(pool, kSamples, [&](int begin, int end) {
        for (int j = begin; j < end; ++j)
            for (int i = 0; i < kSamples; ++i)
            {
                const float x = float(i) * step - kMargin, y = float(j) * step - kMargin;
                samples_[std::size_t(j) * kSamples + std::size_t(i)] = {upliftAt(x, y, mixed), hardnessAt(x, y, mixed)};
            }
    });
}

LandscapeGround::Sample LandscapeGround::at(float x, float y) const
{
    const float u = std::clamp((x + kMargin) * (kCells / kSide), 0.0f, float(kCells));
    const float v = std::clamp((y + kMargin) * (kCells / kSide), 0.0f, float(kCells));
    const int i = std::min(int(u), kCells - 1), j = std::min(int(v), kCells - 1);
    const float a = u - float(i), b = v - float(j);
    const Sample* top = &samples_[std::size_t(j) * kSamples + std::size_t(i)];
    const Sample* bottom = top + kSamples;
    const auto mix = [&](float Sample::*field) {
        const float north = top[0].*field + a * (top[1].*field - top[0].*field);
        const float south = bottom[0].*field + a * (bottom[1].*field - bottom[0].*field);
        return north + b * (south - north);
    };
    return {mix(&Sample::uplift), mix(&Sample::hardness)};
}

namespace {

// Slope of a river at steady state: kRelief * uplift * hardness / sqrt(area).
constexpr float kRelief = 360.0f;  // metres

constexpr int kTile = 320;           // nodes per side; a tile's routing fits in the second-level cache
constexpr int kHalo = 32;            // nodes around a tile that are eroded with it; tiles are blended there
constexpr int kLargestSingle = 400;  // nodes per side of a level processed as one tile

// Half-open ranges of nodes.
struct Window
{
    int x0, y0, x1, y1;
};

// Eroder of one window of a level, on a copy of the window.
class TileEroder
{
public:
    void run(const LandscapeLevel& level, const LandscapeGround& ground, const ErosionStep& step, const Window& window)
    {
        load(level, ground, window);
        letRiversIn(level, window);
        routing_.route(mesh_, inflow_);
        for (int i = 0; i < step.repeats; ++i)
        {
            incise(level.cell, step);
            creep(level.cell, step);
        }
    }
    const LandscapeMesh& mesh() const { return mesh_; }
    float area(std::size_t node) const { return routing_.area(std::uint32_t(node)); }

private:
    void load(const LandscapeLevel& level, const LandscapeGround& ground, const Window& window)
    {
        mesh_.resize(window.x1 - window.x0, window.y1 - window.y0);
        ground_.resize(mesh_.heights.size());
        inflow_.assign(mesh_.heights.size(), level.cell * level.cell);
        const float kilometres = level.cell / 1000.0f;
        for (int y = 0; y < mesh_.height; ++y)
            for (int x = 0; x < mesh_.width; ++x)
            {
                const std::size_t i = mesh_.index(x, y);
                const int u = window.x0 + x, v = window.y0 + y;
                mesh_.heights[i] = level.heights[level.index(u, v)];
                mesh_.offsets[i] = level.offset(u, v);
                ground_[i] = ground.at((float(u - LandscapeLevel::kMargin) + 0.5f) * kilometres,
                                       (float(v - LandscapeLevel::kMargin) + 0.5f) * kilometres);
            }
    }

    // Adds the rivers where they cross the window's border: at the local maxima of the drainage area along it.
    void letRiversIn(const LandscapeLevel& level, const Window& window)
    {
        const auto areaAt = [&](int x, int y) { return level.areas[level.index(window.x0 + x, window.y0 + y)]; };
        const auto look = [&](int x, int y, int dx, int dy) {
            const float area = areaAt(x, y);
            if (area > areaAt(x - dx, y - dy) && area >= areaAt(x + dx, y + dy)) inflow_[mesh_.index(x, y)] = area;
        };
        for (int x = 1; x < mesh_.width - 1; ++x)
            look(x, 0, 1, 0), look(x, mesh_.height - 1, 1, 0);
        for (int y = 1; y < mesh_.height - 1; ++y)
            look(0, y, 0, 1), look(mesh_.width - 1, y, 0, 1);
    }

    // Does the implicit step of Braun and Willett (synthetic.h), from the outlets upstream. Limits slopes to the talus,
    // the greatest stable slope.
    void incise(float cell, const ErosionStep& step)
    {
        const float strength = step.uplift / kRelief;
        for (const std::uint32_t node : routing_.order())
        {
            const std::uint32_t receiver = routing_.receiver(node);
            const int x = int(node) % mesh_.width, y = int(node) / mesh_.width;
            if (receiver == node || mesh_.onBorder(x, y)) continue;
            const int dx = int(receiver) % mesh_.width - x, dy = int(receiver) / mesh_.width - y;
            const float distance =
                cell * std::sqrt(distanceSquared(mesh_.offsets[node], mesh_.offsets[receiver], dx, dy));
            const LandscapeGround::Sample& ground = ground_[node];
            const float rate = strength * std::sqrt(routing_.area(node)) / (distance * ground.hardness);
            const float below = mesh_.heights[receiver];
            // Depressions fill with sediment.
            const float raised = std::max(mesh_.heights[node], routing_.water(node)) + step.uplift * ground.uplift;
            const float cut = (raised + rate * below) / (1.0f + rate);
            mesh_.heights[node] = std::min(cut, below + step.talus * ground.hardness * distance);
        }
    }

    void creep(float cell, const ErosionStep& step)
    {
        moved_ = mesh_.heights;
        for (int y = 1; y < mesh_.height - 1; ++y)
            for (int x = 1; x < mesh_.width - 1; ++x)
            {
                const std::size_t i = mesh_.index(x, y);
                const Around around = lookAround(x, y);
                moved_[i] += step.creep * (around.mean - mesh_.heights[i]);
                // Incision limits a node's slope only towards its receiver. This pass limits it towards all neighbours.
                const float steepest = step.talus * ground_[i].hardness * cell;
                if (mesh_.heights[i] - around.lowest > steepest)
                    moved_[i] = std::min(moved_[i], standing(x, y, steepest));
            }
        mesh_.heights.swap(moved_);
    }

    struct Around
    {
        float mean;  // mean of the neighbours; nearer ones have larger weights
        float lowest;
    };
    Around lookAround(int x, int y) const
    {
        const NodeOffset here = mesh_.offsets[mesh_.index(x, y)];
        float sum = 0, weights = 0, lowest = mesh_.heights[mesh_.index(x, y)];
        forNeighbours(x, y, [&](int dx, int dy, std::size_t other) {
            const float weight = 1.0f / distanceSquared(here, mesh_.offsets[other], dx, dy);
            sum += weight * mesh_.heights[other];
            weights += weight;
            lowest = std::min(lowest, mesh_.heights[other]);
        });
        return {sum / weights, lowest};
    }

    // Returns a node's height, lowered until no slope to a neighbour exceeds `steepest` metres per cell.
    float standing(int x, int y, float steepest) const
    {
        const NodeOffset here = mesh_.offsets[mesh_.index(x, y)];
        float height = mesh_.heights[mesh_.index(x, y)];
        forNeighbours(x, y, [&](int dx, int dy, std::size_t other) {
            const float distance = std::sqrt(distanceSquared(here, mesh_.offsets[other], dx, dy));
            height = std::min(height, mesh_.heights[other] + steepest * distance);
        });
        return height;
    }

    template <class Use>
    void forNeighbours(int x, int y, const Use& use) const
    {
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx)
                if (dx != 0 || dy != 0) use(dx, dy, mesh_.index(x + dx, y + dy));
    }

    LandscapeMesh mesh_;
    std::vector<LandscapeGround::Sample> ground_;
    std::vector<float> inflow_, moved_;
    FlowRouting routing_;
};

// Returns a tile's weight at a node, along one axis. The tile has the nodes [begin, end) of [0, side). Weights of all
// tiles sum to 1. The weight is 0 at the four outermost nodes of the halo, since a tile's border is not eroded.
float shareOf(int node, int begin, int end, int side)
{
    const auto rise = [](int fromSeam) {
        const float t = std::clamp((float(fromSeam + kHalo) - 3.5f) / float(2 * kHalo - 8), 0.0f, 1.0f);
        return t * t * (3.0f - 2.0f * t);
    };
    float share = 1.0f;
    if (begin > 0) share *= rise(node - begin);
    if (end < side) share *= 1.0f - rise(node - end);
    return share;
}

class TiledErosion
{
public:
    TiledErosion(LandscapeLevel& level, const LandscapeGround& ground, const ErosionStep& step, ThreadPool& pool)
        : level_(level), ground_(ground), step_(step), pool_(pool), tiles_((level.side + kTile - 1) / kTile),
          heights_(level.heights.size(), 0.0f), areas_(level.areas.size()), eroders_(std::size_t(pool.threads()))
    {
    }

    // Erodes the tiles in four groups (colours), by whether their column and row are even. Tiles of one colour do not
    // overlap, even with their halos. So each sum adds its terms in the order of the colours, whatever the threads.
    // Returns false if `tick` stopped the erosion.
    bool run(const std::function<bool()>& tick)
    {
        for (int colour = 0; colour < 4 && !stopped_; ++colour)
            erodeColour(colour, tick);
        level_.heights.swap(heights_);
        level_.areas.swap(areas_);
        return !stopped_;
    }

private:
    void erodeColour(int colour, const std::function<bool()>& tick)
    {
        const int columns = (tiles_ + 1 - colour % 2) / 2, rows = (tiles_ + 1 - colour / 2) / 2;
        pool_.forEach(std::size_t(columns * rows), [&](std::size_t tile, int thread) {
            if (stopped_) return;
            const int i = int(tile);
            erodeTile(eroders_[std::size_t(thread)], 2 * (i % columns) + colour % 2, 2 * (i / columns) + colour / 2);
            if (thread == 0 && tick && !tick()) stopped_ = true;
        });
    }

    void erodeTile(TileEroder& eroder, int column, int row)
    {
        const int side = level_.side;
        const Window core{column * kTile, row * kTile, std::min((column + 1) * kTile, side),
                          std::min((row + 1) * kTile, side)};
        const Window all{std::max(core.x0 - kHalo, 0), std::max(core.y0 - kHalo, 0), std::min(core.x1 + kHalo, side),
                         std::min(core.y1 + kHalo, side)};
        eroder.run(level_, ground_, step_, all);
        for (int y = all.y0; y < all.y1; ++y)
        {
            const float shareY = shareOf(y, core.y0, core.y1, side);
            for (int x = all.x0; x < all.x1; ++x)
            {
                const std::size_t to = level_.index(x, y), from = eroder.mesh().index(x - all.x0, y - all.y0);
                heights_[to] += shareY * shareOf(x, core.x0, core.x1, side) * eroder.mesh().heights[from];
                if (x >= core.x0 && x < core.x1 && y >= core.y0 && y < core.y1) areas_[to] = eroder.area(from);
            }
        }
    }

    LandscapeLevel& level_;
    const LandscapeGround& ground_;
    const ErosionStep& step_;
    ThreadPool& pool_;
    int tiles_;
    std::vector<float> heights_, areas_;
    std::vector<TileEroder> eroders_;  // one per thread
    std::atomic<bool> stopped_ = false;
};

}  // namespace

bool erode(LandscapeLevel& level, const LandscapeGround& ground, const ErosionStep& step, ThreadPool& pool,
           const std::function<bool()>& tick)
{
    if (level.side > kLargestSingle) return TiledErosion(level, ground, step, pool).run(tick);
    TileEroder eroder;
    eroder.run(level, ground, step, {0, 0, level.side, level.side});
    level.heights = eroder.mesh().heights;
    for (std::size_t i = 0; i < level.areas.size(); ++i)
        level.areas[i] = eroder.area(i);
    return !tick || tick();
}

}  // namespace orogen
