#include "core/terrain/sources/raster_tiles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/terrain/io/source_files.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile.h"

namespace orogen {
namespace {

// Samples of a level with voids filled; the last of a row or of a column may lie beyond the raster.
struct FilledLevel
{
    int width = 0, height = 0;
    std::vector<float> heights;

    float& at(int c, int r) { return heights[std::size_t(r) * std::size_t(width) + std::size_t(c)]; }
    float at(int c, int r) const { return heights[std::size_t(r) * std::size_t(width) + std::size_t(c)]; }
};

// Slopes of level l: means of the finest level's slopes over squares of 2^l x 2^l samples. Pairs of half floats: metres
// per metre towards east and north.
struct SlopeLevel
{
    int width = 0, height = 0;
    std::vector<std::uint16_t> pairs;

    float at(int c, int r, int part) const
    {
        const std::size_t column = std::size_t(std::clamp(c, 0, width - 1));
        const std::size_t row = std::size_t(std::clamp(r, 0, height - 1));
        return floatOfHalf(pairs[2 * (row * std::size_t(width) + column) + std::size_t(part)]);
    }
};

class RasterTiles final : public TileSource
{
public:
    explicit RasterTiles(Raster raster);

    const Raster& raster() const override { return description_; }
    Result<std::unique_ptr<TileReader>> openReader() const override;
    std::optional<TileBounds> bounds(const TileKey& key) const override { return at(key); }
    bool decimated() const override { return true; }
    Result<std::string> version() const override { return heightsVersion(heights_); }

    void read(const TileWindow& window, std::span<float> out) const;
    bool slopes(const TileWindow& window, std::span<float> out) const;

private:
    std::size_t columnOf(int column, int level) const
    {
        return std::size_t(std::clamp<std::int64_t>(std::int64_t(column) << level, 0, description_.width - 1));
    }
    const float* rowOf(int row, int level) const
    {
        const std::int64_t last = description_.height - 1;
        return heights_.data() + std::size_t(std::clamp<std::int64_t>(std::int64_t(row) << level, 0, last)) *
                                     std::size_t(description_.width);
    }
    const TileBounds& at(const TileKey& key) const
    {
        return bounds_[std::size_t(key.level)]
                      [std::size_t(key.y) * std::size_t(grid_.columns(key.level)) + std::size_t(key.x)];
    }
    TileBounds& at(const TileKey& key) { return const_cast<TileBounds&>(std::as_const(*this).at(key)); }

    std::vector<FilledLevel> filledLevels() const;
    FilledLevel samplesOf(int level) const;
    template <class Work>
    void forTiles(ThreadPool& pool, int level, const Work& work) const;
    void boundFinest(ThreadPool& pool, const float* heights);
    void boundCoarse(ThreadPool& pool, const std::vector<FilledLevel>& filled, int level);
    float deviationOf(const std::vector<FilledLevel>& filled, const TileKey& key) const;
    void slopeLevels(ThreadPool& pool, const float* heights);

