// How far a triangulation by longest-edge bisection can be from the surface: one error a diamond, which is one a vertex
// (core/leb/diamond.h).
//
// The error of a diamond is the largest vertical distance, within the raster, between the surface and the two triangles
// that share the diamond's base, drawn with the surface's heights at their corners.  The surface is bilinear between
// samples; corners outside the raster have the height of its nearest point.  Errors are saturated: of a diamond and all
// diamonds that further bisection makes of it the largest, so that none is larger than that of the diamond it hangs on.
//
// A code is one byte: 0 is no error at all, the others are steps of a few per cent, rounded up.  Diamonds down to a
// unit of 2^finestBits lattice points, about one sample, are stored and exact but for the rounding.  Below, a triangle
// of a cell sees nothing but the kinks of the surface at grid lines, and its error shrinks at least as its base does: a
// code a cell bounds what is lost over the length of a base.
//
// With patches of level P a leaf at depth d is drawn as triangles of depth d + 2P.  Its error is the largest of the
// diamonds of that depth in it: patchErrors() makes them all, for one P, a level of diamonds coarser than the vertices'
// own.  All bytes together are at most 2 a sample, and kSmallRaster.
//
// shaders/diamond_error.glsl reads the same bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/status.h"
#include "core/leb/diamond.h"

namespace orogen {

struct HeightField;

// Where the codes of the diamonds of one unit 2^bits lie: three blocks of width x height, row by row from the south:
// diagonal bases, bases along x, bases along y.  Diamond (x, y) is entry (x >> (bits + 1), y >> (bits + 1)) less the
// origin; what lies outside the block does not touch the raster.
struct DiamondGrid
{
    enum Block
    {
        kDiagonal,
        kAlongX,
        kAlongY,
        kBlocks
    };

    std::uint32_t offset = 0;  // of the first code, in DiamondErrors::codes
    int originX = 0, originY = 0, width = 0, height = 0;

    std::uint32_t entries() const { return std::uint32_t(width) * std::uint32_t(height); }
    bool has(int x, int y) const { return x >= originX && y >= originY && x - originX < width && y - originY < height; }
    // Of an entry that it has.
    std::size_t index(int block, int x, int y) const
    {
        return offset + std::size_t(block) * entries() + std::size_t(y - originY) * std::size_t(width) +
               std::size_t(x - originX);
    }
};

struct DiamondErrors
{
    static constexpr std::size_t kSmallRaster = 4096;  // bytes that any raster may take

    int finestBits = 0;
    std::vector<DiamondGrid> levels;  // entry k: of unit 2^(finestBits + k); the last is the whole square's
    DiamondGrid fine;                 // one block, of cells of 2^(finestBits + 1) lattice points
    std::array<float, 256> metres{};  // that codes stand for, unscaled; ascending
    float fineScale = 0;              // metres[code] of a fine cell times this is for a base of fineBase()
    std::vector<std::uint8_t> codes;  // levels, then fine
    // As levels[1] lies in the codes: of patches of level 2, whose triangles are finer than what is stored.  For
    // patchErrors() alone.
    std::vector<std::uint8_t> secondPatch;

    // The first depth that is not stored.  Its bases are sqrt(2) times 2^finestBits lattice points long.
    int firstFineDepth() const { return 2 * (leb::kDrawLatticeBits - 1 - finestBits) + 3; }
    std::size_t patchOffset() const { return levels.size() > 1 ? levels[1].offset : levels[0].offset; }
    std::size_t patchBytes() const { return fine.offset - patchOffset(); }
};

// Called from the thread that builds, with the fraction done; false stops.
using BoundsProgress = std::function<bool(double fraction)>;

// 0.25 to 0.45 microseconds of one processor a sample; uses all.  Memory: the result, and about 1 byte a sample more
// while it runs.  Error kInterrupted: `progress` said so.  The field has at least 2 x 2 samples.
Result<DiamondErrors> buildDiamondErrors(const HeightField& field, const BoundsProgress& progress = {});

// For patch levels above 0 (at 0 they are the vertices' own): codes of levels[1] and up, at their offsets less
// patchOffset().  O(patchLevel) byte operations a stored diamond.
std::vector<std::uint8_t> patchErrors(const DiamondErrors& errors, int patchLevel);

// Metres, unscaled: the error that a vertex leaves if it is missing.  leb::isDiamond(vertex).
float vertexError(const DiamondErrors& errors, leb::Point vertex);

// The same of a leaf drawn as a patch, by the middle of its base; `patch` as patchErrors() made it for this level.
float leafError(const DiamondErrors& errors, const std::vector<std::uint8_t>& patch, int patchLevel, leb::Point middle);

}  // namespace orogen
