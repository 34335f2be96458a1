// A tile as the GPU gets it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/terrain/tiles/tile_grid.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

inline constexpr int kKinkCell = 8;                       // intervals along a side of a cell of `kinks`
inline constexpr int kKinkSide = kTileCells / kKinkCell;  // cells along a side

struct Tile
{
    TileKey key;
    std::vector<float> heights;  // kTileSide^2, metres, row by row from the north-west; voids are filled
    // Pairs of half floats, kTileSide^2: metres a metre towards east and north; on the Earth as of cube_slopes.h.
    std::vector<std::uint16_t> slopes;
    std::vector<std::uint8_t> roughness;  // kTileSide^2: see core/terrain/detail/roughness.h
    // Half floats, rounded up, kKinkSide^2: in metres, how far this level's surface can lie from a triangle that
    // touches the cell and whose corners lie on it: a right one with legs along the axes, or with a base along one, at
    // most 2 intervals wide and 2 high.
    std::vector<std::uint16_t> kinks;
    TileBounds bounds;
    bool refined = true;      // TileSource::refines()
    bool boundsKnown = true;  // false: the source does not say; bounds are estimated from the tile's own samples
    std::uint32_t voids = 0;  // samples without data
};

// Bytes of one tile in the GPU's arrays: what the budget counts.
inline constexpr std::size_t kTileBytes =
    std::size_t(kTileSide) * kTileSide * (4 + 4 + 1) + 8 * (256 + 64 + 16 + 4 + 1);

}  // namespace orogen