    Raster description_;  // without the heights
    std::vector<float> heights_;
    TileGrid grid_;
    std::vector<std::vector<TileBounds>> bounds_;  // by level, then tile row by row
    std::vector<SlopeLevel> slopes_;               // from level 1 on
};

class RasterTileReader final : public TileReader
{
public:
    explicit RasterTileReader(const RasterTiles& tiles) : tiles_(tiles) {}
    Status read(const TileWindow& window, std::span<float> out) override
    {
        tiles_.read(window, out);
        return Status::ok();
    }
    bool slopes(const TileWindow& window, std::span<float> out) override { return tiles_.slopes(window, out); }
    std::uint64_t bytesRead() const override { return 0; }

private:
    const RasterTiles& tiles_;
};

RasterTiles::RasterTiles(Raster raster) : grid_(raster.width, raster.height)
{
    heights_ = std::exchange(raster.heights, {});
    description_ = std::move(raster);
    const std::vector<FilledLevel> filled = description_.voids > 0 ? filledLevels() : std::vector<FilledLevel>{};
    const float* heights = filled.empty() ? heights_.data() : filled[0].heights.data();
    for (int level = 0; level < grid_.levels(); ++level)
        bounds_.emplace_back(std::size_t(grid_.tiles(level)));
    ThreadPool pool(threadsForRows(description_.height));
    boundFinest(pool, heights);
    for (int level = 1; level < grid_.levels(); ++level)
        boundCoarse(pool, filled, level);
    slopeLevels(pool, heights);
}

Result<std::unique_ptr<TileReader>> RasterTiles::openReader() const
{
    return std::unique_ptr<TileReader>(std::make_unique<RasterTileReader>(*this));
}

void RasterTiles::read(const TileWindow& window, std::span<float> out) const
{
    std::size_t i = 0;
    for (int r = 0; r < window.height; ++r)
    {
        const float* row = rowOf(window.row + r, window.level);
        for (int c = 0; c < window.width; ++c)
            out[i++] = row[columnOf(window.column + c, window.level)];
    }
}

// ---- voids ----

FilledLevel RasterTiles::samplesOf(int level) const
{
    FilledLevel samples{TileGrid::samplesOf(grid_.width(), level), TileGrid::samplesOf(grid_.height(), level), {}};
    samples.heights.resize(std::size_t(samples.width) * std::size_t(samples.height));
    read({level, 0, 0, samples.width, samples.height}, samples.heights);
    return samples;
}

std::vector<FilledLevel> RasterTiles::filledLevels() const
{
    std::vector<FilledLevel> levels(std::size_t(grid_.levels()));
    const int coarsest = grid_.levels() - 1;
    FilledLevel& last = levels.back();
    last = samplesOf(coarsest);
    std::vector<float> tile(std::size_t(kTileSide) * kTileSide);
    read({coarsest, 0, 0, kTileSide, kTileSide}, tile);
    fillCoarsest(tile, description_.minHeight);
    for (int r = 0; r < last.height; ++r)
        for (int c = 0; c < last.width; ++c)
            last.at(c, r) = tile[std::size_t(r) * kTileSide + std::size_t(c)];
    for (int level = coarsest - 1; level >= 0; --level)
    {
        const FilledLevel& parent = levels[std::size_t(level) + 1];
        FilledLevel& filled = levels[std::size_t(level)] = samplesOf(level);
        for (int r = 0; r < filled.height; ++r)
            for (int c = 0; c < filled.width; ++c)
            {
                float& height = filled.at(c, r);
                const int c0 = c / 2, r0 = r / 2, c1 = c0 + c % 2, r1 = r0 + r % 2;
                if (std::isnan(height))
                    height =
                        0.25f * ((parent.at(c0, r0) + parent.at(c1, r0)) + (parent.at(c0, r1) + parent.at(c1, r1)));
            }
    }
    return levels;
}

// ---- bounds ----

template <class Work>
void RasterTiles::forTiles(ThreadPool& pool, int level, const Work& work) const
{
    const int columns = grid_.columns(level);
    pool.forEach(std::size_t(grid_.tiles(level)), [&](std::size_t i) {
        work(TileKey{level, int(i) % columns, int(i) / columns});
    });
}

void RasterTiles::boundFinest(ThreadPool& pool, const float* heights)
{
    forTiles(pool, 0, [&](const TileKey& key) {
        TileBounds& bounds = at(key);
        const int first = key.x * kTileCells, end = std::min(first + kTileSide, description_.width);
        const int firstRow = key.y * kTileCells, endRow = std::min(firstRow + kTileSide, description_.height);
        const float corner = heights[std::size_t(firstRow) * std::size_t(description_.width) + std::size_t(first)];
        bounds = {corner, corner, 0};
        for (int r = firstRow; r < endRow; ++r)
        {
            const float* row = heights + std::size_t(r) * std::size_t(description_.width);
            float lowest = bounds.lowest, highest = bounds.highest;
            for (int c = first; c < end; ++c)
                lowest = std::min(lowest, row[c]), highest = std::max(highest, row[c]);
            bounds.lowest = lowest, bounds.highest = highest;
        }
    });
}

void RasterTiles::boundCoarse(ThreadPool& pool, const std::vector<FilledLevel>& filled, int level)
{
    forTiles(pool, level, [&](const TileKey& key) {
        TileBounds& bounds = at(key);
        bounds = at({level - 1, 2 * key.x, 2 * key.y});
        for (int child = 1; child < 4; ++child)
        {
            const TileKey finer{level - 1, 2 * key.x + child % 2, 2 * key.y + child / 2};
            if (!grid_.has(finer)) continue;
            bounds.lowest = std::min(bounds.lowest, at(finer).lowest);
            bounds.highest = std::max(bounds.highest, at(finer).highest);
        }
        bounds.deviation = deviationOf(filled, key);
    });
}

// Returns the largest distance of a tile's surface from the finest one. Both surfaces are bilinear in the finest
// level's cells, so the samples of that level suffice.
float RasterTiles::deviationOf(const std::vector<FilledLevel>& filled, const TileKey& key) const
{
    const int step = 1 << key.level, width = description_.width;
    const int columns = std::min(kTileCells, TileGrid::samplesOf(width, key.level) - 1 - key.x * kTileCells);
    const int firstRow = key.y * kTileCells * step, first = key.x * kTileCells * step;
    const int endRow = std::min(firstRow + kTileCells * step + 1, description_.height);
    const auto coarse = [&](int row, int column) {
        return filled.empty() ? rowOf(row, key.level)[columnOf(column, key.level)]
                              : filled[std::size_t(key.level)].at(column, row);
    };
    std::array<float, kTileSide> line{};
    float most = 0;
    for (int r = firstRow; r < endRow; ++r)
    {
        const int above = std::min(r / step, TileGrid::samplesOf(description_.height, key.level) - 2);
        const float v = float(r - above * step) / float(step);
        for (int c = 0; c <= columns; ++c)
        {
            const int column = key.x * kTileCells + c;
            const float top = coarse(above, column), bottom = coarse(above + 1, column);
            line[std::size_t(c)] = top + (bottom - top) * v;
        }
        const float* row =
            (filled.empty() ? heights_.data() : filled[0].heights.data()) + std::size_t(r) * std::size_t(width);
        for (int c = 0; c < columns; ++c)
        {
            const float west = line[std::size_t(c)], rise = (line[std::size_t(c) + 1] - west) / float(step);
            const int begin = first + c * step, count = std::min(step, width - 1 - begin);
            for (int i = 0; i <= count; ++i)
                most = std::max(most, std::fabs(row[begin + i] - (west + rise * float(i))));
        }
    }
    return most;
}

// ---- slopes ----

void RasterTiles::slopeLevels(ThreadPool& pool, const float* heights)
{
    const int width = description_.width, height = description_.height;
    const auto finest = [&](int c, int r, int part) {
        const auto sample = [&](int column, int row) {
            return heights[std::size_t(row) * std::size_t(width) + std::size_t(column)];
        };
        const int west = std::max(c - 1, 0), east = std::min(c + 1, width - 1);
        const int north = std::max(r - 1, 0), south = std::min(r + 1, height - 1);
        return part == 0 ? (sample(east, r) - sample(west, r)) / float((east - west) * description_.pixelWidth)
                         : (sample(c, north) - sample(c, south)) / float((south - north) * description_.pixelHeight);
    };
    for (int level = 1; level < grid_.levels(); ++level)
    {
        SlopeLevel coarse{std::max(width >> level, 1), std::max(height >> level, 1), {}};
        coarse.pairs.resize(2 * std::size_t(coarse.width) * std::size_t(coarse.height));
        const SlopeLevel* finer = slopes_.empty() ? nullptr : &slopes_.back();
        forRows(pool, coarse.height, [&](int begin, int end) {
            for (std::size_t i = 2 * std::size_t(begin) * std::size_t(coarse.width);
                 i < 2 * std::size_t(end) * std::size_t(coarse.width); ++i)
            {
                const int part = int(i % 2), c = 2 * int(i / 2 % std::size_t(coarse.width));
                const int r = 2 * int(i / 2 / std::size_t(coarse.width));
                const int c1 = finer ? c + 1 : std::min(c + 1, width - 1),
                          r1 = finer ? r + 1 : std::min(r + 1, height - 1);
                const auto slope = [&](int column, int row) {
                    return finer ? finer->at(column, row, part) : finest(column, row, part);
                };
                coarse.pairs[i] = halfOf(0.25f * ((slope(c, r) + slope(c1, r)) + (slope(c, r1) + slope(c1, r1))));
            }
        });
        slopes_.push_back(std::move(coarse));
    }
}

// Interpolates the mean slopes at samples, which lie between the centres of the averaged squares.
bool RasterTiles::slopes(const TileWindow& window, std::span<float> out) const
{
    if (window.level == 0) return false;
    const SlopeLevel& means = slopes_[std::size_t(window.level) - 1];
    const float after = 0.5f + std::ldexp(0.5f, -window.level), before = 1 - after;
    std::size_t i = 0;
    for (int r = window.row; r < window.row + window.height; ++r)
        for (int c = window.column; c < window.column + window.width; ++c)
            for (int part = 0; part < 2; ++part)
                out[i++] = before * (before * means.at(c - 1, r - 1, part) + after * means.at(c, r - 1, part)) +
                           after * (before * means.at(c - 1, r, part) + after * means.at(c, r, part));
    return true;
}

}  // namespace

std::shared_ptr<const TileSource> rasterTiles(Raster raster)
{
    return std::make_shared<RasterTiles>(std::move(raster));
}

}  // namespace orogen
