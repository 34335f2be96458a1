#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "core/terrain/bounds/tile_errors.h"
#include "core/terrain/tiles/tile.h"
#include "tests/support/random.h"
#include "tests/support/tile_fixtures.h"

namespace orogen {
namespace {

using namespace orogen::test;
using enum CellErrors::Quarter;

// Bilinear surface of every 2^level-th sample, as a tile has it: beyond the raster the nearest sample counts.
class LevelSurface
{
public:
    LevelSurface(const Raster& raster, int level) : raster_(raster), level_(level) {}

    // Position in samples of level 0; places outside the raster have the height of its nearest place.
    double operator()(double x, double y) const
    {
        x = std::ldexp(std::clamp(x, 0.0, raster_.width - 1.0), -level_);
        y = std::ldexp(std::clamp(y, 0.0, raster_.height - 1.0), -level_);
        const int c = int(std::floor(x)), r = int(std::floor(y));
        const double u = x - c, v = y - r;
        return (1 - v) * ((1 - u) * sample(c, r) + u * sample(c + 1, r)) +
               v * ((1 - u) * sample(c, r + 1) + u * sample(c + 1, r + 1));
    }

private:
    double sample(int c, int r) const
    {
        return double(raster_.at(std::min(c << level_, raster_.width - 1), std::min(r << level_, raster_.height - 1)));
    }

    const Raster& raster_;
    int level_;
};

struct Corner
{
    double x, y;
};

// Returns how far a triangle with its corners on a surface is from the surface at a point in it.
template <class Surface>
double distanceIn(const std::array<Corner, 3>& t, Corner p, const Surface& surface)
{
    const auto cross = [](Corner a, Corner b, Corner c) {
        return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    };
    const double all = cross(t[0], t[1], t[2]);
    const double height = cross(p, t[1], t[2]) / all * surface(t[0]) + cross(t[0], p, t[2]) / all * surface(t[1]) +
                          cross(t[0], t[1], p) / all * surface(t[2]);
    return std::fabs(height - surface(p));
}

// The part of a cell (side 1, corner at the origin) that contains a point, half or quarter, as a triangle.
struct Part
{
    std::array<Corner, 3> corners;
    int quarter = -1;  // -1: half
};

Part partAt(Corner p, bool diagonal, bool rising)
{
    if (!diagonal)
    {
        const bool below = p.y < p.x, left = p.x + p.y < 1;
        const int quarter = below ? (left ? kSouth : kEast) : (left ? kWest : kNorth);
        constexpr Corner sw{0, 0}, se{1, 0}, nw{0, 1}, ne{1, 1}, middle{0.5, 0.5};
        const std::array<std::array<Corner, 3>, 4> all{
            {{sw, se, middle}, {nw, ne, middle}, {sw, nw, middle}, {se, ne, middle}}};
        return {all[std::size_t(quarter)], quarter};
    }
    if (rising) return {{Corner{0, 0}, {1, 1}, p.y < p.x ? Corner{1, 0} : Corner{0, 1}}};
    return {{Corner{1, 0}, {0, 1}, p.x + p.y < 1 ? Corner{0, 0} : Corner{1, 1}}};
}

Raster roughHills(int width, int height, double pixelWidth, double pixelHeight)
{
    Raster raster = hills(width, height);
    raster.pixelWidth = pixelWidth, raster.pixelHeight = pixelHeight;
    Random random(11);
    for (float& sample : raster.heights)
        sample += float(random.between(-10, 10)) + (random.chance(1, 50) ? float(random.between(-200, 200)) : 0.0f);
    finishRaster(raster, "rough");
    return raster;
}

using Tiles = std::map<TileKey, std::shared_ptr<Tile>>;

Tiles makeAll(const TileSource& source)
{
    Tiles tiles;
    const auto reader = std::move(*source.openReader());
    TileMaker maker(source);
    const TileGrid grid = source.grid();
    for (int level = grid.levels() - 1; level >= 0; --level)
        for (int y = 0; y < grid.rows(level); ++y)
            for (int x = 0; x < grid.columns(level); ++x)
            {
                const TileKey key{level, x, y};
                const auto parent = tiles.find(key.parent());
                tiles[key] = std::make_shared<Tile>(
                    **maker.make(*reader, key, parent == tiles.end() ? nullptr : parent->second.get()));
            }
    return tiles;
}

class TileErrorsOnPlane : public ::testing::Test
{
protected:
    void show(int width, int height, double pixelWidth, double pixelHeight)
    {
        raster_ = roughHills(width, height, pixelWidth, pixelHeight);
        source_ = rasterTiles(raster_);
        tiles_ = makeAll(*source_);
        lattice_ = TileLattice::onPlane(width, height, pixelWidth, pixelHeight);
    }

