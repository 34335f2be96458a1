#include "core/terrain/bounds/terrain_bounds.h"

#include <algorithm>
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

void finestExtremes(ThreadPool& pool, const HeightField& field, PyramidLevel& level)
{
    forRows(pool, level.height, [&](int begin, int end) {
        for (int y = begin; y < end; ++y)
            for (int x = 0; x < level.width; ++x)
            {
                const std::size_t i = std::size_t(y) * std::size_t(level.width) + std::size_t(x);
                const auto [least, most] =
                    std::minmax({field.at(x, y), field.at(x + 1, y), field.at(x, y + 1), field.at(x + 1, y + 1)});
                level.minimum[i] = least;
                level.maximum[i] = most;
            }
    });
}

void extremes(ThreadPool& pool, const PyramidLevel& fine, PyramidLevel& coarse)
{
    forRows(pool, coarse.height, [&](int begin, int end) {
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

}  // namespace

HeightPyramid buildPyramid(const HeightField& field)
{
    ThreadPool pool(threadsForRows(field.height));
    HeightPyramid pyramid;
    for (int l = 0; l == 0 || pyramid.levels.back().width > 1 || pyramid.levels.back().height > 1; ++l)
    {
        PyramidLevel level = emptyLevel(field, l);
        if (l == 0)
            finestExtremes(pool, field, level);
        else
            extremes(pool, pyramid.levels.back(), level);
        pyramid.levels.push_back(std::move(level));
    }
    return pyramid;
}

Result<TerrainBounds> buildBounds(const HeightField& field, const BoundsProgress& progress)
{
    Result<DiamondErrors> errors = buildDiamondErrors(field, progress);
    if (!errors) return errors.error();
    return TerrainBounds{buildPyramid(field), std::move(*errors), std::make_shared<const MadeRelief>(field)};
}

}  // namespace orogen
