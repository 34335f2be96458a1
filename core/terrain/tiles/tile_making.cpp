#include "core/terrain/tiles/tile_making.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/terrain/detail/roughness.h"
#include "core/terrain/raster/height_field.h"
#include "core/terrain/raster/raster_making.h"
#include "core/terrain/tiles/cube_slopes.h"
#include "core/terrain/tiles/half_float.h"
#include "core/terrain/tiles/tile_kinks.h"

namespace orogen {
namespace {

constexpr std::size_t kSide = kTileSide, kReadSide = kTileReadSide;
constexpr std::size_t kSamples = kSide * kSide;
constexpr std::size_t kFirst = kTileApron * kReadSide + kTileApron;  // index of the tile's first sample in the window

// Replaces everything that is not a height by a void. Returns whether there are any.
bool markVoids(std::span<float> heights)
{
    bool any = false;
    for (float& height : heights)
    {
        const bool known = std::fabs(height) <= kLargestHeight;
        height = known ? height : kVoid;
        any |= !known;
    }
    return any;
}

void copyInner(std::span<const float> window, std::span<float> tile)
{
    for (std::size_t r = 0; r < kSide; ++r)
        std::copy_n(window.begin() + std::ptrdiff_t(kFirst + r * kReadSide), kSide,
                    tile.begin() + std::ptrdiff_t(r * kSide));
}

// Returns the height of a parent's surface at a sample of its child. `column` and `row` count the child's intervals
// from the parent's north-western corner.
float parentHeight(const Tile& parent, int column, int row)
{
    const std::size_t c = std::size_t(column / 2), r = std::size_t(row / 2);
    const std::size_t right = std::size_t(column % 2), down = std::size_t(row % 2) * kSide;
    const float* at = parent.heights.data() + r * kSide + c;
    return 0.25f * ((at[0] + at[right]) + (at[down] + at[down + right]));
}

// Return the position of a child in its parent, in the child's intervals.
int columnInParent(const TileKey& key) { return (key.x & 1) * kTileCells; }
int rowInParent(const TileKey& key) { return (key.y & 1) * kTileCells; }

void fillFromParent(Tile& tile, const Tile& parent)
{
    for (std::size_t i = 0; i < kSamples; ++i)
        if (std::isnan(tile.heights[i]))
            tile.heights[i] =
                parentHeight(parent, columnInParent(tile.key) + int(i % kSide), rowInParent(tile.key) + int(i / kSide));
}

// Positions of a level's samples along a side, in samples of the finest level.
struct Line
{
    int level, last;

