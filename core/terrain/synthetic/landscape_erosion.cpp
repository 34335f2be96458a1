#include "core/terrain/synthetic/landscape_erosion.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/terrain/synthetic/flow_routing.h"

namespace orogen {
namespace {

// Slope of a river at steady state: kRelief * uplift / (hardness * sqrt(area)) (metres).
constexpr float kRelief = 360.0f;

constexpr int kTile = 320;           // nodes a side; fits routing into the second-level cache
constexpr int kHalo = 32;            // around a tile, blended with its neighbours
constexpr int kLargestSingle = 400;  // nodes a side of a level processed as one tile

// Half-open ranges of nodes.
struct Window
{
    int x0, y0, x1, y1;
};

// Erodes one window of a level on its own copy.
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

    // Lets rivers in: they cross the border where the area is larger than at both neighbours along it.
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

    // Does Braun and Willett's implicit step, from the outlets upstream, then limits the slope to the talus.
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
                // Incision limits the slope on one side of a crest only; limit the other, too.
                const float steepest = step.talus * ground_[i].hardness * cell;
                if (mesh_.heights[i] - around.lowest > steepest)
                    moved_[i] = std::min(moved_[i], standing(x, y, steepest));
            }
        mesh_.heights.swap(moved_);
    }

    struct Around
    {
        float mean;  // near neighbours have larger weights
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

    // Returns the greatest stable height next to the neighbours, with `steepest` metres a cell.
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

// Returns the weight of a tile [begin, end) of [0, side) at a node; the tiles' weights sum to 1. It is 0 at the
// outermost nodes of a tile, which do not move.
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

    // Tiles of one colour do not overlap, so each sum adds its terms in the order of the colours.
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
