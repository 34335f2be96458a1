#include "core/terrain/landscape.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/terrain/flow_routing.h"
#include "core/terrain/noise.h"
#include "core/terrain/parallel_rows.h"

namespace orogen {
namespace {

constexpr int kCoarsestSide = 128;  // cells across the square where the rivers are laid out
constexpr int kMargin = 64;         // cells around it on every level: 32 km on the coarsest, less and less above

// A square grid with its margin; the cell (kMargin, kMargin) is the north-western one of the landscape.
struct Grid
{
    int side = 0;
    float cell = 0;  // metres
    std::vector<float> heights;
    std::vector<float> inflow;  // drainage area that each cell adds, square metres

    float& at(int x, int y) { return heights[std::size_t(y) * std::size_t(side) + std::size_t(x)]; }
    float at(int x, int y) const { return heights[std::size_t(y) * std::size_t(side) + std::size_t(x)]; }
};

struct Step
{
    float uplift;  // metres in this step where it is strongest
    float talus;   // steepest slope that stands
    float smooth;  // share of the Laplacian that creeps down, at most 0.2
};

// What the ground is like, everywhere the same function of the place in kilometres.
struct Ground
{
    std::uint32_t seed;

    // Between 0.04 and 1: where mountains rise.
    float uplift(float x, float y) const
    {
        const float wx = x + 6.0f * fractalNoise(x / 26.0f, y / 26.0f, 3, seed + 100);
        const float wy = y + 6.0f * fractalNoise(x / 26.0f, y / 26.0f, 3, seed + 200);
        const float ridge = 1.0f - std::fabs(fractalNoise(wx / 34.0f, wy / 34.0f, 3, seed + 300));
        const float range = std::clamp(ridge * 1.6f - 0.6f, 0.0f, 1.0f);
        const float local = 0.75f + 0.35f * fractalNoise(x / 7.0f, y / 7.0f, 3, seed + 400);
        return std::clamp(range * range * (3.0f - 2.0f * range) * local, 0.0f, 1.0f) * 0.96f + 0.04f;
    }
    float hardness(float x, float y) const { return 1.0f + 0.35f * fractalNoise(x / 3.0f, y / 3.0f, 4, seed + 500); }
};

// Relief: at steady state the slope of a river is kRelief * uplift / sqrt(area).
constexpr float kRelief = 420.0f;

class Eroder
{
public:
    Eroder(const Ground& ground, int threads) : ground_(ground), threads_(threads) {}

    void run(Grid& grid, const Step& step)
    {
        prepare(grid);
        routing_.route(grid.heights, grid.inflow, grid.side, grid.side);
        incise(grid, step);
        creep(grid, step);
    }

private:
    void prepare(const Grid& grid)
    {
        if (side_ == grid.side) return;
        side_ = grid.side;
        uplift_.resize(grid.heights.size());
        hardness_.resize(grid.heights.size());
        parallelRows(grid.side, threads_, [&](int begin, int end) {
            for (int y = begin; y < end; ++y)
                for (int x = 0; x < grid.side; ++x)
                {
                    const std::size_t i = std::size_t(y) * std::size_t(grid.side) + std::size_t(x);
                    const float u = (float(x - kMargin) + 0.5f) * grid.cell / 1000.0f;
                    const float v = (float(y - kMargin) + 0.5f) * grid.cell / 1000.0f;
                    uplift_[i] = ground_.uplift(u, v);
                    hardness_[i] = ground_.hardness(u, v);
                }
        });
    }

    void incise(Grid& grid, const Step& step)
    {
        const float k = step.uplift / kRelief;
        for (const std::uint32_t c : routing_.order())
        {
            const std::uint32_t r = routing_.receiver(c);
            const int x = int(c) % grid.side, y = int(c) / grid.side;
            if (r == c || x == 0 || y == 0 || x == grid.side - 1 || y == grid.side - 1) continue;
            const int dx = int(r) % grid.side - x;
            const int dy = int(r) / grid.side - y;
            const float distance = grid.cell * (dx != 0 && dy != 0 ? 1.41421356f : 1.0f);
            const float f = k * std::sqrt(routing_.area(c)) / (distance * hardness_[c]);
            const float raised = routing_.water(c) + step.uplift * uplift_[c];
            float h = (raised + f * grid.heights[r]) / (1.0f + f);
            h = std::min(h, grid.heights[r] + step.talus * hardness_[c] * distance);
            grid.heights[c] = h;
        }
    }

