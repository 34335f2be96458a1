#include "core/terrain/import/record_maker.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/terrain/io/geotiff_writer.h"
#include "core/terrain/tiles/tile.h"

namespace orogen {
namespace {

constexpr TileBounds kNone = {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(), 0};

void join(TileBounds& bounds, const TileBounds& other)
{
    bounds.lowest = std::min(bounds.lowest, other.lowest);
    bounds.highest = std::max(bounds.highest, other.highest);
}

float roundedUp(double value)
{
    const float rounded = float(value);
    return double(rounded) < value ? std::nextafter(rounded, std::numeric_limits<float>::infinity()) : rounded;
}

// Returns the largest distance of heights[i] from the line west + rise * i, for i in [0, count). Lanes aid
// vectorisation.
double distanceFrom(double west, double rise, const float* heights, int count)
{
    constexpr int kLanes = 8;
    std::array<double, kLanes> most{};
    int i = 0;
    for (; i + kLanes <= count; i += kLanes)
        for (int lane = 0; lane < kLanes; ++lane)
        {
            const double distance = std::fabs(double(heights[i + lane]) - (west + rise * double(i + lane)));
            most[std::size_t(lane)] = distance > most[std::size_t(lane)] ? distance : most[std::size_t(lane)];
        }
    for (; i < count; ++i)
        most[0] = std::max(most[0], std::fabs(double(heights[i]) - (west + rise * double(i))));
    return *std::max_element(most.begin(), most.end());
}

// Returns the largest distance between two sampled lines.
double distanceBetween(const double* surface, const float* heights, int count)
{
    constexpr int kLanes = 8;
    std::array<double, kLanes> most{};
    int i = 0;
    for (; i + kLanes <= count; i += kLanes)
        for (int lane = 0; lane < kLanes; ++lane)
        {
            const double distance = std::fabs(double(heights[i + lane]) - surface[i + lane]);
            most[std::size_t(lane)] = distance > most[std::size_t(lane)] ? distance : most[std::size_t(lane)];
        }
    for (; i < count; ++i)
        most[0] = std::max(most[0], std::fabs(double(heights[i]) - surface[i]));
    return *std::max_element(most.begin(), most.end());
}

// Coarsest level on which it is faster to interpolate the whole line first, because the level's steps are short.
constexpr int kShortSteps = 2;

}  // namespace

void UnitBounds::pack(std::vector<std::byte>& out) const
{
    for (const std::vector<TileBounds>& level : tiles)
        for (const TileBounds& tile : level)
            for (const float value : {tile.lowest, tile.highest, tile.deviation})
                appendBytes(out, value);
    for (const float deviation : deviations)
        appendBytes(out, deviation);
}

UnitBounds UnitBounds::unpack(std::span<const std::byte> bytes)
{
    std::array<float, kBytes / 4> values;
    std::memcpy(values.data(), bytes.data(), kBytes);
    UnitBounds bounds;
    std::size_t at = 0;
    for (int level = 0; level < kUnitLevels; ++level)
        for (int i = 0; i < side(level) * side(level); ++i, at += 3)
            bounds.tiles[std::size_t(level)].push_back({values[at], values[at + 1], values[at + 2]});
    std::copy_n(values.begin() + std::ptrdiff_t(at), kMostTileLevels, bounds.deviations.begin());
    return bounds;
}

Result<CoarsestLevel> coarsestLevel(const BlockStore& store)
{
    const TileGrid grid = store.job.grid();
    const int level = grid.levels() - 1;
    CoarsestLevel coarsest{TileGrid::samplesOf(grid.width(), level), TileGrid::samplesOf(grid.height(), level), {}};
    coarsest.heights.resize(std::size_t(coarsest.width) * std::size_t(coarsest.height));
    BlockReader reader(store);
    if (Status s = reader.read({level, 0, 0, coarsest.width, coarsest.height}, coarsest.heights); !s) return s.error();
    std::vector<float> tile(std::size_t(kTileSide) * kTileSide);
    const auto at = [&coarsest](int column, int row) -> float& {
        return coarsest.heights[std::size_t(std::min(row, coarsest.height - 1)) * std::size_t(coarsest.width) +
                                std::size_t(std::min(column, coarsest.width - 1))];
    };
    for (int i = 0; i < kTileSide * kTileSide; ++i)
        tile[std::size_t(i)] = at(i % kTileSide, i / kTileSide);
    for (float& height : tile)
        if (!std::isnan(height)) height = store.job.code.heightOf(double(height));
    if (std::ranges::any_of(tile, [](float height) { return std::isnan(height); }))
        fillCoarsest(tile, store.job.unknown);
    for (int row = 0; row < coarsest.height; ++row)
        for (int column = 0; column < coarsest.width; ++column)
            at(column, row) = tile[std::size_t(row) * kTileSide + std::size_t(column)];
    return coarsest;
}

UnitBounder::UnitBounder(const BlockStore& store, const CoarsestLevel& coarsest)
    : store_(store), coarsest_(coarsest), grid_(store.job.grid()), reader_(store)
{
}

Result<UnitBounds> UnitBounder::bound(int column, int row)
{
    left_ = column * kUnitSide, top_ = row * kUnitSide;
    right_ = std::min(left_ + kUnitSide, grid_.width() - 1);
    bottom_ = std::min(top_ + kUnitSide, grid_.height() - 1);
    for (int level = grid_.levels() - 1; level >= 0; --level)
    {
        if (Status s = load(level); !s) return s.error();
        fill(level);
    }
    UnitBounds bounds;
    for (int level = 0; level < kUnitLevels; ++level)
        bounds.tiles[std::size_t(level)].assign(std::size_t(UnitBounds::side(level) * UnitBounds::side(level)), kNone);
    boundFinest(bounds);
    boundCoarse(bounds);
    for (int level = 1; level < grid_.levels(); ++level)
        deviate(level, bounds);
    return bounds;
}

// Loads a level's samples of the unit, and one more to the east and to the south, so that samples of the level enclose
// the unit.
Status UnitBounder::load(int level)
{
    Window& window = windows_[std::size_t(level)];
    const auto last = [level](int finest, int side) {
        return std::min((finest >> level) + 1, TileGrid::samplesOf(side, level) - 1);
    };
    window.column = left_ >> level, window.row = top_ >> level;
    window.width = last(right_, grid_.width()) - window.column + 1;
    window.height = last(bottom_, grid_.height()) - window.row + 1;
    window.heights.resize(std::size_t(window.width) * std::size_t(window.height));
    if (level == grid_.levels() - 1)
    {
        for (int r = 0; r < window.height; ++r)
            std::copy_n(coarsest_.heights.begin() + std::ptrdiff_t(window.row + r) * coarsest_.width + window.column,
                        window.width, window.heights.begin() + std::ptrdiff_t(r) * window.width);
        return Status::ok();
    }
    if (Status s = reader_.read({level, window.column, window.row, window.width, window.height}, window.heights); !s)
        return s;
    const SampleCode& code = store_.job.code;
    if (code.scale != 1 || code.offset != 0 || code.unit != 1)
        for (float& height : window.heights)
            if (!std::isnan(height)) height = code.heightOf(double(height));
    return Status::ok();
}

void UnitBounder::fill(int level)
{
    Window& window = windows_[std::size_t(level)];
    if (level == grid_.levels() - 1) return;
    const Window& parent = windows_[std::size_t(level) + 1];
    for (int r = 0; r < window.height; ++r)
        for (int c = 0; c < window.width; ++c)
        {
            float& height = window.heights[std::size_t(r) * std::size_t(window.width) + std::size_t(c)];
            if (!std::isnan(height)) continue;
            const int column = window.column + c, row = window.row + r;
            const float* above = parent.line(row / 2) + (column / 2 - parent.column);
            const float* below = parent.line(row / 2 + row % 2) + (column / 2 - parent.column);
            const int east = column % 2;
            height = 0.25f * ((above[0] + above[east]) + (below[0] + below[east]));
        }
}

void UnitBounder::boundFinest(UnitBounds& bounds) const
{
    const Window& finest = windows_[0];
    const int side = UnitBounds::side(0);
    for (int i = 0; i < side * side; ++i)
    {
        const int left = left_ + i % side * kTileCells, top = top_ + i / side * kTileCells;
        if (left > right_ - 1 || top > bottom_ - 1) continue;
        TileBounds& tile = bounds.tiles[0][std::size_t(i)];
        for (int row = top; row <= std::min(top + kTileCells, bottom_); ++row)
        {
            const float* line = finest.line(row) - finest.column;
            for (int column = left; column <= std::min(left + kTileCells, right_); ++column)
                join(tile, {line[column], line[column], 0});
        }
    }
}

void UnitBounder::boundCoarse(UnitBounds& bounds) const
{
    for (int level = 1; level < kUnitLevels; ++level)
    {
        const int side = UnitBounds::side(level - 1);
        for (int i = 0; i < side * side; ++i)
            join(bounds.tiles[std::size_t(level)][std::size_t(i / side / 2 * (side / 2) + i % side / 2)],
                 bounds.tiles[std::size_t(level) - 1][std::size_t(i)]);
    }
}

// Sets line_ to the level's surface at a row of the finest level: one height for each column of the level.
const double* UnitBounder::surfaceLine(int level, int row)
{
    const Window& window = windows_[std::size_t(level)];
    const float* above = window.line(row >> level);
    const int rest = row & ((1 << level) - 1);
    line_.assign(above, above + window.width);
    if (rest == 0) return line_.data();
    const float* below = window.line((row >> level) + 1);
    const double weight = std::ldexp(double(rest), -level);
    for (int i = 0; i < window.width; ++i)
        line_[std::size_t(i)] += (double(below[i]) - double(above[i])) * weight;
    return line_.data();
}

// Interpolates line_ at the finest level's columns; the unit begins at a sample of the level.
const double* UnitBounder::interpolated(int level)
{
    const int step = 1 << level;
    const double share = std::ldexp(1.0, -level);
    wholeLine_.resize(std::size_t(windows_[std::size_t(level)].width * step));
    for (std::size_t i = 0; i < line_.size(); ++i)
    {
        const double west = line_[i], rise = i + 1 < line_.size() ? (line_[i + 1] - west) * share : 0.0;
        for (int j = 0; j < step; ++j)
            wholeLine_[i * std::size_t(step) + std::size_t(j)] = west + rise * j;
    }
    return wholeLine_.data();
}

// Returns the largest distance of the finest heights in columns `begin` to `end` from the line `surface` of a level.
double UnitBounder::distanceAlong(int level, const double* surface, const float* heights, int begin, int end) const
{
    const Window& window = windows_[std::size_t(level)];
    double farthest = 0;
    for (int column = begin; column <= end;)
    {
        const int cell = column >> level, next = std::min((cell + 1) << level, end + 1);
        const double* west = surface + (cell - window.column);
        const double rise = cell + 1 < window.column + window.width ? std::ldexp(west[1] - west[0], -level) : 0.0;
        const double here = west[0] + rise * double(column - (cell << level));
        farthest = std::max(farthest, distanceFrom(here, rise, heights + column, next - column));
        column = next;
    }
    return farthest;
}

// Sets the deviations of a level's surface from the finest level's. In each cell of the finest level both surfaces are
// bilinear, so that their largest distance is at a sample of the finest level.
void UnitBounder::deviate(int level, UnitBounds& bounds)
{
    const int tile = std::min(kTileCells << std::min(level, kUnitLevels), kUnitSide), side = kUnitSide / tile;
    std::array<std::array<double, 8>, 8> most{};
    for (int row = top_; row <= bottom_; ++row)
    {
        const double* surface = surfaceLine(level, row);
        if (level <= kShortSteps) surface = interpolated(level);
        const float* heights = windows_[0].line(row) - windows_[0].column;
        for (int t = 0; t < side && left_ + t * tile < right_; ++t)
        {
            const int end = std::min(left_ + (t + 1) * tile, right_);
            const int begin = left_ + t * tile;
            const double farthest = level <= kShortSteps
                                        ? distanceBetween(surface + (begin - left_), heights + begin, end - begin + 1)
                                        : distanceAlong(level, surface, heights, begin, end);
            const std::size_t x = std::size_t(t), y = std::size_t((row - top_) / tile);
            if (int(y) < side) most[y][x] = std::max(most[y][x], farthest);
            if (y > 0 && (row - top_) % tile == 0) most[y - 1][x] = std::max(most[y - 1][x], farthest);
        }
    }
    float& whole = bounds.deviations[std::size_t(level)];
    for (int i = 0; i < side * side; ++i)
    {
        const float deviation = roundedUp(most[std::size_t(i / side)][std::size_t(i % side)]);
        whole = std::max(whole, deviation);
        if (level < kUnitLevels) bounds.tiles[std::size_t(level)][std::size_t(i)].deviation = deviation;
    }
}

Status RecordMaker::make(const ImportRecord& first, int rows, std::vector<std::vector<std::byte>>& payloads)
{
    payloads.clear();
    if (first.level == 0) return makeFinest(first, rows, payloads);
    ImportRecord record = first;
    for (; record.row < first.row + rows; ++record.row)
    {
        Result<std::vector<std::byte>> made = record.level == kBoundsLevel ? makeBounds(record) : makeCoarse(record);
        if (!made) return made.error();
        payloads.push_back(std::move(*made));
    }
    return Status::ok();
}

std::vector<std::byte> RecordMaker::payload(std::span<const std::uint32_t> lengths,
                                            std::span<const std::byte> blocks) const
{
    const auto head = std::as_bytes(lengths);
    std::vector<std::byte> bytes(head.begin(), head.end());
    bytes.insert(bytes.end(), blocks.begin(), blocks.end());
    return bytes;
}

Status RecordMaker::makeFinest(const ImportRecord& first, int rows, std::vector<std::vector<std::byte>>& payloads)
{
    if (!tiles_)
    {
        Result<std::unique_ptr<TileReader>> reader = source_->openReader();
        if (!reader) return reader.error();
        tiles_ = std::move(*reader);
    }
    const int left = first.first * kBlockSide, top = first.row * kBlockSide;
    const TileWindow window = {0, left, top, std::min(first.count * kBlockSide, store_.job.width - left),
                               std::min(rows * kBlockSide, store_.job.height - top)};
    window_.resize(std::size_t(window.width) * std::size_t(window.height));
    if (Status s = tiles_->read(window, window_); !s) return s;
    if (Status s = toSamples(store_.job, source_->raster().name, window, window_); !s)
    {
        refused_ = true;
        return s;
    }
    for (int row = 0; row < rows; ++row)
    {
        std::vector<std::uint32_t> lengths;
        std::vector<std::byte> blocks;
        for (int column = 0; column < first.count; ++column)
        {
            // Outside the raster, repeat its last samples, which compresses best.
            for (int y = 0; y < kBlockSide; ++y)
            {
                const int line = std::min(row * kBlockSide + y, window.height - 1);
                const float* from = window_.data() + std::ptrdiff_t(line) * window.width;
                for (int x = 0; x < kBlockSide; ++x)
                    block_[std::size_t(y * kBlockSide + x)] = from[std::min(column * kBlockSide + x, window.width - 1)];
            }
            lengths.push_back(codec_.encode(std::span<const float, kBlockSamples>(block_), blocks));
        }
        payloads.push_back(payload(lengths, blocks));
    }
    return Status::ok();
}

// Sets block_ to the even columns and rows of the next finer level. Beyond that level's end, repeats its last
// column and row.
Status RecordMaker::decimate(int level, int column, int row)
{
    const int lastColumn = TileGrid::samplesOf(store_.job.width, level - 1) - 1;
    const int lastRow = TileGrid::samplesOf(store_.job.height, level - 1) - 1;
    const auto finer = [](int coarse, int last) { return std::min(2 * coarse, last); };
    const int left = finer(column * kBlockSide, lastColumn), top = finer(row * kBlockSide, lastRow);
    const int right = finer((column + 1) * kBlockSide - 1, lastColumn);
    const int bottom = finer((row + 1) * kBlockSide - 1, lastRow);
    const TileWindow window = {level - 1, left, top, right - left + 1, bottom - top + 1};
    window_.resize(std::size_t(window.width) * std::size_t(window.height));
    if (Status s = reader_.read(window, window_); !s) return s;
    for (int y = 0; y < kBlockSide; ++y)
    {
        const float* from = window_.data() + std::ptrdiff_t(finer(row * kBlockSide + y, lastRow) - top) * window.width;
        for (int x = 0; x < kBlockSide; ++x)
            block_[std::size_t(y * kBlockSide + x)] = from[finer(column * kBlockSide + x, lastColumn) - left];
    }
    return Status::ok();
}

Result<std::vector<std::byte>> RecordMaker::makeCoarse(const ImportRecord& record)
{
    std::vector<std::uint32_t> lengths;
    std::vector<std::byte> blocks;
    for (int column = record.first; column < record.first + record.count; ++column)
    {
        if (Status s = decimate(record.level, column, record.row); !s) return s.error();
        lengths.push_back(codec_.encode(std::span<const float, kBlockSamples>(block_), blocks));
    }
    return payload(lengths, blocks);
}

Result<std::vector<std::byte>> RecordMaker::makeBounds(const ImportRecord& record)
{
    if (!bounder_) bounder_ = std::make_unique<UnitBounder>(store_, *coarsest_);
    std::vector<std::byte> bytes;
    for (int column = record.first; column < record.first + record.count; ++column)
    {
        const Result<UnitBounds> bounds = bounder_->bound(column, record.row);
        if (!bounds) return bounds.error();
        bounds->pack(bytes);
    }
    return bytes;
}

}  // namespace orogen
