// Errors of a triangulation by longest-edge bisection: one per diamond (two triangles with a common base), that is, per
// vertex, which is the base's middle (core/leb/leb.h).
//
// The error of a diamond is the largest vertical distance, within the raster, between the surface and the diamond's two
// triangles. The triangles' corners have the surface's heights. The surface is bilinear between samples; corners
// outside the raster have the height of its nearest point. "Unscaled" errors are without vertical exaggeration. Errors
// are saturated: each is at least the maximum over the diamond and all diamonds from its further bisection. So a
// diamond that must be split before another one has no smaller error.
//
// A code is one byte: 0 is no error, the others are steps of a few per cent, rounded up. Diamonds down to a unit of
// 2^finestBits lattice points, about one sample, are measured and have a code each. Smaller triangles deviate only by
// the surface's kinks at grid lines and its twist between them. Their errors shrink at least as fast as their bases. So
// one code per cell of 2^(finestBits + 1) lattice points bounds the errors divided by the base lengths.
//
// With patches of level P a leaf at depth d is drawn as triangles of depth d + 2P. The leaf's error is the maximum over
// the diamonds of that depth in it. patchErrors() computes the leaves' errors for one P, starting one level coarser
// than the vertices' codes. All codes together take at most 2 bytes per sample, plus kSmallRaster.
//
// shaders/heights/diamond_error.glsl reads the same bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "core/base/status.h"
#include "core/leb/leb.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

struct HeightField;

// Layout of the codes of diamonds of one unit 2^bits: three blocks of width x height, row by row from the south:
// diagonal bases, bases along x, bases along y. Let (x, y) be the lattice point in the middle of a diamond's base. The
// diamond is entry (x >> (bits + 1), y >> (bits + 1)) minus the origin. Diamonds outside the block do not touch the
// raster.
struct DiamondGrid
{
    enum Block
    {
        kDiagonal,
        kAlongX,
        kAlongY,
        kBlocks
    };

    std::uint32_t offset = 0;  // index of the first code in DiamondErrors::codes
    int originX = 0, originY = 0, width = 0, height = 0;

    std::uint32_t entries() const { return std::uint32_t(width) * std::uint32_t(height); }
    bool has(int x, int y) const { return x >= originX && y >= originY && x - originX < width && y - originY < height; }
    // Returns the index of a code; has(x, y) must hold.
    std::size_t index(int block, int x, int y) const
    {
        return offset + std::size_t(block) * entries() + std::size_t(y - originY) * std::size_t(width) +
               std::size_t(x - originX);
    }
};

struct DiamondErrors
{
    static constexpr std::size_t kSmallRaster = 4096;  // bytes that any raster may use

    int finestBits = 0;
    std::vector<DiamondGrid> levels;  // entry k: unit 2^(finestBits + k); the last is the whole square's
    DiamondGrid fine;                 // one block, for cells of 2^(finestBits + 1) lattice points
    std::array<float, 256> metres{};  // values of the codes, unscaled; ascending
    float fineScale = 0;              // error of a fine cell for a base at firstFineDepth(): metres[code] * fineScale
    std::vector<std::uint8_t> codes;  // levels, then fine
    // Codes for patches of level 2, laid out like levels[1]; their triangles are finer than the stored diamonds. Only
    // patchErrors() uses them.
    std::vector<std::uint8_t> secondPatch;

    bool measured() const { return !levels.empty(); }
    // Returns the first depth that is not stored. Its bases are sqrt(2) times 2^finestBits lattice points long.
    int firstFineDepth() const { return 2 * (leb::kDrawLatticeBits - 1 - finestBits) + 3; }
    std::size_t patchOffset() const { return levels.size() > 1 ? levels[1].offset : levels[0].offset; }
    std::size_t patchBytes() const { return fine.offset - patchOffset(); }
};

// Callback with the fraction done, on the calling thread; returning false stops the build.
using BoundsProgress = std::function<bool(double fraction)>;

// Range of heights for whose errors there are codes.
enum class ErrorRange
{
    kPresent,   // the range of the field now, which gives the finest steps
    kAllCodes,  // the range of all codes: for fields that will change, as updateDiamondErrors() requires
};

// Computes the errors of a field of at least 2 x 2 samples. Takes 0.25 to 0.45 microseconds of processor time per
// sample, shared by all processors. Memory: the result, and about 1 byte per sample. Error kInterrupted: `progress`
// returned false.
Result<DiamondErrors> buildDiamondErrors(const HeightField& field, const BoundsProgress& progress = {},
                                         ErrorRange range = ErrorRange::kPresent);

// Updates errors after the samples of a box changed. `before`: errors of an earlier field. `rise`: the largest change
// of a sample since then minus the smallest one, where unchanged samples count as 0 (metres). Diamonds whose unit is at
// most kExactSamples samples are measured, as in buildDiamondErrors(). Larger ones get the sum of `rise` and their
// error in `before`, or more to stay saturated. Returns the entries of each level that may have changed; those of the
// first level hold for `fine`, too. Takes about a microsecond per sample of the box on one thread.
std::vector<IndexBox> updateDiamondErrors(DiamondErrors& errors, const DiamondErrors& before, const HeightField& field,
                                          const IndexBox& box, float rise);
inline constexpr double kExactSamples = 32;

// Returns codes for patch levels above 0 (level 0 uses the vertices' codes). They are laid out like the codes of
// levels[1] and coarser levels, at offsets smaller by patchOffset(). O(patchLevel) byte operations per stored diamond.
// After a request to stop the result is useless.
std::vector<std::uint8_t> patchErrors(const DiamondErrors& errors, int patchLevel, const std::stop_token& stop = {});
// Updates the patch codes `patch` after updateDiamondErrors(), which returned `changed`. Returns the entries of each
// level that may have changed; none of the first level, which has no patch codes.
std::vector<IndexBox> updatePatchErrors(const DiamondErrors& errors, int patchLevel,
                                        const std::vector<IndexBox>& changed, std::vector<std::uint8_t>& patch);

// Returns the error (metres, unscaled) of a mesh that lacks a vertex. Requires leb::isDiamond(vertex).
float vertexError(const DiamondErrors& errors, leb::Point vertex);

// Returns the error (metres, unscaled) of a leaf drawn as a patch. `middle`: the middle of the leaf's base. `patch`:
// from patchErrors().
float leafError(const DiamondErrors& errors, const std::vector<std::uint8_t>& patch, int patchLevel, leb::Point middle);

}  // namespace orogen
