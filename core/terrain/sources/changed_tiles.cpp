#include "core/terrain/sources/changed_tiles.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <mutex>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/terrain/io/source_files.h"
#include "core/terrain/raster/height_field.h"

namespace orogen {
namespace {

constexpr int kFadeShare = 8;               // a change fades over this part (1 / 8) of the window's shorter side
constexpr double kRounding = 0x1p-22;       // relative bound of rounding errors in sums and differences of heights
constexpr std::int64_t kTile = kTileCells;  // in 64 bits, for products that may not fit in an int

// A position in samples of the window's level: a whole number, and a fraction in [0, 1).
struct Position
{
    std::int64_t whole = 0;
    double part = 0;
};

Position positionOf(std::int64_t finest, int level)
{
    return {finest >> level, std::ldexp(double(finest & ((std::int64_t(1) << level) - 1)), -level)};
}

// Returns the sample of level 0 at a sample of a level, or the raster's nearest one.
std::int64_t finestOf(int sample, int level, int side)
{
    return std::clamp<std::int64_t>(std::int64_t(sample) * (std::int64_t(1) << level), 0, side - 1);
}

std::int64_t upTo(std::int64_t value, std::int64_t step) { return (value + step - 1) / step; }

// Returns the samples of a tile, in its level.
IndexBox samplesOf(int x, int y)
{
    const int left = x * kTileCells, top = y * kTileCells;
    return {left, top, left + kTileSide, top + kTileSide};
}

}  // namespace

// ---- windows ----

ChangeWindow windowOf(const TileGrid& grid, int level, double column, double row, int side)
{
    const auto along = [side](double middle, int samples) {
        const int count = std::min(std::min(side, kMostWindowSide), samples);
        const double first = std::floor(middle - 0.5 * (count - 1) + 0.5);
        const int begin = int(std::clamp(first, 0.0, double(samples - count)));
        return std::pair(begin, begin + count);
    };
    const auto [x0, x1] = along(column, TileGrid::samplesOf(grid.width(), level));
    const auto [y0, y1] = along(row, TileGrid::samplesOf(grid.height(), level));
    return {level, {x0, y0, x1, y1}};
}

IndexBox reachOf(const ChangeWindow& window, const IndexBox& box)
{
    if (box.empty()) return {};
    const auto first = [&](int sample) { return ((sample - 1) * (1 << window.level)) + 1; };
    const auto end = [&](int sample) { return sample * (1 << window.level); };
    return {first(window.box.x0 + box.x0), first(window.box.y0 + box.y0), end(window.box.x0 + box.x1),
            end(window.box.y0 + box.y1)};
}

WindowFade::WindowFade(const TileGrid& grid, const ChangeWindow& window)
{
    const int wide = std::max(1, std::min(window.width(), window.height()) / kFadeShare);
    const auto along = [wide](int begin, int end, int samples) {
        std::vector<float> weights(std::size_t(end - begin), 1.0f);
        for (int i = begin; i < end; ++i)
        {
            const int inside = std::min(begin > 0 ? i - begin : wide, end < samples ? end - 1 - i : wide);
            const float t = float(std::min(inside, wide)) / float(wide);
            weights[std::size_t(i - begin)] = t * t * (3 - 2 * t);
        }
        return weights;
    };
    columns_ = along(window.box.x0, window.box.x1, TileGrid::samplesOf(grid.width(), window.level));
    rows_ = along(window.box.y0, window.box.y1, TileGrid::samplesOf(grid.height(), window.level));
}

// ---- readers ----

struct ChangedTiles::Readers
{
    std::mutex mutex;
    std::vector<std::unique_ptr<TileReader>> unused;
};

class ChangedTiles::Reader final : public TileReader
{
public:
    Reader(const ChangedTiles& source, std::unique_ptr<TileReader> below)
        : source_(source), readers_(source.readers_), below_(std::move(below))
    {
    }
    ~Reader() override
    {
        const std::lock_guard lock(readers_->mutex);
        readers_->unused.push_back(std::move(below_));
    }

    Status read(const TileWindow& window, std::span<float> out) override
    {
        if (Status s = below_->read(window, out); !s) return s;
        if (!source_.touches(window)) return Status::ok();
        std::size_t i = 0;
        for (int row = window.row; row < window.row + window.height; ++row)
            for (int column = window.column; column < window.column + window.width; ++column)
                out[i++] += source_.differenceAt(window.level, column, row);
        return Status::ok();
    }

