#include "core/terrain/bounds/terrain_bounds.h"

#include <algorithm>
#include <cassert>
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
    return result;
}

// Computes cells of the finest level in rows begin ... end - 1.
void finestExtremes(const HeightField& field, PyramidLevel& level, int x0, int x1, int begin, int end)
{
    for (int y = begin; y < end; ++y)
        for (int x = x0; x < x1; ++x)
        {
            const std::size_t i = std::size_t(y) * std::size_t(level.width) + std::size_t(x);
            const auto [least, most] =
                std::minmax({field.at(x, y), field.at(x + 1, y), field.at(x, y + 1), field.at(x + 1, y + 1)});
            level.minimum[i] = least;
            level.maximum[i] = most;
        }
}

void extremes(const PyramidLevel& fine, PyramidLevel& coarse, int x0, int x1, int begin, int end)
{
    for (int j = begin; j < end; ++j)
        for (int i = x0; i < x1; ++i)
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
}

}  // namespace

HeightPyramid buildPyramid(const HeightField& field)
{
    ThreadPool pool(threadsForRows(field.height));
    HeightPyramid pyramid;
    for (int l = 0; l == 0 || pyramid.levels.back().width > 1 || pyramid.levels.back().height > 1; ++l)
    {
        PyramidLevel level = emptyLevel(field, l);
        forRows(pool, level.height, [&](int begin, int end) {
            if (l == 0)
                finestExtremes(field, level, 0, level.width, begin, end);
            else
                extremes(pyramid.levels.back(), level, 0, level.width, begin, end);
        });
        pyramid.levels.push_back(std::move(level));
    }
    return pyramid;
}

std::vector<IndexBox> updatePyramid(HeightPyramid& pyramid, const HeightField& field, const IndexBox& box)
{
    std::vector<IndexBox> boxes(pyramid.levels.size());
    if (box.empty()) return boxes;
    for (std::size_t l = 0; l < pyramid.levels.size(); ++l)
    {
        PyramidLevel& level = pyramid.levels[l];
        const int shift = int(l);
        // A sample belongs to the cells on both of its sides.
        const IndexBox b = clipped(
            {(box.x0 - 1) >> shift, (box.y0 - 1) >> shift, ((box.x1 - 1) >> shift) + 1, ((box.y1 - 1) >> shift) + 1},
            level.width, level.height);
        if (l == 0)
            finestExtremes(field, level, b.x0, b.x1, b.y0, b.y1);
        else
            extremes(pyramid.levels[l - 1], level, b.x0, b.x1, b.y0, b.y1);
        boxes[l] = b;
    }
    return boxes;
}

Result<TerrainBounds> buildBounds(const HeightField& field, const BoundsProgress& progress, ErrorRange range)
{
    Result<DiamondErrors> errors = buildDiamondErrors(field, progress, range);
    if (!errors) return errors.error();
    return TerrainBounds{buildPyramid(field), std::move(*errors), std::make_shared<const MadeRelief>(field)};
}

ChangingBounds::ChangingBounds(TerrainBounds bounds, const HeightField& field)
    : heights_(std::move(bounds.heights)), errors_(std::make_shared<DiamondErrors>(std::move(bounds.errors))),
      relief_(std::move(bounds.relief)), before_(*errors_), codes_(field.codes)
{
}

BoundsChange ChangingBounds::update(const HeightField& field, const IndexBox& box)
{
    assert(field.codes.size() == codes_.size());
    BoundsChange change{clipped(box, field.width, field.height), {}, {}};
    for (int y = change.samples.y0; y < change.samples.y1; ++y)
        for (int x = change.samples.x0; x < change.samples.x1; ++x)
        {
            const int by =
                int(field.code(x, y)) - int(codes_[std::size_t(y) * std::size_t(field.width) + std::size_t(x)]);
            low_ = std::min(low_, by);
            high_ = std::max(high_, by);
        }
    change.heights = updatePyramid(heights_, field, change.samples);
    change.errors = updateDiamondErrors(*errors_, before_, field, change.samples, field.scale * float(high_ - low_));
    return change;
}

}  // namespace orogen
