// Errors of triangles and bounds of the ground in a terrain in tiles (metres, unscaled).  Replaces diamond_error.glsl
// and the pyramid of heights.
//
// Level k has codes for the diamonds (diamond.glsl) of unit 2^(u + k) lattice units (u: errorBits()), one per cell of
// two units: core/terrain/bounds/tile_errors.h.  A diamond with a diagonal base is a cell.  A diamond with a base along
// an axis consists of two quarters of cells, one on either side of the base.  The two cells may belong to different
// tiles and levels.  Leaves drawn as patches use a mipmap.  Where the tile of that level is not active, its ancestor is
// drawn.  Triangles smaller than the ancestor's codes stand for have smaller errors: in proportion to their size on a
// plane, to its square on the Earth.
//
// The deviation of neighbouring tiles from finer data widens the ranges of heights for culling and distances.  It is
// not part of an error: see tile_errors.h.
//
// Must be in scope: `terrain`, leb.glsl, diamond.glsl, heights_tiles.glsl.
#ifndef OROGEN_ERROR_TILES_GLSL
#define OROGEN_ERROR_TILES_GLSL

// r: largest range of heights in 2 x 2 intervals; g, b: lowest and highest sample, relative to tileFacts().z; mipmap m
// has cells of kRangeCell 2^m intervals.
layout(binding = kTileRangeTexture) uniform sampler2DArray tileRanges;
// Error codes of triangles by their base: r: diagonal; g, b: along x, along y; a: smaller triangles.
layout(binding = kTileErrorTexture) uniform usampler2DArray tileErrors;

const int kRangeBits = 3;  // log2(kRangeCell)
const int kRangeSide = int(kTileIntervals) >> kRangeBits;
const uint kDiagonalBase = 0u, kBaseAlongX = 1u, kBaseAlongY = 2u;

int errorBits() { return int(tiles.table.w); }

// Returns the value of a code (metres), as tileErrorCodes() in core/terrain/bounds/tile_errors.h.  The factor covers
// the rounding of exp2().
float errorMetres(uint code) { return code == 0u ? 0.0 : 1.00001 * exp2((float(code) - 1.0) / 12.0 - 7.0); }

// Returns the finest level whose samples are at least `samples` samples of level 0 apart: ceil(log2(samples)), >= 0.
int levelOf(float samples)
{
    int bits = floatBitsToInt(samples);
    return clamp((bits >> 23) - 127 + ((bits & 0x7fffff) != 0 ? 1 : 0), 0, tiles.last.z);
}

// Returns the texel of tileRanges for a cell of samples in a slot.  `mip`: the texel covers 2^mip x 2^mip range cells.
vec3 rangeTexel(int slot, ivec2 cell, int mip)
{
    return texelFetch(tileRanges, slotPlace(slot, kRangeSide >> mip) + ivec3(cell >> (kRangeBits + mip), 0), mip).rgb;
}

// Returns the place in the middle of a cell of samples, away from its borders.
SamplePlace insidePlace(ivec2 whole, int face)
{
    SamplePlace place;
    place.whole = clamp(whole, ivec2(0), tiles.last.xy - 1);
    place.part = vec2(0.5);
    place.face = face;
    return place;
}

// Returns the samples of a box of the lattice: first column and row, last column and row.
ivec4 samplesOfBox(Lattice low, Lattice high)
{
    ivec2 a = latticePlace(low).whole, b = latticePlace(high).whole;
    return ivec4(min(a, b), max(a, b));
}

// The error codes of a cell of the lattice, or of a quarter of it, as far as it lies in one tile.
struct TileCodes
{
    TileEntry entry;
    int level, unitBits;  // level of the tile, and log2 of its codes' unit (lattice units)
    uvec4 codes;
};

