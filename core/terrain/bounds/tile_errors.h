// Errors of the triangles of a tile, as byte codes, one entry per cell of the draw lattice.
//
// Level k of a terrain in tiles stores the errors of the diamonds (two triangles with a common base, core/leb/leb.h) of
// unit 2^(unitBits + k) lattice points. That unit is about one to two sample intervals. The level's cells are squares
// with sides of two units. A cell is the diamond with a diagonal base, or the four quarters that its two diagonals cut:
// each is half of a diamond whose base is a side of the cell. So every code belongs to one cell, and a tile needs no
// other tile.
//
// A code is the largest vertical distance between a triangle and the surfaces that contain its corners. The surfaces
// are the tile's own level and the finer levels seen so far (addFiner()). So a code bounds the error whichever of
// these levels is drawn. Finer tiles that were never resident do not raise codes: no split would help there. The
// distance to the tile's own and to the next finer level is measured. For still finer levels, the largest distance
// of the next finer level from them is added, once for the cell and once for its corners. On the Earth the corners
// are samples of all levels, if coarse levels are subsets of the finer levels' samples: then the corners add
// nothing.
//
// Codes are saturated across levels: the code of a triangle is no smaller than those of the triangles that bisection
// makes of it, as far as they lie in the tile. The code is also at least kErrorMargin times those of the triangles two
// bisections finer.
//
// Where tiles of different levels meet, a vertex on the border has the coarser height (heights_tiles.glsl). Cells of
// the Earth end at borders, so such a vertex is a corner of a cell. It lies off the finer surface by the distance
// between the levels at that place. No split reduces that distance, so codes leave it out. It vanishes where both tiles
// are as fine as the distance from the camera asks: distanceWeight() in core/terrain/tiles/tile_place.h.
//
// shaders/heights/error_tiles.glsl reads the codes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/terrain/bounds/diamond_deviations.h"
#include "core/terrain/bounds/error_codes.h"
#include "core/terrain/tiles/tile_grid.h"

namespace orogen {

// Position of the draw lattice over a terrain in tiles.
struct TileLattice
{
    bool onEarth = false;    // lattice points are samples, and y grows with rows
    int unitBits = 0;        // log2 of level 0's unit (lattice points); negative from about 2^22 samples per side on
    SurfaceLattice surface;  // on a plane, of the samples of level 0

    // Sides in samples, pixels in metres.
    static TileLattice onPlane(int width, int height, double pixelWidth, double pixelHeight);
    static TileLattice onCube(const TileGrid& grid);
};

inline constexpr int kErrorSide = 64;        // texels along a side of a tile's image of codes
inline constexpr int kErrorImageLevels = 7;  // mipmaps, the full image included
inline constexpr std::size_t kErrorImageBytes = 4 * (4096 + 1024 + 256 + 64 + 16 + 4 + 1);
inline constexpr int kDeviationCell = 2;  // intervals along a side of the cells of deviations in TileErrors

// Returns the codes of all tiles: 8 mm to 18.4 km, twelve steps for each factor of 2. errorMetres() in
// shaders/heights/error_tiles.glsl computes the same.
const ErrorCodes& tileErrorCodes();

// Codes of a cell.
struct CellErrors
{
    enum Quarter
    {
        kSouth,
        kNorth,
        kWest,
        kEast
    };
    std::uint8_t diagonal = 0;
    std::array<std::uint8_t, 4> quarters{};  // by the side of the cell that is the base; north: larger y
    // Bounds smaller triangles. On the Earth: the largest twist (mixed second difference) of a square of one interval.
    // The bilinear surface deviates from a triangle in it by the twist, times the squared unit in intervals; a quarter
    // of it for axis-aligned bases. On a plane: the error of a diamond with a diagonal base and half the unit. Errors
    // of other diamonds are in proportion to the length of the base.
    std::uint8_t fine = 0;
};

// Cells by lattice column and row, those of a tile's extent.
struct ErrorGrid
{
    int column = 0, row = 0, width = 0, height = 0;  // first cell, and number of cells
    std::vector<CellErrors> cells;

    bool has(int x, int y) const { return x >= column && y >= row && x - column < width && y - row < height; }
    CellErrors& at(int x, int y) { return cells[std::size_t(y - row) * std::size_t(width) + std::size_t(x - column)]; }
    const CellErrors& at(int x, int y) const { return const_cast<ErrorGrid*>(this)->at(x, y); }
};

struct TileErrors
{
    ErrorGrid own;
    ErrorGrid twice;  // diamonds of twice the unit, on this tile's surface: the parent's cells
    // Cells of kDeviationCell intervals of this tile that each column and row of `twice` touches: first and last.
    std::vector<std::array<std::uint8_t, 2>> touchedColumns, touchedRows;
    // Largest distance of this tile's samples from the parent's surface, by the parent's cells of kDeviationCell
    // intervals (metres). Row by row, for the quarter that this tile covers. Empty without a parent, and in tiles of
    // colours.
    std::vector<float> fromParent;
    // Largest distance of this tile's surface from the finer ones seen, by its cells of kDeviationCell intervals
    // (metres); empty until one is seen.
    std::vector<float> deviation;
    bool cornersAgree = false;  // corners of diamonds are samples of all levels
};

// Measures `own`, `twice` and `touched...`. `window`: kTileReadSide^2 heights around the tile, without NaN. Leaves all
// empty on a plane for levels whose unit the draw lattice does not have. Takes about 1 ms on the Earth, 3 ms on a
// plane.
void measureTileErrors(const TileLattice& lattice, const TileKey& key, std::span<const float> window,
                       TileErrors& errors);

// Raises a tile's codes and deviations by those of a child, about 10,000 byte operations. Returns whether any changed.
// `quadrant`: position of the child in the tile, x + 2 y (0 to 3).
bool addFiner(TileErrors& errors, const TileErrors& child, int quadrant);

// Writes a tile's image: kErrorSide^2 texels of four bytes, then the mipmaps. A cell's texel is its column and row
// modulo the side. Bytes: diagonal, larger of south and north, larger of west and east, fine. In a mipmap, the bytes of
// a block of cells are maxima over the triangles of these cells that lie in its diamond or quarters.
void writeErrorImage(const ErrorGrid& grid, std::byte* out);

}  // namespace orogen
