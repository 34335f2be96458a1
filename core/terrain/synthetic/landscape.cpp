#include "core/terrain/synthetic/landscape.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "core/base/thread_pool.h"
#include "core/terrain/synthetic/landscape_erosion.h"

namespace orogen {
namespace {

constexpr int kMargin = LandscapeLevel::kMargin;
constexpr int kCoarsestSide = 128;  // cells across the landscape at the level of the large rivers
constexpr int kCoarsestSteps = 90;
constexpr ErosionStep kCoarsestStep{.uplift = 40.0f, .talus = 0.6f, .creep = 0.02f, .repeats = 1};
constexpr ErosionStep kFinerStep{.uplift = 20.0f, .talus = 0.6f, .creep = 0.2f, .repeats = 2};
constexpr float kRoughness = 0.3f;  // roughness of a refinement, relative to the cell size

constexpr float kLowest = 200.0f, kExaggeration = 1.15f;  // conversion of the model's heights to metres

// Fewer steps on the finer levels, whose changes are small and local.
int stepsOf(int level) { return level == 0 ? kCoarsestSteps : std::max(16 >> (level - 1), 2); }

// Returns the number of refinements; 0 for at most kCoarsestSide cells.
int levelOf(int side)
{
    int level = 0;
    while ((kCoarsestSide << level) < side)
        ++level;
    return level;
}

// Returns the cells a side of a level, including margins. A landscape of odd size is cut from the next larger one.
int sideOf(int side, int level, int finest)
{
    return ((side + (1 << (finest - level)) - 1) >> (finest - level)) + 2 * kMargin;
}

LandscapeLevel emptyLevel(int number, int side, float cell, std::uint32_t seed)
{
    LandscapeLevel level;
    level.number = number;
    level.side = side;
    level.cell = cell;
    level.seed = seed;
    level.heights.resize(std::size_t(side) * std::size_t(side));
    level.areas.assign(level.heights.size(), 0.0f);
    return level;
}

// Returns nearly flat, slightly rough ground with the sea at its border.
LandscapeLevel coarsestLevel(int side, float cell, std::uint32_t seed)
{
    LandscapeLevel level = emptyLevel(0, side, cell, seed);
    for (int y = 1; y < side - 1; ++y)
        for (int x = 1; x < side - 1; ++x)
            level.heights[level.index(x, y)] = 20.0f * unitOf(hashOf(std::uint32_t(x), std::uint32_t(y), seed));
    return level;
}

// Moving least squares of degree 1: the height of the plane that best fits the nearest nodes.
class LocalPlane
{
public:
    void add(float dx, float dy, float height)
    {
        const float near = std::max(0.0f, 1.0f - (dx * dx + dy * dy) / 2.9f);
        const float weight = near * near * near + 1e-6f;
        sum_ += weight, x_ += weight * dx, y_ += weight * dy;
        xx_ += weight * dx * dx, xy_ += weight * dx * dy, yy_ += weight * dy * dy;
        h_ += weight * height, hx_ += weight * dx * height, hy_ += weight * dy * height;
    }
    // Cramer's rule, with a little ridge regression for stability.
    float height() const
    {
        const float xx = xx_ + 0.02f * sum_, yy = yy_ + 0.02f * sum_;
        const float c0 = xx * yy - xy_ * xy_, c1 = xy_ * y_ - x_ * yy, c2 = x_ * xy_ - xx * y_;
        return (h_ * c0 + hx_ * c1 + hy_ * c2) / (sum_ * c0 + x_ * c1 + y_ * c2);
    }

private:
    float sum_ = 0, x_ = 0, y_ = 0, xx_ = 0, xy_ = 0, yy_ = 0, h_ = 0, hx_ = 0, hy_ = 0;
};

// Returns the height at (x, y), in cells from the level's corner.
float heightOf(const LandscapeLevel& level, float x, float y)
{
    const int column = int(x), row = int(y);
    LocalPlane plane;
    for (int v = std::max(row - 1, 0); v <= std::min(row + 1, level.side - 1); ++v)
        for (int u = std::max(column - 1, 0); u <= std::min(column + 1, level.side - 1); ++u)
        {
            const NodeOffset offset = level.offset(u, v);
            plane.add(float(u) + 0.5f + float(offset.x) / 256.0f - x, float(v) + 0.5f + float(offset.y) / 256.0f - y,
                      level.heights[level.index(u, v)]);
        }
    return plane.height();
}

// Halves the cells. Steep ground gets rougher than the plains.
LandscapeLevel refined(const LandscapeLevel& coarse, const LandscapeGround& ground, int side, ThreadPool& pool)
{
    LandscapeLevel fine = emptyLevel(coarse.number + 1, side, coarse.cell / 2, coarse.seed);
    forRows(pool, side, [&](int begin, int end) {
        for (int y = begin; y < end; ++y)
            for (int x = 0; x < side; ++x)
            {
                const NodeOffset offset = fine.offset(x, y);
                const float u = float(x - kMargin) + 0.5f + float(offset.x) / 256.0f;
                const float v = float(y - kMargin) + 0.5f + float(offset.y) / 256.0f;
                const float fromX = u / 2 + kMargin, fromY = v / 2 + kMargin;
                const float random = unitOf(hashOf(std::uint32_t(x), std::uint32_t(y), fine.seed + 600)) - 0.5f;
                const float uplift = ground.at(u * fine.cell / 1000.0f, v * fine.cell / 1000.0f).uplift;
                const std::size_t i = fine.index(x, y);
                fine.heights[i] = heightOf(coarse, fromX, fromY) + kRoughness * fine.cell * uplift * random;
                fine.areas[i] = coarse.areas[coarse.index(int(fromX), int(fromY))];
            }
    });
    return fine;
}

// Returns the landscape without its margin; each sample is the mean of block x block samples of the level.
std::vector<float> finished(const LandscapeLevel& level, int side, int block, ThreadPool& pool)
{
    std::vector<float> heights(std::size_t(side) * std::size_t(side));
    const auto mean = [&](int x, int y) {
        float sum = 0;
        for (int v = 0; v < block; ++v)
            for (int u = 0; u < block; ++u)
                sum += heightOf(level, float(kMargin + x * block + u) + 0.5f, float(kMargin + y * block + v) + 0.5f);
        return sum / float(block * block);
    };
    forRows(pool, side, [&](int begin, int end) {
        for (int y = begin; y < end; ++y)
            for (int x = 0; x < side; ++x)
                heights[std::size_t(y) * std::size_t(side) + std::size_t(x)] = kLowest + kExaggeration * mean(x, y);
    });
    return heights;
}

// Progress meter: the fraction of the work, in cells visited.
class Meter
{
public:
    Meter(int side, int finest, const std::function<bool(double)>& progress) : progress_(progress)
    {
        for (int level = 0; level <= finest; ++level)
            total_ += stepsOf(level) * squareOf(sideOf(side, level, finest));
    }
    void begin(const LandscapeLevel& level) { done_ = next_, next_ += squareOf(level.side); }
    bool tell(double ofStep) const { return !progress_ || progress_((done_ + ofStep * (next_ - done_)) / total_); }

private:
    static double squareOf(int side) { return double(side) * side; }

    const std::function<bool(double)>& progress_;
    double total_ = 0, done_ = 0, next_ = 0;
};

}  // namespace

std::vector<float> makeLandscape(int side, std::uint32_t seed, int threads, const std::function<bool(double)>& progress)
{
    assert(side >= 1);
    // Small landscapes are averaged from the smallest one that resolves rivers.
    int block = 1;
    while (side * block < kCoarsestSide)
        block *= 2;
    const int finest = levelOf(side * block);
    ThreadPool pool(threads);
    const LandscapeGround ground(seed, pool);
    Meter meter(side * block, finest, progress);
    const float finestCell = float(kLandscapeSide / (side * block));
    LandscapeLevel level = coarsestLevel(sideOf(side * block, 0, finest), finestCell * float(1 << finest), seed);
    for (int number = 0; number <= finest; ++number)
    {
        if (number > 0) level = refined(level, ground, sideOf(side * block, number, finest), pool);
        for (int i = 0; i < stepsOf(number); ++i)
        {
            meter.begin(level);
            if (!erode(level, ground, number == 0 ? kCoarsestStep : kFinerStep, pool, [&] { return meter.tell(0.5); }))
                return {};
        }
    }
    return finished(level, side, block, pool);
}

}  // namespace orogen
