// Bound of the distance between the surface and triangles about as large as a grid interval.
//
// It is the bound derived in core/terrain/bounds/cell_kinks.h, for windows at most 2 intervals wide and high: J g(2)
// plus the twist of the cells. J is the largest jump of the slope at grid lines along x and along y. g(2) = 9/16: kinks
// one interval apart are worst a quarter and five quarters into the window.
#pragma once

#include <cstdint>
#include <span>

namespace orogen {

// First column and row of the window beyond the raster; the surface ends between them and the previous ones. If there
// are none, the window's side or more.
struct TileEnd
{
    int column = 0, row = 0;
};

// Computes Tile::kinks for the cells of a tile. `window` has kTileReadSide^2 heights without NaN.
void tileKinks(std::span<const float> window, TileEnd end, std::span<std::uint16_t> out);

}  // namespace orogen