// Returns the codes of the part of a cell that lies in one tile.  `low`: the cell's lower corner; `place`: a place in
// that tile.
TileCodes tileCodes(Lattice low, SamplePlace place, int cellBits, int drawnBits)
{
    TileCodes found;
    found.level = clamp(drawnBits - errorBits(), 0, tiles.last.z);
    found.entry = activeTile(place, found.level);
    found.unitBits = errorBits() + found.level;
    int mip = clamp(cellBits - 1 - found.unitBits, 0, 6);
    ivec2 texel = ((low.xy >> (found.unitBits + 1)) & (int(kErrorCells) - 1)) >> mip;
    found.codes = texelFetch(tileErrors, slotPlace(found.entry.slot, int(kErrorCells) >> mip) + ivec3(texel, 0), mip);
    return found;
}

float errorAlong(uvec4 codes, uint kind)
{
    return errorMetres(kind == kDiagonalBase ? codes.r : kind == kBaseAlongX ? codes.g : codes.b);
}

// Returns the error of the triangles in a cell of the lattice, or in a quarter of it.  `cellBits`: log2 of the cell's
// side (lattice units); `drawnBits`: log2 of the unit of the drawn triangles; `kind`: direction of their bases.
float errorInCells(Lattice low, int cellBits, int drawnBits, uint kind);

// Returns the error, on one face, of the leaves whose base has this middle and that are drawn as patches.
float leafErrorOnFace(Lattice point, uint patchLevel)
{
    uvec2 square = onSquare(point);
    uint bits = diamondUnitBits(square), side = 1u << kDrawLatticeBits;
    int cellBits = int(bits) + 1, drawnBits = int(bits) - int(patchLevel);
    uint kind = diamondIsDiagonal(square) ? kDiagonalBase : ((square.x >> bits) & 1u) != 0u ? kBaseAlongX : kBaseAlongY;
    // The cell that begins at or after the point; for bases along an axis, also the cell on the other side.
    uvec2 low = square >> cellBits << cellBits, before = uvec2(kind == kBaseAlongY ? 1u : 0u, kind == kBaseAlongX ? 1u : 0u) << cellBits;
    int sides = kind == kDiagonalBase ? 1 : 2;
    float error = 0.0;
    for (int i = 0; i < sides; ++i, low -= before)
        if (all(lessThan(low, uvec2(side))))  // also false if `low` has wrapped around below 0
            error = max(error, errorInCells(beside(point, low), cellBits, drawnBits, kind));
    return error;
}

// Returns a bound of the distance between a tile's heights in a cell and the ground that may be drawn there (metres).
// `facts`: from tileFacts(), which holds twice the deviations.  At a tile's border, neighbours count, too.
float deviationIn(vec4 facts, ivec2 cell)
{
    ivec2 at = cell >> kRangeBits;
    bool beside = any(equal(at, ivec2(0))) || any(equal(at, ivec2(kRangeSide - 1)));
    return 0.5 * (beside ? facts.w : facts.y);
}

// Returns bounds of the ground in the range cell that contains a sample (metres).
vec2 rangeAt(ivec2 whole, int face, int level)
{
    SamplePlace place = insidePlace(whole, face);
    TileEntry entry = activeTile(place, level);
    ivec2 cell = firstCell(place, level).cell;
    vec4 facts = tileFacts(entry);
    float deviation = deviationIn(facts, cell);
    return facts.z + rangeTexel(entry.slot, cell, 0).gb + vec2(-deviation, deviation);
}

// Returns the lowest and the highest ground over a box of samples on one face.  Reads the level at which the box
// touches at most 2 x 2 range cells.
vec2 rangeOfSamples(ivec4 box, int face)
{
    ivec2 extent = box.zw - box.xy + 1;
    int level = levelOf(float(max(extent.x, extent.y)) / float(kRangeCell));
    ivec2 first = box.xy >> (kRangeBits + level), last = box.zw >> (kRangeBits + level);
    int corners = all(equal(first, last)) ? 1 : 4;  // a small box lies in one cell
    vec2 range = vec2(1.0e30, -1.0e30);
    for (int i = 0; i < corners; ++i)
    {
        vec2 cell = rangeAt(ivec2((i & 1) == 0 ? box.x : box.z, (i & 2) == 0 ? box.y : box.w), face, level);
        range = vec2(min(range.x, cell.x), max(range.y, cell.y));
    }
    return range;
}

#include "shaders/heights/error_tiles_@world.glsl"

#endif
