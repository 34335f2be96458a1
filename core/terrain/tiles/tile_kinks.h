// How far triangles of about the size of a grid interval can lie from the surface between the samples.
//
// The bound of core/terrain/bounds/cell_kinks.h, which tells why it holds, for windows at most 2 intervals wide and
// high: J g(2) with J the largest jump of the slope at grid lines along x and along y, and the twist of the cells.
// g(2) = 9/16: kinks that are an interval apart are worst a quarter and five quarters into the window.
#pragma once

#include <cstdint>
#include <span>

namespace orogen {

// Columns and rows of the window that lie beyond the raster, whose surface ends between them and those before; where
// there are none, the window's side or more.
struct TileEnd
{
    int column = 0, row = 0;
};

// Half floats, rounded up, of the cells of a tile: Tile::kinks.  `window` is kTileReadSide^2 heights without NaN.
void tileKinks(std::span<const float> window, TileEnd end, std::span<std::uint16_t> out);

}  // namespace orogen
