// Creates the payloads of an import's records. A record holds either blocks of samples, or the bounds of up to
// kRecordUnits units. A unit is a square of kUnitSide sample intervals of the finest level. Its bounds describe all
// tiles inside it, and its contribution to the larger tiles around it.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/import/block_store.h"
#include "core/terrain/tiles/tile_grid.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

// Number of levels whose tiles fit in a unit: 8 x 8 tiles of the finest level, then 4 x 4, 2 x 2 and 1.
inline constexpr int kUnitLevels = 4;
static_assert(kTileCells << (kUnitLevels - 1) == kUnitSide);

struct UnitBounds
{
    // Bounds of the tiles of levels 0 ... 3, row by row; lowest > highest outside the raster.
    std::array<std::vector<TileBounds>, kUnitLevels> tiles;
    // Per level: largest distance of the level's surface from the finest samples in this unit (metres).
    std::array<float, kMostTileLevels> deviations{};

    static int side(int level) { return kUnitSide / (kTileCells << level); }  // tiles, levels 0 ... 3
    const TileBounds& whole() const { return tiles[kUnitLevels - 1].front(); }

    static constexpr std::size_t kBytes = 12 * (64 + 16 + 4 + 1) + 4 * kMostTileLevels;
    void pack(std::vector<std::byte>& out) const;
    static UnitBounds unpack(std::span<const std::byte> bytes);  // requires kBytes bytes
};

// Samples of the coarsest level (metres), with voids filled as by TileMaker.
struct CoarsestLevel
{
    int width = 0, height = 0;
    std::vector<float> heights;
};
// Reads the coarsest level of an import, which is one tile. Errors: those of reading.
Result<CoarsestLevel> coarsestLevel(const BlockStore& store);

// Computation of a unit's bounds. Not thread-safe; each thread has its own. Voids are filled as by TileMaker, with the
// surface of the next coarser level, so the bounds apply to the drawn surface. Takes about 25 ns per sample for eleven
// levels, besides reading. Deviations are computed in double and rounded up. Errors: those of reading.
class UnitBounder
{
public:
    UnitBounder(const BlockStore& store, const CoarsestLevel& coarsest);

    Result<UnitBounds> bound(int column, int row);

private:
    // Samples of a level around the unit, and the position of the first of them in the level.
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
    int left_ = 0, top_ = 0, right_ = 0, bottom_ = 0;  // finest samples of the unit, inclusive
    std::array<Window, kMostTileLevels> windows_;
    std::vector<double> line_, wholeLine_;
};

// Maker of record payloads. Not thread-safe; each thread has its own.
class RecordMaker
{
public:
    // `source` may be null if no record of the finest level is made, `coarsest` if no bounds are.
    RecordMaker(const BlockStore& store, const TileSource* source, const CoarsestLevel* coarsest)
        : store_(store), source_(source), coarsest_(coarsest), codec_(store.job), reader_(store)
    {
    }

    // Makes the payloads of `rows` records of the same columns, one row below the other. Errors: those of
    // reading and of toSamples().
    Status make(const ImportRecord& first, int rows, std::vector<std::vector<std::byte>>& payloads);
    // Returns whether toSamples() has refused a height: the import can never be completed.
    bool refused() const { return refused_; }

private:
    Status makeFinest(const ImportRecord& first, int rows, std::vector<std::vector<std::byte>>& payloads);
    Result<std::vector<std::byte>> makeCoarse(const ImportRecord& record);
    Result<std::vector<std::byte>> makeBounds(const ImportRecord& record);
    Status decimate(int level, int column, int row);
    std::vector<std::byte> payload(std::span<const std::uint32_t> lengths, std::span<const std::byte> blocks) const;

    const BlockStore& store_;
    const TileSource* source_;
    const CoarsestLevel* coarsest_;
    BlockCodec codec_;
    BlockReader reader_;
    std::unique_ptr<TileReader> tiles_;
    std::unique_ptr<UnitBounder> bounder_;
    std::vector<float> window_, block_ = std::vector<float>(kBlockSamples);
    bool refused_ = false;
};

}  // namespace orogen
