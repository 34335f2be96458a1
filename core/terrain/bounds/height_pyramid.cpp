#include "core/terrain/bounds/height_pyramid.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/terrain/raster/height_field.h"

namespace orogen {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

float below(double value) { return std::nextafter(float(value), -kInfinity); }
float above(double value) { return std::nextafter(float(value), kInfinity); }

// Codes of a block lie between slopeX x + slopeY y + low and the same + high, x and y in grid intervals from the
// block's own lower corner.
struct Block
{
    float slopeX = 0, slopeY = 0;
    float low = kInfinity, high = -kInfinity;
};

// The blocks of one level: cell (i, j) of PyramidLevel, as wide as 2^level intervals where the raster goes that far.
struct Blocks
{
    int level = 0, width = 0, height = 0;
    std::vector<Block> blocks;

    Block& at(int i, int j) { return blocks[std::size_t(j) * std::size_t(width) + std::size_t(i)]; }
    const Block& at(int i, int j) const { return blocks[std::size_t(j) * std::size_t(width) + std::size_t(i)]; }
};

int cellsOf(int intervals, int level)
{
    return int((std::int64_t(intervals) + (std::int64_t(1) << level) - 1) >> level);
}

PyramidLevel emptyLevel(const HeightField& field, int level)
{
    PyramidLevel result;
    result.width = cellsOf(field.width - 1, level);
    result.height = cellsOf(field.height - 1, level);
    const std::size_t cells = std::size_t(result.width) * std::size_t(result.height);
    result.minimum.resize(cells);
    result.maximum.resize(cells);
    result.error.resize(cells);
    return result;
}

// Least squares over an nx x ny lattice: the slopes per step.
class PlaneFit
{
public:
    PlaneFit(int nx, int ny) : nx_(nx), ny_(ny) {}

    void add(int u, int v, double value)
    {
        sumX_ += (u - 0.5 * (nx_ - 1)) * value;
        sumY_ += (v - 0.5 * (ny_ - 1)) * value;
    }
    double slopeX() const { return nx_ > 1 ? sumX_ / (ny_ * squares(nx_)) : 0.0; }
    double slopeY() const { return ny_ > 1 ? sumY_ / (nx_ * squares(ny_)) : 0.0; }

private:
    static double squares(double n) { return n * (n * n - 1) / 12; }  // sum of (u - mean)^2

    int nx_, ny_;
    double sumX_ = 0, sumY_ = 0;
};

// Levels below this look at the samples themselves, the others at blocks this many levels finer: the more levels, the
// less slack adds up on the way to the top, at a cost of 4^kStride blocks a block.
constexpr int kStride = 3;

class Builder
{
public:
    explicit Builder(const HeightField& field) : field_(field), pool_(threadsForRows(field.height)) {}

    HeightPyramid build()
    {
        HeightPyramid pyramid;
        for (int l = 0; l == 0 || pyramid.levels.back().width > 1 || pyramid.levels.back().height > 1; ++l)
        {
            PyramidLevel level = emptyLevel(field_, l);
            if (l == 0)
                finestExtremes(level);
            else
                extremes(pyramid.levels.back(), level);
            errors(level, l);
            pyramid.levels.push_back(std::move(level));
            addBlocks(l);
        }
        return pyramid;
    }

private:
    void finestExtremes(PyramidLevel& level)
    {
        forRows(pool_, level.height, [&](int begin, int end) {
            for (int y = begin; y < end; ++y)
                for (int x = 0; x < level.width; ++x)
                {
                    const std::size_t i = std::size_t(y) * std::size_t(level.width) + std::size_t(x);
                    const auto [least, most] = std::minmax(
                        {field_.at(x, y), field_.at(x + 1, y), field_.at(x, y + 1), field_.at(x + 1, y + 1)});
                    level.minimum[i] = least;
                    level.maximum[i] = most;
                }
        });
    }

    void extremes(const PyramidLevel& fine, PyramidLevel& coarse)
    {
        forRows(pool_, coarse.height, [&](int begin, int end) {
            for (int j = begin; j < end; ++j)
                for (int i = 0; i < coarse.width; ++i)
                {
                    float least = kInfinity, most = -kInfinity;
                    for (int v = 2 * j; v < std::min(2 * j + 2, fine.height); ++v)
                        for (int u = 2 * i; u < std::min(2 * i + 2, fine.width); ++u)
                        {
                            const std::size_t k = std::size_t(v) * std::size_t(fine.width) + std::size_t(u);
                            least = std::min(least, fine.minimum[k]);
                            most = std::max(most, fine.maximum[k]);
                        }
                    const std::size_t k = std::size_t(j) * std::size_t(coarse.width) + std::size_t(i);
                    coarse.minimum[k] = least;
                    coarse.maximum[k] = most;
                }
        });
    }

    // The triangles of cell (i, j) lie within the two blocks from i and from j.
    void errors(PyramidLevel& level, int l)
    {
        forRows(pool_, level.height, [&](int begin, int end) {
            for (int j = begin; j < end; ++j)
                for (int i = 0; i < level.width; ++i)
                {
                    const Block window = blockAt(i, j, l, 2);
                    level.error[std::size_t(j) * std::size_t(level.width) + std::size_t(i)] =
                        above((double(window.high) - double(window.low)) * double(field_.scale));
                }
        });
    }