    // Checks random points of random triangles of `level`, finer by `finer` halvings of the unit, with their corners on
    // the surface of level `of`. Returns the largest share of a bound that an error reached.
    double check(int level, int of, int finer, int points)
    {
        const LevelSurface surface(raster_, of);
        const int bits = lattice_.unitBits + level;
        const double side = std::ldexp(1.0, bits + 1 - finer);
        const SurfaceLattice& on = lattice_.surface;
        double nearest = 0;
        for (int i = 0; i < points; ++i)
        {
            const Corner sample{random_.unit() * (raster_.width - 1), random_.unit() * (raster_.height - 1)};
            const Corner at{(sample.x - on.firstColumn) / on.columns, (on.lastRow - sample.y) / on.rows};
            const int x = int(at.x / side), y = int(at.y / side);
            const bool diagonal = random_.chance(1, 2);
            const Corner inside{at.x / side - x, at.y / side - y};
            const Part part = partAt(inside, diagonal, (x + y) % 2 == 0);
            const double error = distanceIn(part.corners, inside, [&](Corner p) {
                return surface(on.column((x + p.x) * side), on.row((y + p.y) * side));
            });
            const int cells = kTileCells << level;
            const Tile& tile = *tiles_.at({level, std::min(int(sample.x), raster_.width - 2) / cells,
                                           std::min(int(sample.y), raster_.height - 2) / cells});
            if (!tile.errors.own.has(x >> finer, y >> finer))
            {
                ADD_FAILURE() << "no cell " << x << ' ' << y << " at level " << level;
                return 0;
            }
            const CellErrors& cell = tile.errors.own.at(x >> finer, y >> finer);
            const auto& metres = tileErrorCodes().values();
            const double bound =
                finer > 0 ? double(metres[cell.fine]) * std::ldexp(diagonal ? 2.0 : std::sqrt(2.0), -finer)
                          : double(metres[diagonal ? cell.diagonal : cell.quarters[std::size_t(part.quarter)]]);
            EXPECT_LE(error, bound + 2e-3)
                << "level " << level << " of " << of << " at " << sample.x << ' ' << sample.y;
            if (bound > 0) nearest = std::max(nearest, error / bound);
        }
        return nearest;
    }

