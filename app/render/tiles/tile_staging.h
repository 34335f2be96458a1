// Tiles on their way into the GPU's arrays: a ring of buffers that stay mapped, one tile each.  A buffer is written
// again only when the GPU has passed the fence behind the copies out of it.
#pragma once

#include <cstddef>
#include <vector>

#include "app/gl/objects.h"
#include "core/terrain/tiles/tile.h"

namespace orogen::app {

// A tile as its copies read it: offsets in bytes.
struct StagedTile
{
    static constexpr int kCellLevels = 5;  // mipmaps of its cells: 16, 8, 4, 2, 1 along a side
    static constexpr std::size_t kSamples = std::size_t(kTileSide) * kTileSide;
    static constexpr std::size_t kHeights = 0, kSlopes = kHeights + 4 * kSamples, kRoughness = kSlopes + 4 * kSamples;
    static constexpr std::size_t kCells = (kRoughness + kSamples + 15) / 16 * 16;  // of the finest level first
    static constexpr std::size_t kBytes = (kCells + 8 * (256 + 64 + 16 + 4 + 1) + 255) / 256 * 256;
    static constexpr int cellSide(int level) { return kKinkSide >> level; }
    static constexpr std::size_t cellOffset(int level)
    {
        std::size_t at = kCells;
        for (int l = 0; l < level; ++l)
            at += 8 * std::size_t(cellSide(l)) * std::size_t(cellSide(l));
        return at;
    }
};

// Kinks and ranges of heights of a tile's cells with their mipmaps, as shaders/tile_error.glsl reads them; heights
// count from `base`, and bounds are rounded outwards.  `out`: from StagedTile::kCells on.
void writeCells(const Tile& tile, float base, std::byte* out);

class TileStaging
{
public:
    static constexpr int kTiles = 24;

    // Error kLimit: out of memory.
    static Result<TileStaging> create();

    // How many tiles can be staged now without waiting for the GPU.
    int free() const;
    // Writes a tile into the next buffer, waiting for it if it has to, binds it as the source of texture uploads and
    // returns where in it the tile lies.  sent() follows the copies out of it.
    std::size_t stage(const Tile& tile, float base);
    void sent();
    std::uint64_t bytes() const { return mapped_.buffer.bytes(); }

private:
    MappedBuffer mapped_;
    std::vector<Sync> fences_ = std::vector<Sync>(kTiles);
    int next_ = 0;
};

}  // namespace orogen::app
