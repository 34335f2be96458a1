#include "core/terrain/bounds/terrain_bounds.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/terrain/raster/height_field.h"

namespace orogen {
namespace {

using Cell = PyramidLevel::Cell;

int cellsOf(int intervals, int level)
{
    return int((std::int64_t(intervals) + (std::int64_t(2) << level) - 1) >> (level + 1));
}

PyramidLevel emptyLevel(const HeightField& field, int level)
{
    PyramidLevel result;
    result.width = cellsOf(field.width - 1, level);
    result.height = cellsOf(field.height - 1, level);
    result.cells.resize(std::size_t(result.width) * std::size_t(result.height));
    return result;
}

// Computes cells of the finest level in columns x0 ... x1 - 1 and rows begin ... end - 1.
void finestExtremes(const HeightField& field, PyramidLevel& level, int x0, int x1, int begin, int end)
{
    // Extremes of each column of samples over the three rows of a cell. The compiler vectorises their loop, but not the
    // comparison along a row.
    const int first = 2 * x0, last = std::min(2 * x1, field.width - 1);
    const std::size_t columns = std::size_t(last - first + 1);
    std::vector<std::uint16_t> low(std::size_t(2 * (x1 - x0) + 1)), high(low.size());
    for (int y = begin; y < end; ++y)
    {
        const auto row = [&](int r) {
            return field.codes.data() + std::size_t(std::min(r, field.height - 1)) * std::size_t(field.width) +
                   std::size_t(first);
        };
        const std::uint16_t *a = row(2 * y), *b = row(2 * y + 1), *c = row(2 * y + 2);
        for (std::size_t x = 0; x < columns; ++x)
        {
            low[x] = std::min(std::min(a[x], b[x]), c[x]);
            high[x] = std::max(std::max(a[x], b[x]), c[x]);
        }
        std::fill(low.begin() + std::ptrdiff_t(columns), low.end(), low[columns - 1]);
        std::fill(high.begin() + std::ptrdiff_t(columns), high.end(), high[columns - 1]);
        Cell* to = &level.cells[std::size_t(y) * std::size_t(level.width) + std::size_t(x0)];
        for (std::size_t x = 0; x + 2 < low.size(); x += 2)
            *to++ = {std::min(std::min(low[x], low[x + 1]), low[x + 2]),
                     std::max(std::max(high[x], high[x + 1]), high[x + 2])};
    }
}

void extremes(const PyramidLevel& fine, PyramidLevel& coarse, int x0, int x1, int begin, int end)
{
    for (int j = begin; j < end; ++j)
    {
        const Cell* upper = &fine.cells[std::size_t(2 * j) * std::size_t(fine.width)];
        const Cell* lower = 2 * j + 1 < fine.height ? upper + fine.width : upper;
        for (int i = x0; i < x1; ++i)
        {
            const int u = 2 * i, v = std::min(u + 1, fine.width - 1);
            coarse.cells[std::size_t(j) * std::size_t(coarse.width) + std::size_t(i)] = {
                std::min({upper[u].lowest, upper[v].lowest, lower[u].lowest, lower[v].lowest}),
                std::max({upper[u].highest, upper[v].highest, lower[u].highest, lower[v].highest})};
        }
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
        const int shift = int(l) + 1;
        // A sample on a border belongs to the cells on both sides.
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

TerrainBounds boundsWithoutErrors(const HeightField& field)
{
    return {buildPyramid(field), {}, std::make_shared<const MadeRelief>(field)};
}

Result<TerrainBounds> buildBounds(const HeightField& field, const BoundsProgress& progress, ErrorRange range)
{
    Result<DiamondErrors> errors = buildDiamondErrors(field, progress, range);
    if (!errors) return errors.error();
    TerrainBounds bounds = boundsWithoutErrors(field);
    bounds.errors = std::move(*errors);
    return bounds;
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