    void addBlocks(int l)
    {
        Blocks result{l, cellsOf(field_.width - 1, l), cellsOf(field_.height - 1, l), {}};
        // Level 0 is never looked at, and would be the largest.
        if (l > 0) result.blocks.resize(std::size_t(result.width) * std::size_t(result.height));
        forRows(pool_, l > 0 ? result.height : 0, [&](int begin, int end) {
            for (int j = begin; j < end; ++j)
                for (int i = 0; i < result.width; ++i)
                    result.at(i, j) = blockAt(i, j, l, 1);
        });
        recent_.push_back(std::move(result));
        if (recent_.size() > kStride) recent_.erase(recent_.begin());
    }

    // Encloses `count` x `count` cells of level l from cell (i, j).
    Block blockAt(int i, int j, int l, int count) const
    {
        if (l <= kStride) return fromSamples(i << l, j << l, count << l);
        return fromBlocks(recent_.front(), i << kStride, j << kStride, count << kStride);
    }

    // Exact for the fitted plane, because a bilinear patch leaves a plane furthest at its corners.
    Block fromSamples(int x, int y, int intervals) const
    {
        const int nx = std::min(intervals, field_.width - 1 - x) + 1,
                  ny = std::min(intervals, field_.height - 1 - y) + 1;
        PlaneFit fit(nx, ny);
        for (int v = 0; v < ny; ++v)
            for (int u = 0; u < nx; ++u)
                fit.add(u, v, field_.code(x + u, y + v));
        Block block{float(fit.slopeX()), float(fit.slopeY())};
        double low = kInfinity, high = -kInfinity;
        for (int v = 0; v < ny; ++v)
            for (int u = 0; u < nx; ++u)
            {
                const double residual = field_.code(x + u, y + v) - double(block.slopeX) * u - double(block.slopeY) * v;
                low = std::min(low, residual);
                high = std::max(high, residual);
            }
        block.low = below(low);
        block.high = above(high);
        return block;
    }

    Block fromBlocks(const Blocks& from, int i, int j, int count) const
    {
        const int ni = std::min(count, from.width - i), nj = std::min(count, from.height - j);
        const double side = double(std::int64_t(1) << from.level);
        PlaneFit fit(ni, nj);
        for (int v = 0; v < nj; ++v)
            for (int u = 0; u < ni; ++u)
            {
                const Block& block = from.at(i + u, j + v);
                fit.add(
                    u, v,
                    (double(block.low) + double(block.high) + (double(block.slopeX) + double(block.slopeY)) * side) /
                        2);
            }
        const Block fitted = enclose(from, i, j, ni, nj, float(fit.slopeX() / side), float(fit.slopeY() / side));
        const Block level = enclose(from, i, j, ni, nj, 0.0f, 0.0f);
        return fitted.high - fitted.low < level.high - level.low ? fitted : level;
    }

    // How far the blocks leave the plane with these slopes: each block's own plane leaves it furthest at a corner.
    Block enclose(const Blocks& from, int i, int j, int ni, int nj, float slopeX, float slopeY) const
    {
        double low = kInfinity, high = -kInfinity;
        const std::int64_t side = std::int64_t(1) << from.level;
        for (int v = 0; v < nj; ++v)
            for (int u = 0; u < ni; ++u)
            {
                const Block& block = from.at(i + u, j + v);
                const double x = double(std::min(side, field_.width - 1 - (i + u) * side));
                const double y = double(std::min(side, field_.height - 1 - (j + v) * side));
                const double dx = (double(block.slopeX) - double(slopeX)) * x;
                const double dy = (double(block.slopeY) - double(slopeY)) * y;
                const double start = -double(slopeX) * double(u * side) - double(slopeY) * double(v * side);
                low = std::min(low, double(block.low) + start + std::min(0.0, dx) + std::min(0.0, dy));
                high = std::max(high, double(block.high) + start + std::max(0.0, dx) + std::max(0.0, dy));
            }
        return {slopeX, slopeY, below(low), above(high)};
    }

    const HeightField& field_;
    ThreadPool pool_;
    std::vector<Blocks> recent_;  // of the last kStride levels, the finest first
};

std::vector<float> largestOfFour(const std::vector<float>& values, const PyramidLevel& fine, const PyramidLevel& coarse)
{
    std::vector<float> result(coarse.error.size(), 0.0f);
    for (int j = 0; j < fine.height; ++j)
        for (int i = 0; i < fine.width; ++i)
        {
            float& cell = result[std::size_t(j / 2) * std::size_t(coarse.width) + std::size_t(i / 2)];
            cell = std::max(cell, values[std::size_t(j) * std::size_t(fine.width) + std::size_t(i)]);
        }
    return result;
}

}  // namespace

HeightPyramid buildPyramid(const HeightField& field) { return Builder(field).build(); }

std::vector<std::vector<float>> errorForPatchLevel(const HeightPyramid& pyramid, int patchLevel)
{
    assert(patchLevel >= 0);
    const std::vector<PyramidLevel>& levels = pyramid.levels;
    std::vector<std::vector<float>> result(levels.size());
    for (std::size_t l = 0; l < levels.size(); ++l)
    {
        // Below patchLevel all of them start from level 0, so that each continues the one before.
        const bool continues = l > 0 && l <= std::size_t(patchLevel);
        const std::size_t from = continues ? l - 1 : l - std::min(l, std::size_t(patchLevel));
        std::vector<float> most = continues ? result[l - 1] : levels[from].error;
        for (std::size_t k = from; k < l; ++k)
            most = largestOfFour(most, levels[k], levels[k + 1]);
        result[l] = std::move(most);
    }
    return result;
}

}  // namespace orogen
