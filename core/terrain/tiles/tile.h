// A tile as uploaded to the GPU, and its making from a window of source samples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/half_float.h"
#include "core/base/status.h"
#include "core/terrain/bounds/tile_errors.h"
#include "core/terrain/tiles/tile_grid.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

// ---- tile ----

inline constexpr int kRangeCell = 8;                        // intervals along a side of the cells of height ranges
inline constexpr int kRangeSide = kTileCells / kRangeCell;  // cells along a side

struct Tile
{
    TileKey key;
    std::vector<float> heights;  // kTileSide^2, metres, row by row from the north-west; voids are filled
    // Pairs of half floats, kTileSide^2: metres per metre towards east and north; on the Earth in the axes of
    // cubeSlopes().
    std::vector<std::uint16_t> slopes;
    std::vector<std::uint8_t> roughness;  // kTileSide^2: see core/terrain/detail/roughness.h
    std::vector<std::uint8_t> fractions;  // kTileSide^2: DistanceCode::fraction; empty: no distances
    TileErrors errors;
    std::vector<std::uint8_t> colours;  // imagery (imagery/colour_tiles.h); then the vectors above are empty
    TileBounds bounds;
    bool refined = true;      // TileSource::refines()
    bool boundsKnown = true;  // false: the source has none; estimated from the tile's own samples
    std::uint32_t voids = 0;  // samples without data
};

// Bytes of one tile in the GPU's arrays, counted against the budget.
inline constexpr std::size_t kTileBytes =
    std::size_t(kTileSide) * kTileSide * (4 + 4 + 2) + 8 * (256 + 64 + 16 + 4 + 1) + kErrorImageBytes;

// ---- making ----

// Returns the samples that a tile is made from: its own, and kTileApron more in every direction.
inline TileWindow windowAround(const TileKey& key)
{
    return {key.level, key.x * kTileCells - kTileApron, key.y * kTileCells - kTileApron, kTileReadSide, kTileReadSide,
            key.face};
}

// Reads and makes tiles. Not thread-safe; each thread keeps one to reuse its memory.
//
// Voids of the coarsest level are filled from the samples around them, on the Earth with 0. Voids of other levels are
// filled with the surface of the next coarser level. So tiles agree on shared samples, and a void has the same filled
// height at all levels at which it is a void. On a plane, filled heights stay within the range of known heights.
class TileMaker
{
public:
    explicit TileMaker(const TileSource& source);

    // Returns a tile. Takes about 2 ms on the Earth and 4 ms on a plane, not counting the reading. `parent`: the tile
    // of the next coarser level; null for the coarsest. Errors: those of the reader.
    Result<std::shared_ptr<const Tile>> make(TileReader& reader, const TileKey& key, const Tile* parent);

private:
    void fill(Tile& tile, const Tile* parent);
    void slope(Tile& tile, TileReader& reader);
    void bound(Tile& tile) const;
    void measureBase(Tile& tile, const TileReader& reader);
    void markBase(Tile& tile, const TileReader& reader);

    const TileSource& source_;
    TileGrid grid_;
    TileLattice lattice_;
    std::vector<float> window_, slopes_, distances_, base_;
};

// Fills voids (NaN) in kTileSide^2 heights of the coarsest level. If no height is known, all become `unknown` (metres).
void fillCoarsest(std::span<float> heights, float unknown);

// Returns the distances between a tile's samples and the surface of its parent: see TileErrors::fromParent.
std::vector<float> deviationsFromParent(const Tile& tile, const Tile& parent);

// Computes the slopes of a tile of the Earth by central differences: the gradient of the heights along the ellipsoid
// (metres per metre). `window` has kTileReadSide^2 heights around the tile; `out` receives kTileSide^2 pairs.
//
// The components are along e1, the unit tangent of a face's x at the sample, and e2 = N x e1; N is the local vertical.
// A face's x and y are neither orthogonal nor uniform in metres. Both effects follow from the metric of the mapping
// (core/planet/cube_lattice.h) at each sample.
void cubeSlopes(const TileGrid& grid, const TileKey& key, std::span<const float> window, std::span<float> out);

}  // namespace orogen
