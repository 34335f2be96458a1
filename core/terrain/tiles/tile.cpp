#include "core/terrain/tiles/tile.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "core/planet/cube_lattice.h"
#include "core/planet/ellipsoid.h"
#include "core/terrain/detail/roughness.h"
#include "core/terrain/raster/height_field.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/cube_tiles.h"

namespace orogen {
namespace {

constexpr std::size_t kSide = kTileSide, kReadSide = kTileReadSide;

// A line of samples of the cube: its warped coordinate, and the change of that coordinate over two samples.
struct CubeLine
{
    double at, step;
};

std::array<CubeLine, kSide> linesOf(int first, int bits)
{
    std::array<CubeLine, kSide> lines{};
    for (std::size_t i = 0; i < kSide; ++i)
    {
        const double c = std::ldexp(double(first) + double(i), bits + 1 - kCubeBits) - 1.0;
        lines[i] = {c * (0.75 + 0.25 * c * c), 0.75 * (1.0 + c * c) * std::ldexp(1.0, bits + 2 - kCubeBits)};
    }
    return lines;
}

// Returns the ellipsoid's squared half-axes (square metres) along a face's x, y and outwards.
glm::dvec3 halfAxesSquared(int face)
{
    constexpr double kEquator = kEarthEquatorRadius * kEarthEquatorRadius, kPole = kEarthPoleRadius * kEarthPoleRadius;
    const glm::ivec3 x = cubePoint({face, kCubeSide, 0}) - cubePoint({face, 0, 0});
    const glm::ivec3 y = cubePoint({face, 0, kCubeSide}) - cubePoint({face, 0, 0});
    return {x.z != 0 ? kPole : kEquator, y.z != 0 ? kPole : kEquator, x.z == 0 && y.z == 0 ? kPole : kEquator};
}

// Returns the gradient (see cubeSlopes()) for height differences over two samples along x and y. With w = (x, y, 1) and
// n = w / |w|, a step s along x moves n by s (e_x - n n.x) / |w|, where e_x is the unit vector of x. The dot products
// of the steps along x and y, in metres, form the metric tensor.
glm::dvec2 gradient(const CubeLine& x, const CubeLine& y, const glm::dvec3& squares, double alongX, double alongY)
{
    const double inverse = 1.0 / std::sqrt(x.at * x.at + y.at * y.at + 1.0);
    const glm::dvec3 n(x.at * inverse, y.at * inverse, inverse);
    const glm::dvec3 a(1.0 - n.x * n.x, -n.x * n.y, -n.x * n.z), b(-n.y * n.x, 1.0 - n.y * n.y, -n.y * n.z);
    const auto product = [&](const glm::dvec3& u, const glm::dvec3& v) {
        return squares.x * u.x * v.x + squares.y * u.y * v.y + squares.z * u.z * v.z;
    };
    const double stepX = x.step * inverse, stepY = y.step * inverse;
    const double xx = product(a, a) * stepX * stepX, yy = product(b, b) * stepY * stepY;
    const double xy = product(a, b) * stepX * stepY;
    const double lengthX = std::sqrt(xx), area = std::sqrt(xx * yy - xy * xy);
    return {alongX / lengthX, (alongY - alongX * xy / xx) * lengthX / area};
}

}  // namespace

void cubeSlopes(const TileGrid& grid, const TileKey& key, std::span<const float> window, std::span<float> out)
{
    assert(window.size() == kReadSide * kReadSide && out.size() == 2 * kSide * kSide);
    const int bits = cubeSampleBits(grid, key.level);
    const auto columns = linesOf(key.x * kTileCells, bits), rows = linesOf(key.y * kTileCells, bits);
    const glm::dvec3 squares = halfAxesSquared(key.face);
    for (std::size_t r = 0; r < kSide; ++r)
        for (std::size_t c = 0; c < kSide; ++c)
        {
            const float* at = window.data() + (r + kTileApron) * kReadSide + c + kTileApron;
            const double alongX = double(at[1]) - double(at[-1]);
            const double alongY = double(at[kReadSide]) - double(at[-std::ptrdiff_t(kReadSide)]);
            const glm::dvec2 slope = gradient(columns[c], rows[r], squares, alongX, alongY);
            out[2 * (r * kSide + c)] = float(slope.x);
            out[2 * (r * kSide + c) + 1] = float(slope.y);
        }
}

namespace {

constexpr std::size_t kSamples = kSide * kSide;
constexpr std::size_t kFirst = kTileApron * kReadSide + kTileApron;  // index of the tile's first sample in the window

// Replaces everything that is not a height by a void. Returns whether there are any voids.
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

// Returns the height of a parent's surface at a sample of its child. `column` and `row`: in the child's sample
// intervals, from the parent's north-western corner.
float parentHeight(const Tile& parent, int column, int row)
{
    const std::size_t c = std::size_t(column / 2), r = std::size_t(row / 2);
    const std::size_t right = std::size_t(column % 2), down = std::size_t(row % 2) * kSide;
    const float* at = parent.heights.data() + r * kSide + c;
    return 0.25f * ((at[0] + at[right]) + (at[down] + at[down + right]));
}

// Return the position of a child in its parent, in the child's sample intervals.
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

// Estimates the distance of a level's surface from the finest one (metres). Extrapolates from the largest distance
// between a sample and the surface through every second sample. `heights`: kTileSide^2.
float estimatedDeviation(std::span<const float> heights)
{
    // If roughness grows with distance^0.7, each finer level deviates by 0.62 times as much as the level before it. All
    // finer levels together then deviate by 1.6 times this level's distance. The factor used is smaller (0.62 * 2),
    // since extremes are rarer than a tile's samples suggest.
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

std::vector<float> deviationsFromParent(const Tile& tile, const Tile& parent)
{
    constexpr int kCell = 2 * kDeviationCell, kCells = kTileCells / kCell;  // kCell: intervals of the tile per side
    const int column = columnInParent(tile.key), row = rowInParent(tile.key);
    std::vector<float> most(std::size_t(kCells) * kCells);
    for (int r = 0; r < kTileSide; ++r)
        for (int c = 0; c < kTileSide; ++c)
        {
            const float distance = std::fabs(tile.heights[std::size_t(r) * kSide + std::size_t(c)] -
                                             parentHeight(parent, column + c, row + r));
            // Samples on a border count in the cells on both sides.
            for (int y = std::max(r - 1, 0) / kCell; y <= std::min(r / kCell, kCells - 1); ++y)
                for (int x = std::max(c - 1, 0) / kCell; x <= std::min(c / kCell, kCells - 1); ++x)
                {
                    float& cell = most[std::size_t(y * kCells + x)];
                    cell = std::max(cell, distance);
                }
        }
    return most;
}

Result<std::shared_ptr<const Tile>> TileReader::make(TileMaker& maker, const TileKey& key, const Tile* parent)
{
    return maker.make(*this, key, parent);
}

std::size_t TileSource::tileBytes() const { return kTileBytes; }

TileMaker::TileMaker(const TileSource& source)
    : source_(source), grid_(source.grid()),
      lattice_(grid_.faces() > 1 ? TileLattice::onCube(grid_)
                                 : TileLattice::onPlane(grid_.width(), grid_.height(), source.raster().pixelWidth,
                                                        source.raster().pixelHeight)),
      window_(kReadSide * kReadSide), slopes_(2 * kSamples)
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
    // Procedural detail, which the roughness controls, is added only to tiles that no finer tiles replace. Tiles of the
    // base (TileSource::baseLevel()) have roughness everywhere: the detail around finer data continues the base's.
    const int base = source_.baseLevel();
    if (!tile->refined || (key.level == base && base > 0))
        roughnessCodes(window_, kTileReadSide, kTileReadSide, tile->roughness);
    if (key.level == base) measureBase(*tile, reader);
    if (grid_.faces() > 1) evenCoarseCodes(tile->roughness, cubeSampleMetres(grid_, tile->key.level));
    if (key.level < base) markBase(*tile, reader);
    measureTileErrors(lattice_, key, window_, tile->errors);
    tile->errors.cornersAgree = lattice_.onEarth && source_.decimated();
    if (parent) tile->errors.fromParent = deviationsFromParent(*tile, *parent);
    bound(*tile);
    return std::shared_ptr<const Tile>(std::move(tile));
}

// Measures roughness and slopes of a tile of the base without the finer data that lie in it. At the base's spacing, the
// finer data are rougher and steeper. Samples with finer data all around keep the slopes of those data, for shading.
void TileMaker::measureBase(Tile& tile, const TileReader& reader)
{
    base_.resize(window_.size()), distances_.resize(window_.size());
    if (!reader.baseHeights(base_) || !reader.distances(distances_)) return;
    if (markVoids(base_)) fillVoids(base_, kTileReadSide, kTileReadSide);
    roughnessCodes(base_, kTileReadSide, kTileReadSide, tile.roughness);
    cubeSlopes(grid_, tile.key, base_, slopes_);
    for (std::size_t r = 0; r < kSide; ++r)
        for (std::size_t c = 0; c < kSide; ++c)
        {
            const auto above = distances_.begin() + std::ptrdiff_t(kFirst + (r - 1) * kReadSide + c - 1);
            bool among = true;
            for (std::ptrdiff_t i = 0; i < 9; ++i)
                among = among && above[i / 3 * kReadSide + i % 3] <= 0;
            if (among) continue;
            const std::size_t i = 2 * (r * kSide + c);
            tile.slopes[i] = halfOf(slopes_[i]), tile.slopes[i + 1] = halfOf(slopes_[i + 1]);
        }
}

// Replaces the roughness of samples outside the data finer than the base by the distance to these data. Called for
// tiles of levels finer than the base.
void TileMaker::markBase(Tile& tile, const TileReader& reader)
{
    distances_.resize(window_.size());
    if (!reader.distances(distances_)) return;
    tile.fractions.resize(kSamples);
    for (int row = 0; row < kTileSide; ++row)
        for (int column = 0; column < kTileSide; ++column)
        {
            const float metres = distances_[std::size_t((row + kTileApron) * kTileReadSide + column + kTileApron)];
            if (!(metres > 0)) continue;
            const DistanceCode distance = distanceCode(double(metres));
            tile.roughness[std::size_t(row * kTileSide + column)] = distance.code;
            tile.fractions[std::size_t(row * kTileSide + column)] = distance.fraction;
        }
}

// Fills the voids in the tile, then those around it. Only slopes, roughness and errors use the samples around it.
void TileMaker::fill(Tile& tile, const Tile* parent)
{
    copyInner(window_, tile.heights);
    tile.voids = std::uint32_t(
        std::count_if(tile.heights.begin(), tile.heights.end(), [](float height) { return std::isnan(height); }));
    if (tile.voids > 0 && parent) fillFromParent(tile, *parent);
    // The faces of a cube are filled independently and must agree at their edges. So voids of their coarsest tiles get
    // the height 0.
    if (tile.voids > 0 && !parent && grid_.faces() == 1) fillCoarsest(tile.heights, source_.raster().minHeight);
    if (tile.voids > 0 && !parent && grid_.faces() > 1)
        std::replace_if(
            tile.heights.begin(), tile.heights.end(), [](float height) { return std::isnan(height); }, 0.0f);
    for (std::size_t r = 0; r < kSide; ++r)
        std::copy_n(tile.heights.begin() + std::ptrdiff_t(r * kSide), kSide,
                    window_.begin() + std::ptrdiff_t(kFirst + r * kReadSide));
    fillVoids(window_, kTileReadSide, kTileReadSide);
}

// Computes the slopes. On the Earth they are those of cubeSlopes(). On a plane they are the source's own or, if it has
// none, central differences, one-sided at the raster's edge.
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
    // The source's bounds may leave out voids, which are filled here.
    tile.bounds.lowest = std::min(tile.bounds.lowest, *lowest);
    tile.bounds.highest = std::max(tile.bounds.highest, *highest);
}

}  // namespace orogen