    Random random_{3};
    Raster raster_;
    std::shared_ptr<const TileSource> source_;
    Tiles tiles_;
    TileLattice lattice_;
};

TEST_F(TileErrorsOnPlane, BoundTrianglesAgainstTheirOwnLevel)
{
    for (const auto& [pixelWidth, pixelHeight] : {std::pair(30.0, 30.0), std::pair(20.0, 31.0)})
    {
        ASSERT_NO_FATAL_FAILURE(show(513, 301, pixelWidth, pixelHeight));
        for (int level = 0; level < 3; ++level)
        {
            EXPECT_GT(check(level, level, 0, 20'000), 0.85) << "not tight";  // codes are saturated
            check(level, level, 1, 5'000);
            check(level, level, 2, 5'000);
        }
    }
}

TEST_F(TileErrorsOnPlane, BoundTrianglesAgainstFinerLevelsOnceSeen)
{
    ASSERT_NO_FATAL_FAILURE(show(400, 301, 30, 30));
    // Goes from the finest level up: a tile's errors must be complete before its parent receives them.
    for (int level = 0; level + 1 < source_->grid().levels(); ++level)
        for (auto& [key, tile] : tiles_)
        {
            if (key.level != level) continue;
            EXPECT_TRUE(addFiner(tiles_.at(key.parent())->errors, tile->errors, (key.x & 1) + 2 * (key.y & 1)));
        }
    EXPECT_GT(check(1, 0, 0, 20'000), 0.7) << "not tight";
    EXPECT_GT(check(2, 0, 0, 20'000), 0.4) << "not tight";
    check(2, 1, 0, 5'000);
    check(1, 1, 0, 5'000);
}

// On the Earth cells are 2 x 2 intervals, and rows grow with the lattice's y.
TEST(TileErrorsOnEarth, BoundTrianglesOfATile)
{
    Random random(5);
    std::vector<float> window(std::size_t(kTileReadSide) * kTileReadSide);
    for (float& height : window)
        height = 1000.0f + float(random.unit()) * 300.0f;
    const TileGrid grid = TileGrid::onCube(4);
    TileErrors errors;
    measureTileErrors(TileLattice::onCube(grid), {1, 1, 2, 3}, window, errors);
    ASSERT_EQ(errors.own.cells.size(), std::size_t(kErrorSide) * kErrorSide);
    const auto surface = [&](double x, double y) {  // in intervals from the tile's corner
        const int c = int(std::floor(x)), r = int(std::floor(y));
        const auto at = [&](int column, int row) {
            return double(window[std::size_t(row + kTileApron) * kTileReadSide + std::size_t(column + kTileApron)]);
        };
        const double u = x - c, v = y - r;
        return (1 - v) * ((1 - u) * at(c, r) + u * at(c + 1, r)) + v * ((1 - u) * at(c, r + 1) + u * at(c + 1, r + 1));
    };
    const auto& metres = tileErrorCodes().values();
    double nearest = 0, nearestTwice = 0, nearestFine = 0;
    for (int i = 0; i < 60'000; ++i)
    {
        const int side = i % 3 == 0 ? 1 : i % 3 == 1 ? 2 : 4;  // side of the cell (intervals)
        const Corner place{random.unit() * kTileCells, random.unit() * kTileCells};
        const int x = int(place.x / side), y = int(place.y / side);
        const Corner inside{place.x / side - x, place.y / side - y};
        const bool diagonal = random.chance(1, 2);
        const Part part = partAt(inside, diagonal, (x + y) % 2 == 0);
        const double error =
            distanceIn(part.corners, inside, [&](Corner p) { return surface((x + p.x) * side, (y + p.y) * side); });
        const int column = side == 4 ? errors.twice.column : errors.own.column;
        const int row = side == 4 ? errors.twice.row : errors.own.row;
        const CellErrors& cell = side == 1   ? errors.own.at(column + x / 2, row + y / 2)
                                 : side == 2 ? errors.own.at(column + x, row + y)
                                             : errors.twice.at(column + x, row + y);
        const double exact =
            double(metres[diagonal ? cell.diagonal : cell.quarters[std::size_t(std::max(part.quarter, 0))]]);
        const double bound = side == 1 ? double(metres[cell.fine]) * (diagonal ? 0.25 : 0.0625) : exact;
        ASSERT_LE(error, bound + 1e-3) << side << " at " << place.x << ' ' << place.y;
        double& share = side == 1 ? nearestFine : side == 2 ? nearest : nearestTwice;
        share = std::max(share, error / bound);
    }
    EXPECT_GT(nearest, 0.9);
    EXPECT_GT(nearestTwice, 0.9);
    EXPECT_GT(nearestFine, 0.9);
}

// Each texel of a mipmap is the maximum over the triangles that lie in its cell, or in a quarter of it.
TEST(TileErrors, MipmapsHoldTheMaximaOfTheirTriangles)
{
    Random random(9);
    ErrorGrid grid{100, 37, 60, 50, {}};  // not all of the image
    grid.cells.resize(60 * 50);
    for (CellErrors& cell : grid.cells)
    {
        const auto code = [&] { return std::uint8_t(random.between(0, 255)); };
        cell = {code(), {code(), code(), code(), code()}, code()};
    }
    std::vector<std::byte> image(kErrorImageBytes);
    writeErrorImage(grid, image.data());
    std::size_t first = 0;
    for (int mip = 0; mip < kErrorImageLevels; first += std::size_t(16384 >> (2 * mip)), ++mip)
    {
        const int side = kErrorSide >> mip, block = 1 << mip;
        std::vector<std::array<std::uint8_t, 4>> most(std::size_t(side) * std::size_t(side));
        for (int y = grid.row; y < grid.row + grid.height; ++y)
            for (int x = grid.column; x < grid.column + grid.width; ++x)
            {
                const CellErrors& cell = grid.at(x, y);
                auto& texel = most[std::size_t(y % kErrorSide / block * side + x % kErrorSide / block)];
                texel[0] = std::max(texel[0], cell.diagonal);
                texel[3] = std::max(texel[3], cell.fine);
                for (int q = 0; q < 4; ++q)
                {
                    // The middle of the quarter, in cells from the block's middle.
                    const double dx = x % block + 0.5 + (q == kWest ? -0.3 : q == kEast ? 0.3 : 0) - block / 2.0;
                    const double dy = y % block + 0.5 + (q == kSouth ? -0.3 : q == kNorth ? 0.3 : 0) - block / 2.0;
                    std::uint8_t& code = texel[std::fabs(dy) > std::fabs(dx) ? 1 : 2];
                    code = std::max(code, cell.quarters[std::size_t(q)]);
                }
            }
        ASSERT_EQ(std::memcmp(image.data() + first, most.data(), 4 * most.size()), 0) << "mipmap " << mip;
    }
}

}  // namespace
}  // namespace orogen