    double at(int sample) const { return double(std::clamp<std::int64_t>(std::int64_t(sample) << level, 0, last)); }
};

// Returns 1 / distance (1/metres) between the samples before and after each sample along one direction.
std::array<float, kSide> inverseSpans(Line line, int first, double pixel)
{
    std::array<float, kSide> inverse{};
    for (int i = 0; i < kTileSide; ++i)
    {
        const double span = (line.at(first + i + 1) - line.at(first + i - 1)) * pixel;
        inverse[std::size_t(i)] = span > 0 ? float(1 / span) : 0.0f;
    }
    return inverse;
}

}  // namespace

void fillCoarsest(std::span<float> heights, float unknown)
{
    assert(heights.size() == kSamples);
    const bool known = std::any_of(heights.begin(), heights.end(), [](float h) { return !std::isnan(h); });
    std::vector<float> filled(heights.begin(), heights.end());
    if (!known) filled.assign(kSamples, unknown);
    fillVoids(filled, kTileSide, kTileSide);
    std::copy(filled.begin(), filled.end(), heights.begin());
}

float distanceFromParent(const Tile& tile, const Tile& parent)
{
    const int column = columnInParent(tile.key), row = rowInParent(tile.key);
    float most = 0;
    for (int r = 0; r < kTileSide; ++r)
        for (int c = 0; c < kTileSide; ++c)
            most = std::max(most, std::fabs(tile.heights[std::size_t(r) * kSide + std::size_t(c)] -
                                            parentHeight(parent, column + c, row + r)));
    return most;
}

float estimatedDeviation(std::span<const float> heights)
{
    // Roughness that grows with distance^0.7 leaves 0.62 as much at each finer level, 1.6 times this level's in all.
    // The factor used is smaller (0.62 * 2), since extremes are rarer than a tile's samples suggest.
    constexpr float kFinerLevels = 2.0f;
    float most = 0;
    for (std::size_t r = 0; r < kSide; ++r)
        for (std::size_t c = 0; c < kSide; ++c)
        {
            const std::size_t right = c % 2, down = (r % 2) * kSide, i = r * kSide + c;
            const float* at = heights.data() + i;
            const float coarse =
                0.25f * ((at[-std::ptrdiff_t(right + down)] + at[std::ptrdiff_t(right) - std::ptrdiff_t(down)]) +
                         (at[std::ptrdiff_t(down) - std::ptrdiff_t(right)] + at[right + down]));
            most = std::max(most, std::fabs(heights[i] - coarse));
        }
    return 0.62f * kFinerLevels * most;
}

TileMaker::TileMaker(const TileSource& source)
    : source_(source), grid_(source.grid()), window_(kReadSide * kReadSide), slopes_(2 * kSamples)
{
}

Result<std::shared_ptr<const Tile>> TileMaker::make(TileReader& reader, const TileKey& key, const Tile* parent)
{
    assert(grid_.has(key) && (parent == nullptr) == (key.level == grid_.levels() - 1));
    if (Status read = reader.read(windowAround(key), window_); !read) return read.error();
    auto tile = std::make_shared<Tile>();
    tile->key = key;
    tile->refined = source_.refines(key);
    tile->heights.resize(kSamples);
    if (markVoids(window_))
        fill(*tile, parent);
    else
        copyInner(window_, tile->heights);
    slope(*tile, reader);
    tile->roughness.resize(kSamples);
    // Procedural detail is added to the finest samples only.
    if (!tile->refined) roughnessCodes(window_, kTileReadSide, kTileReadSide, tile->roughness);
    tile->kinks.resize(std::size_t(kKinkSide) * kKinkSide);
    const auto end = [&](int side, int first) {
        const int last = TileGrid::samplesOf(side, key.level) - 1;
        const bool beyond = (std::int64_t(last) << key.level) > side - 1;
        return beyond ? last - first : kTileReadSide;
    };
    const TileWindow window = windowAround(key);
    tileKinks(window_, {end(grid_.width(), window.column), end(grid_.height(), window.row)}, tile->kinks);
    bound(*tile);
    return std::shared_ptr<const Tile>(std::move(tile));
}

// Fills the tile's own voids, then those around it, which only slopes, roughness and kinks use.
void TileMaker::fill(Tile& tile, const Tile* parent)
{
    copyInner(window_, tile.heights);
    tile.voids = std::uint32_t(
        std::count_if(tile.heights.begin(), tile.heights.end(), [](float height) { return std::isnan(height); }));
    if (tile.voids > 0 && parent) fillFromParent(tile, *parent);
    if (tile.voids > 0 && !parent) fillRoot(tile);
    for (std::size_t r = 0; r < kSide; ++r)
        std::copy_n(tile.heights.begin() + std::ptrdiff_t(r * kSide), kSide,
                    window_.begin() + std::ptrdiff_t(kFirst + r * kReadSide));
    fillVoids(window_, kTileReadSide, kTileReadSide);
}

// Fills a coarsest tile. Faces of a cube are independent and must agree where they meet, so there voids become the sea.
void TileMaker::fillRoot(Tile& tile) const
{
    if (grid_.faces() == 1)
        fillCoarsest(tile.heights, source_.raster().minHeight);
    else
        std::replace_if(
            tile.heights.begin(), tile.heights.end(), [](float height) { return std::isnan(height); }, 0.0f);
}

// Uses the source's own slopes, or else central differences, one-sided at the raster's edge.
void TileMaker::slope(Tile& tile, TileReader& reader)
{
    const TileKey key = tile.key;
    const int column = key.x * kTileCells, row = key.y * kTileCells;
    tile.slopes.resize(2 * kSamples);
    if (grid_.faces() > 1)
        cubeSlopes(grid_, key, window_, slopes_);
    else if (!reader.slopes({key.level, column, row, kTileSide, kTileSide}, slopes_))
    {
        const Raster& raster = source_.raster();
        const auto across = inverseSpans({key.level, grid_.width() - 1}, column, raster.pixelWidth);
        const auto down = inverseSpans({key.level, grid_.height() - 1}, row, raster.pixelHeight);
        for (std::size_t r = 0; r < kSide; ++r)
            for (std::size_t c = 0; c < kSide; ++c)
            {
                const float* at = window_.data() + kFirst + r * kReadSide + c;
                float* out = slopes_.data() + 2 * (r * kSide + c);
                out[0] = (at[1] - at[-1]) * across[c];
                out[1] = (at[-std::ptrdiff_t(kReadSide)] - at[kReadSide]) * down[r];
            }
    }
    std::transform(slopes_.begin(), slopes_.end(), tile.slopes.begin(), halfOf);
}

void TileMaker::bound(Tile& tile) const
{
    const auto [lowest, highest] = std::minmax_element(tile.heights.begin(), tile.heights.end());
    const std::optional<TileBounds> known = source_.bounds(tile.key);
    tile.boundsKnown = known.has_value() || !tile.refined;
    const float deviation = tile.refined ? estimatedDeviation(tile.heights) : 0.0f;
    tile.bounds = known.value_or(TileBounds{*lowest - deviation, *highest + deviation, deviation});
    // Include filled voids.
    tile.bounds.lowest = std::min(tile.bounds.lowest, *lowest);
    tile.bounds.highest = std::max(tile.bounds.highest, *highest);
}

}  // namespace orogen
