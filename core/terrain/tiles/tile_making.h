// From what a source has around a tile to what the GPU gets of it.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/tiles/tile.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

// The samples that a tile is made from: its own, and kTileApron more in every direction.
inline TileWindow windowAround(const TileKey& key)
{
    return {key.level, key.x * kTileCells - kTileApron, key.y * kTileCells - kTileApron, kTileReadSide, kTileReadSide,
            key.face};
}

// Reads and makes tiles.  One a thread: it keeps its memory.
//
// Voids of the coarsest level are filled from their rim, on the Earth with 0; those of the others with the surface of
// the next coarser one. So all tiles agree about what they share, a coarse level's sample is one of the finer ones',
// and no filled height lies outside the known ones.
class TileMaker
{
public:
    explicit TileMaker(const TileSource& source);

    // `parent`: the tile of the next coarser level; null for the coarsest.  About 1 ms besides reading.  Errors: of the
    // reader.
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

// Fills voids (NaN) of kTileSide^2 heights of the coarsest level; all voids: all become `unknown`.
void fillCoarsest(std::span<float> heights, float unknown);

// Metres, estimated: how far the surface of a level lies from the finest one, by how far the surface of every second
// of its samples lies from these.  `heights`: kTileSide^2.
float estimatedDeviation(std::span<const float> heights);

// The largest distance between a tile's samples and the surface of its parent.
float distanceFromParent(const Tile& tile, const Tile& parent);

}  // namespace orogen
