// A tile as uploaded to the GPU.
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
    // Pairs of half floats, kTileSide^2: metres per metre towards east and north; on the Earth as in cube_slopes.h.
    std::vector<std::uint16_t> slopes;
    std::vector<std::uint8_t> roughness;  // kTileSide^2: see core/terrain/detail/roughness.h
    // Half floats, rounded up, kKinkSide^2: bounds (metres) of the distance between this level's surface and a triangle
    // that touches the cell and has its corners on the surface. The triangle is a right one with its legs along the
    // axes, or has its base along one; it is at most 2 intervals wide and high.
    std::vector<std::uint16_t> kinks;
    TileBounds bounds;
    bool refined = true;      // TileSource::refines()
    bool boundsKnown = true;  // false: the source has none; estimated from the tile's own samples
    std::uint32_t voids = 0;  // samples without data
};

// Bytes of one tile in the GPU's arrays, counted against the budget.
inline constexpr std::size_t kTileBytes =
    std::size_t(kTileSide) * kTileSide * (4 + 4 + 1) + 8 * (256 + 64 + 16 + 4 + 1);

}  // namespace orogen
