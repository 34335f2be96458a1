// Converts a window of source samples to the tile uploaded to the GPU.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/tiles/tile.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

// Returns the samples that a tile is made from: its own, and kTileApron more in every direction.
inline TileWindow windowAround(const TileKey& key)
{
    return {key.level, key.x * kTileCells - kTileApron, key.y * kTileCells - kTileApron, kTileReadSide, kTileReadSide,
            key.face};
}

// Reads and makes tiles. Not thread-safe; each thread keeps one to reuse its memory.
//
// Voids of the coarsest level are filled from their rim, on the Earth with 0; those of other levels with the surface of
// the next coarser one. So tiles agree on shared samples, a coarse level's sample is one of the finer levels', and
// filled heights stay within the known range.
class TileMaker
{
public:
    explicit TileMaker(const TileSource& source);

    // Returns a tile; takes about 1 ms besides reading. `parent`: the tile of the next coarser level; null for the
    // coarsest. Errors: those of the reader.
    Result<std::shared_ptr<const Tile>> make(TileReader& reader, const TileKey& key, const Tile* parent);

private:
    void fill(Tile& tile, const Tile* parent);
    void fillRoot(Tile& tile) const;
    void slope(Tile& tile, TileReader& reader);
    void bound(Tile& tile) const;

    const TileSource& source_;
    TileGrid grid_;
    std::vector<float> window_, slopes_;
};

// Fills voids (NaN) in kTileSide^2 heights of the coarsest level; without known heights all become `unknown`.
void fillCoarsest(std::span<float> heights, float unknown);

// Estimates the distance of a level's surface from the finest one (metres). It extrapolates the distance between these
// samples and the surface through every second of them. `heights`: kTileSide^2.
float estimatedDeviation(std::span<const float> heights);

// Returns the largest distance between a tile's samples and the surface of its parent (metres).
float distanceFromParent(const Tile& tile, const Tile& parent);

}  // namespace orogen
