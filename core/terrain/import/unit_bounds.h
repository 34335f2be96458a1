// Bounds of all tiles in a square of kUnitSide finest intervals, and what it adds to those of the larger tiles around.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/import/block_store.h"
#include "core/terrain/tiles/tile_grid.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

// Levels whose tiles lie in a unit: 8 x 8, 4 x 4, 2 x 2 and 1 of them.
inline constexpr int kUnitLevels = 4;
static_assert(kTileCells << (kUnitLevels - 1) == kUnitSide);

struct UnitBounds
{
    // Of the tiles of levels 0 ... 3, row by row; lowest > highest where there is none.
    std::array<std::vector<TileBounds>, kUnitLevels> tiles;
    // Of level l, the largest deviation in this unit.
    std::array<float, kMostTileLevels> deviations{};

    static int side(int level) { return kUnitSide / (kTileCells << level); }  // tiles, levels 0 ... 3
    const TileBounds& whole() const { return tiles[kUnitLevels - 1].front(); }

    static constexpr std::size_t kBytes = 12 * (64 + 16 + 4 + 1) + 4 * kMostTileLevels;
    void pack(std::vector<std::byte>& out) const;
    static UnitBounds unpack(std::span<const std::byte> bytes);  // kBytes of them
};

// Samples of the coarsest level, in metres, voids filled as TileMaker fills them.
struct CoarsestLevel
{
    int width = 0, height = 0;
    std::vector<float> heights;
};
Result<CoarsestLevel> coarsestLevel(const BlockStore& store);

// One thread's work.  Voids are filled as TileMaker fills them: each with the surface of the next coarser level, so
// that the bounds are those of what is drawn.  About 25 ns a sample of eleven levels, besides reading.  Deviations are
// computed in double and rounded up.  Errors: of reading.
class UnitBounder
{
public:
    UnitBounder(const BlockStore& store, const CoarsestLevel& coarsest);

    Result<UnitBounds> bound(int column, int row);

private:
    // A level's samples around the unit, and the first of them.
    struct Window
    {
        int column = 0, row = 0, width = 0, height = 0;
        std::vector<float> heights;
        const float* line(int r) const { return heights.data() + std::size_t(r - row) * std::size_t(width); }
    };

    Status load(int level);
    void fill(int level);
    void boundFinest(UnitBounds& bounds) const;
    void boundCoarse(UnitBounds& bounds) const;
    void deviate(int level, UnitBounds& bounds);
    const double* surfaceLine(int level, int row);
    const double* interpolated(int level);
    double distanceAlong(int level, const double* surface, const float* heights, int begin, int end) const;

    const BlockStore& store_;
    const CoarsestLevel& coarsest_;
    TileGrid grid_;
    BlockReader reader_;
    int left_ = 0, top_ = 0, right_ = 0, bottom_ = 0;  // finest samples of the unit, all inside
    std::array<Window, kMostTileLevels> windows_;
    std::vector<double> line_, wholeLine_;
};

}  // namespace orogen
