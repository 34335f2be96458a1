// Ring of persistently mapped staging buffers for tile uploads, one tile each.  A buffer is reused only after the GPU
// has passed the fence behind its copies.
#pragma once

#include <cstddef>
#include <vector>

#include "app/gl/objects.h"
#include "core/terrain/tiles/tile.h"

namespace orogen::app {

// Layout of a staged tile: offsets in bytes.
struct StagedTile
{
    static constexpr int kCellLevels = 5;  // mip levels of its cells: 16, 8, 4, 2, 1 per side
    static constexpr std::size_t kSamples = std::size_t(kTileSide) * kTileSide;
    static constexpr std::size_t kHeights = 0, kSlopes = kHeights + 4 * kSamples, kRoughness = kSlopes + 4 * kSamples;
    static constexpr std::size_t kCells = (kRoughness + kSamples + 15) / 16 * 16;  // finest level first
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

// Writes kinks and height ranges of a tile's cells with their mip levels, as shaders/tile_error.glsl reads them.
// Heights are relative to `base`; bounds are rounded outwards.  `out`: address of StagedTile::kCells.
void writeCells(const Tile& tile, float base, std::byte* out);

class TileStaging
{
public:
    static constexpr int kTiles = 24;

    // Error kLimit: out of memory.
    static Result<TileStaging> create();

    // Returns how many tiles can be staged without waiting for the GPU.
    int free() const;
    // Writes a tile into the next buffer, waiting for the GPU if necessary.  Binds the buffer as the source of texture
    // uploads and returns the tile's offset in it.  Call sent() after the copies.
    std::size_t stage(const Tile& tile, float base);
    void sent();
    std::uint64_t bytes() const { return mapped_.buffer.bytes(); }

private:
    MappedBuffer mapped_;
    std::vector<Sync> fences_ = std::vector<Sync>(kTiles);
    int next_ = 0;
};

}  // namespace orogen::app