    // Adds central differences of the change to the slopes of the source below.
    bool slopes(const TileWindow& window, std::span<float> out) override
    {
        if (!below_->slopes(window, out)) return false;
        if (!source_.touches({window.level, window.column - 1, window.row - 1, window.width + 2, window.height + 2}))
            return true;
        const TileGrid& grid = source_.grid_;
        const auto rise = [](float from, float to, std::int64_t samples, double spacing) {
            return samples > 0 ? (to - from) / float(double(samples) * spacing) : 0.0f;
        };
        const auto at = [&](int column, int row) { return source_.differenceAt(window.level, column, row); };
        const auto span = [&](int sample, int side) {
            return finestOf(sample + 1, window.level, side) - finestOf(sample - 1, window.level, side);
        };
        std::size_t i = 0;
        for (int row = window.row; row < window.row + window.height; ++row)
            for (int column = window.column; column < window.column + window.width; ++column)
            {
                out[i++] += rise(at(column - 1, row), at(column + 1, row), span(column, grid.width()),
                                 source_.raster_.pixelWidth);
                out[i++] += rise(at(column, row + 1), at(column, row - 1), span(row, grid.height()),
                                 source_.raster_.pixelHeight);
            }
        return true;
    }

    std::uint64_t bytesRead() const override { return below_->bytesRead(); }

private:
    const ChangedTiles& source_;
    std::shared_ptr<Readers> readers_;
    std::unique_ptr<TileReader> below_;
};

Result<std::unique_ptr<TileReader>> ChangedTiles::openReader() const
{
    std::unique_ptr<TileReader> reader;
    {
        const std::lock_guard lock(readers_->mutex);
        if (!readers_->unused.empty())
        {
            reader = std::move(readers_->unused.back());
            readers_->unused.pop_back();
        }
    }
    if (!reader)
    {
        Result<std::unique_ptr<TileReader>> opened = below_->openReader();
        if (!opened) return opened.error();
        reader = std::move(*opened);
    }
    return std::unique_ptr<TileReader>(std::make_unique<Reader>(*this, std::move(reader)));
}

// ---- differences ----

ChangedTiles::ChangedTiles(std::shared_ptr<const TileSource> below, std::shared_ptr<Readers> readers,
                           const ChangeWindow& window)
    : below_(std::move(below)), readers_(std::move(readers)), grid_(below_->grid()), window_(window),
      raster_(below_->raster())
{
    assert(grid_.faces() == 1);
    raster_.bits = 32;
    raster_.fractional = true;
    raster_.code = {};
    raster_.nodata.reset();
    if (raster_.heightUnit) raster_.heightUnit = HeightUnit::kMetre;
}

std::shared_ptr<const ChangedTiles> ChangedTiles::over(std::shared_ptr<const TileSource> below,
                                                       const ChangeWindow& window)
{
    std::shared_ptr<ChangedTiles> made(new ChangedTiles(std::move(below), std::make_shared<Readers>(), window));
    made->differences_.resize(window.samples());
    for (int level = window.level; level < made->grid_.levels(); ++level)
    {
        // All tiles that have a sample of the window inside or on the border.
        const std::int64_t side = kTile << (level - window.level);
        const auto last = [](std::int64_t tile, int tiles) { return int(std::min<std::int64_t>(tile, tiles - 1)) + 1; };
        const IndexBox tiles = {int(std::max<std::int64_t>(upTo(window.box.x0, side) - 1, 0)),
                                int(std::max<std::int64_t>(upTo(window.box.y0, side) - 1, 0)),
                                last((window.box.x1 - 1) / side, made->grid_.columns(level)),
                                last((window.box.y1 - 1) / side, made->grid_.rows(level))};
        made->ranges_.push_back({tiles, {}});
        made->ranges_.back().ranges.resize(std::size_t(tiles.x1 - tiles.x0) * std::size_t(tiles.y1 - tiles.y0));
    }
    return made;
}

std::shared_ptr<const ChangedTiles> ChangedTiles::with(std::vector<float> differences, const IndexBox& box,
                                                       std::span<const float> heights) const
{
    assert(differences.size() == differences_.size());
    std::shared_ptr<ChangedTiles> made(new ChangedTiles(below_, readers_, window_));
    made->differences_ = std::move(differences);
    made->ranges_ = ranges_;
    made->rangeTiles(clipped(box, window_.width(), window_.height()), heights);
    made->describeRange();
    return made;
}

float ChangedTiles::sample(std::int64_t column, std::int64_t row) const
{
    const IndexBox& box = window_.box;
    if (column < box.x0 || column >= box.x1 || row < box.y0 || row >= box.y1) return 0.0f;
    return differences_[std::size_t(row - box.y0) * std::size_t(window_.width()) + std::size_t(column - box.x0)];
}

float ChangedTiles::differenceAt(int level, int column, int row) const
{
    const Position x = positionOf(finestOf(column, level, grid_.width()), window_.level);
    const Position y = positionOf(finestOf(row, level, grid_.height()), window_.level);
    // Products with the weights are exact, so the result lies in the range of the four samples.
    const auto along = [&](std::int64_t line) {
        const double west = sample(x.whole, line);
        return x.part > 0 ? west * (1 - x.part) + sample(x.whole + 1, line) * x.part : west;
    };
    const double north = along(y.whole);
    return float(y.part > 0 ? north * (1 - y.part) + along(y.whole + 1) * y.part : north);
}

bool ChangedTiles::touches(const TileWindow& window) const
{
    const IndexBox reach = reachOf(window_, {0, 0, window_.width(), window_.height()});
    const auto meets = [&](int first, int count, int side, int begin, int end) {
        return finestOf(first, window.level, side) < end && finestOf(first + count - 1, window.level, side) >= begin;
    };
    return meets(window.column, window.width, grid_.width(), reach.x0, reach.x1) &&
           meets(window.row, window.height, grid_.height(), reach.y0, reach.y1);
}

Result<std::string> ChangedTiles::version() const
{
    Result<std::string> version = below_->version();
    if (!version) return version;
    return fmt::format("{};{}:{},{}:{}", *version, window_.level, window_.box.x0, window_.box.y0,
                       heightsVersion(differences_));
}

// ---- bounds ----

void ChangedTiles::rangeTiles(const IndexBox& box, std::span<const float> heights)
{
    if (box.empty()) return;
    for (int level = window_.level; level < grid_.levels(); ++level)
    {
        LevelRanges& ranges = ranges_[std::size_t(level - window_.level)];
        const std::int64_t side = kTile << (level - window_.level);
        // Widened by one sample, because samples on a border belong to both tiles.
        const IndexBox tiles = {std::max(int((window_.box.x0 + box.x0 - 1) / side), ranges.tiles.x0),
                                std::max(int((window_.box.y0 + box.y0 - 1) / side), ranges.tiles.y0),
                                std::min(int((window_.box.x0 + box.x1) / side) + 1, ranges.tiles.x1),
                                std::min(int((window_.box.y0 + box.y1) / side) + 1, ranges.tiles.y1)};
        for (int y = tiles.y0; y < tiles.y1; ++y)
            for (int x = tiles.x0; x < tiles.x1; ++x)
            {
                ranges.at(x, y) = rangeOf(level, x, y);
                if (level == window_.level && !heights.empty()) findHeights(ranges.at(x, y), samplesOf(x, y), heights);
            }
    }
}

ChangedTiles::Range ChangedTiles::rangeOf(int level, int x, int y) const
{
    if (level == window_.level) return rangeIn(samplesOf(x, y));
    const LevelRanges& finer = ranges_[std::size_t(level - 1 - window_.level)];
    Range range;
    for (int child = 0; child < 4; ++child)
    {
        const int column = 2 * x + child % 2, row = 2 * y + child / 2;
        if (!finer.has(column, row)) continue;
        const Range& part = finer.at(column, row);
        range = {std::min(range.low, part.low), std::max(range.high, part.high),
                 std::max(range.deviation, part.deviation)};
    }
    range.deviation += stepOf(level, x, y);
    return range;
}

// Returns the largest distance between the differences as interpolated in a tile and in the next finer level. Both
// interpolations are bilinear, so that the largest distance occurs at a sample of the finer level.
float ChangedTiles::stepOf(int level, int x, int y) const
{
    const std::int64_t finer = std::int64_t(1) << (level - 1 - window_.level);
    const auto begin = [&](int tile, int first) { return std::max(2 * kTile * tile, (first - 1) / finer); };
    const auto end = [&](int tile, int last) { return std::min(2 * kTile * (tile + 1), upTo(last, finer)); };
    const auto at = [&](std::int64_t column, std::int64_t row) { return double(sample(column * finer, row * finer)); };
    double most = 0;
    for (std::int64_t row = begin(y, window_.box.y0); row <= end(y, window_.box.y1); ++row)
        for (std::int64_t column = begin(x, window_.box.x0); column <= end(x, window_.box.x1); ++column)
        {
            const std::int64_t right = column % 2, down = row % 2;
            if (right == 0 && down == 0) continue;
            const double coarse = 0.25 * (at(column - right, row - down) + at(column + right, row - down) +
                                          at(column - right, row + down) + at(column + right, row + down));
            most = std::max(most, std::fabs(at(column, row) - coarse));
        }
    return std::nextafter(float(most), INFINITY);
}

// Returns the range of the differences at samples of the window's level, extended to include 0.
ChangedTiles::Range ChangedTiles::rangeIn(const IndexBox& samples) const
{
    Range range;
    for (int row = std::max(samples.y0, window_.box.y0); row < std::min(samples.y1, window_.box.y1); ++row)
        for (int column = std::max(samples.x0, window_.box.x0); column < std::min(samples.x1, window_.box.x1); ++column)
        {
            const float difference = sample(column, row);
            range.low = std::min(range.low, difference);
            range.high = std::max(range.high, difference);
        }
    return range;
}

void ChangedTiles::findHeights(Range& range, const IndexBox& samples, std::span<const float> heights) const
{
    range.lowest = INFINITY;
    range.highest = -INFINITY;
    for (int row = std::max(samples.y0, window_.box.y0); row < std::min(samples.y1, window_.box.y1); ++row)
        for (int column = std::max(samples.x0, window_.box.x0); column < std::min(samples.x1, window_.box.x1); ++column)
        {
            const auto i =
                std::size_t(row - window_.box.y0) * std::size_t(window_.width()) + std::size_t(column - window_.box.x0);
            const float height = heights[i] + differences_[i];
            if (std::isnan(height))
            {
                range.lowest = range.highest = NAN;
                return;
            }
            range.lowest = std::min(range.lowest, height);
            range.highest = std::max(range.highest, height);
        }
}

ChangedTiles::Range ChangedTiles::rangeAt(const TileKey& key) const
{
    if (key.level >= window_.level)
    {
        const LevelRanges& ranges = ranges_[std::size_t(key.level - window_.level)];
        return ranges.has(key.x, key.y) ? ranges.at(key.x, key.y) : Range{};
    }
    const std::int64_t step = std::int64_t(1) << (window_.level - key.level);
    return rangeIn({int(key.x * kTile / step), int(key.y * kTile / step), int(upTo((key.x + 1) * kTile, step)) + 1,
                    int(upTo((key.y + 1) * kTile, step)) + 1});
}

// Returns a bound of the deviation in cells of a tile that reach over the raster's eastern or southern border. A
// level's last sample lies beyond the border, but has the height at the border. So in these cells the level's
// differences deviate from the window's. Both differences lie in the range of the window's samples around the cell.
float ChangedTiles::borderDeviation(const TileKey& key) const
{
    const int cell = 1 << key.level, fine = 1 << window_.level;
    const auto last = [&](int tile, int side) {
        const int at = (side - 1) / cell;
        return (side - 1) % cell != 0 && at / kTileCells == tile ? at : -1;
    };
    const int lastColumn = last(key.x, grid_.width()), lastRow = last(key.y, grid_.height());
    float most = 0;
    const auto measure = [&](int column, int row) {
        const auto begin = [&](int at) { return int(std::int64_t(at) * cell / fine); };
        const auto end = [&](int at) { return int(upTo(std::int64_t(at + 1) * cell, fine)) + 1; };
        const Range range = rangeIn({begin(column), begin(row), end(column), end(row)});
        most = std::max(most, range.high - range.low);
    };
    for (int i = 0; i < kTileCells; ++i)
    {
        if (lastColumn >= 0) measure(lastColumn, key.y * kTileCells + i);
        if (lastRow >= 0) measure(key.x * kTileCells + i, lastRow);
    }
    return most;
}

std::optional<TileBounds> ChangedTiles::bounds(const TileKey& key) const
{
    std::optional<TileBounds> bounds = below_->bounds(key);
    const Range range = rangeAt(key);
    if (!bounds || (range.low == 0 && range.high == 0)) return bounds;
    bounds->lowest += range.low;
    bounds->highest += range.high;
    if (key.level == 0) return bounds;
    const double most = std::max({-bounds->lowest, bounds->highest, -range.low, range.high});
    bounds->deviation += range.deviation + borderDeviation(key) + float(2 * kRounding * most);
    return bounds;
}

// Widens the range of the whole terrain by the tiles of the window.
void ChangedTiles::describeRange()
{
    const LevelRanges& finest = ranges_.front();
    for (int y = finest.tiles.y0; y < finest.tiles.y1; ++y)
        for (int x = finest.tiles.x0; x < finest.tiles.x1; ++x)
        {
            const Range& range = finest.at(x, y);
            if (range.low == 0 && range.high == 0) continue;
            const Raster& whole = below_->raster();
            const TileBounds bounds =
                below_->bounds({window_.level, x, y}).value_or(TileBounds{whole.minHeight, whole.maxHeight, 0});
            float low = bounds.lowest + range.low, high = bounds.highest + range.high;
            // The surface of level 0 is at most `bounds.deviation` away from the surface of the window's level.
            if (!std::isnan(range.highest) && below_->bounds({window_.level, x, y}))
            {
                low = std::max(low, range.lowest - bounds.deviation);
                high = std::min(high, range.highest + bounds.deviation);
            }
            raster_.minHeight = std::min(raster_.minHeight, low);
            raster_.maxHeight = std::max(raster_.maxHeight, high);
        }
}

namespace {

// Returns the sample of level 0 nearest to a sample of the overview.
int finestAt(int sample, int count, int side)
{
    return int(std::lround(double(sample) * (side - 1) / std::max(count - 1, 1)));
}

float changedHeight(const HeightField& below, const ChangedTiles& source, int x, int y)
{
    const int column = finestAt(x, below.width, source.raster().width);
    const int row = finestAt(y, below.height, source.raster().height);
    return below.at(x, y) + source.differenceAt(0, column, row);
}

StillWater awayFrom(StillWater water, const IndexBox& box)
{
    std::erase_if(water.bodies, [&](const WaterBody& body) {
        return body.west < box.x1 && body.east + 1 >= box.x0 && body.north < box.y1 && body.south + 1 >= box.y0;
    });
    return water.bodies.empty() ? StillWater() : std::move(water);
}

}  // namespace

IndexBox overviewBox(const HeightField& overview, const TileGrid& grid, const IndexBox& samples)
{
    if (samples.empty()) return {};
    const auto first = [](int at, int count, int side) {
        return int(std::floor(double(at) * (count - 1) / std::max(side - 1, 1)));
    };
    return clipped({first(samples.x0, overview.width, grid.width()), first(samples.y0, overview.height, grid.height()),
                    first(samples.x1, overview.width, grid.width()) + 2,
                    first(samples.y1, overview.height, grid.height()) + 2},
                   overview.width, overview.height);
}

HeightField changedOverview(const HeightField& below, const ChangedTiles& source, const HeightField& shown,
                            const IndexBox& box)
{
    StillWater water = awayFrom(shown.water, box);
    std::vector<float> heights(below.codes.size());
    const auto compute = [&](const IndexBox& part) {
        for (int y = part.y0; y < part.y1; ++y)
            for (int x = part.x0; x < part.x1; ++x)
                heights[std::size_t(y) * std::size_t(below.width) + std::size_t(x)] =
                    changedHeight(below, source, x, y);
    };
    // Steps of an exact field (HeightField::exact) are up to 1 m and would show as terraces: that field is coded anew.
    if (!shown.exact)
    {
        HeightField field = shown;
        field.water = water;
        compute(box);
        if (encodeBox(field, heights, box)) return field;
    }
    compute({0, 0, below.width, below.height});
    HeightField field = encodedField(heights, below, shown.exact ? nullptr : &shown);
    field.water = std::move(water);
    return field;
}

}  // namespace orogen