    void creep(Grid& grid, const Step& step)
    {
        next_ = grid.heights;
        const auto smooth = [&](int begin, int end) {
            for (int y = std::max(begin, 1); y < std::min(end, grid.side - 1); ++y)
                for (int x = 1; x < grid.side - 1; ++x)
                {
                    const float sides = grid.at(x - 1, y) + grid.at(x + 1, y) + grid.at(x, y - 1) + grid.at(x, y + 1);
                    const float corners =
                        grid.at(x - 1, y - 1) + grid.at(x + 1, y - 1) + grid.at(x - 1, y + 1) + grid.at(x + 1, y + 1);
                    const float mean = (4.0f * sides + corners) * 0.05f;
                    next_[std::size_t(y) * std::size_t(grid.side) + std::size_t(x)] =
                        grid.at(x, y) + step.smooth * (mean - grid.at(x, y));
                }
        };
        parallelRows(grid.side, threads_, smooth);
        grid.heights.swap(next_);
    }

    const Ground& ground_;
    int threads_;
    int side_ = 0;
    FlowRouting routing_;
    std::vector<float> uplift_, hardness_, next_;
};

Grid coarsest(const Ground& ground)
{
    Grid grid;
    grid.side = kCoarsestSide + 2 * kMargin;
    grid.cell = float(kLandscapeSide / kCoarsestSide);
    grid.heights.resize(std::size_t(grid.side) * std::size_t(grid.side));
    grid.inflow.assign(grid.heights.size(), grid.cell * grid.cell);
    for (int y = 1; y < grid.side - 1; ++y)
        for (int x = 1; x < grid.side - 1; ++x)
            grid.at(x, y) = 20.0f * unitOf(hashOf(std::uint32_t(x), std::uint32_t(y), ground.seed));
    return grid;
}

// Halves the cells: the subdivision of biquadratic B-splines, which leaves no crease.
Grid refined(const Grid& coarse, const Ground& ground, int threads)
{
    Grid fine;
    const int inner = 2 * (coarse.side - 2 * kMargin);
    fine.side = inner + 2 * kMargin;
    fine.cell = coarse.cell / 2;
    fine.heights.resize(std::size_t(fine.side) * std::size_t(fine.side));
    fine.inflow.assign(fine.heights.size(), fine.cell * fine.cell);
    parallelRows(fine.side, threads, [&](int begin, int end) {
        for (int y = begin; y < end; ++y)
            for (int x = 0; x < fine.side; ++x)
            {
                // kMargin cells of the fine grid are half as many of the coarse one.
                const int cx = x + kMargin, cy = y + kMargin;
                const int x0 = cx / 2, y0 = cy / 2;
                const int x1 = cx % 2 == 0 ? x0 - 1 : x0 + 1, y1 = cy % 2 == 0 ? y0 - 1 : y0 + 1;
                const float near = 0.75f * coarse.at(x0, y0) + 0.25f * coarse.at(x1, y0);
                const float far = 0.75f * coarse.at(x0, y1) + 0.25f * coarse.at(x1, y1);
                const float u = (float(x - kMargin) + 0.5f) * fine.cell, v = (float(y - kMargin) + 0.5f) * fine.cell;
                const float rough = gradientNoise(u / (3.0f * fine.cell), v / (3.0f * fine.cell), ground.seed + 600);
                fine.at(x, y) = 0.75f * near + 0.25f * far + 0.06f * fine.cell * rough;
            }
    });
    return fine;
}

// To the heights that synthetic.h promises.
void normalise(Grid& grid)
{
    const auto [lowest, highest] = std::minmax_element(grid.heights.begin(), grid.heights.end());
    const float low = *lowest, scale = 3000.0f / std::max(*highest - low, 1.0f);
    for (float& height : grid.heights)
        height = 200.0f + (height - low) * scale;
}

}  // namespace

std::vector<float> makeLandscape(int side, std::uint32_t seed, int threads, const std::function<bool(double)>& progress)
{
    const Ground ground{seed * 7919u};
    Grid grid = coarsest(ground);
    Eroder eroder(ground, threads);
    for (int i = 0; i < 150; ++i)
    {
        if (progress && !progress(0.2 * i / 150)) return {};
        eroder.run(grid, {25.0f, 0.6f, 0.02f});
    }
    int iterations = 24;
    while (grid.side - 2 * kMargin < side)
    {
        grid = refined(grid, ground, threads);
        for (int i = 0; i < iterations; ++i)
        {
            if (progress && !progress(std::min(1.0, double(grid.side) / side))) return {};
            eroder.run(grid, {10.0f, 0.7f, 0.04f});
        }
        iterations = std::max(3, iterations / 2);
    }
    normalise(grid);
    std::vector<float> heights(std::size_t(side) * std::size_t(side));
    const int block = (grid.side - 2 * kMargin) / side;
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x)
        {
            float sum = 0;
            for (int v = 0; v < block; ++v)
                for (int u = 0; u < block; ++u)
                    sum += grid.at(kMargin + x * block + u, kMargin + y * block + v);
            heights[std::size_t(y) * std::size_t(side) + std::size_t(x)] = sum / float(block * block);
        }
    return heights;
}

}  // namespace orogen
