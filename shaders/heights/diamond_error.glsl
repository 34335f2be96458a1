// Errors of diamonds (metres, unscaled); core/terrain/bounds/diamond_errors.h defines them and their layout.
//
// Must be in scope: TerrainUniforms `terrain`, leb.glsl, diamond.glsl, uint errorCode(uint index).
#ifndef OROGEN_DIAMOND_ERROR_GLSL
#define OROGEN_DIAMOND_ERROR_GLSL

const uint kNoErrorCode = 0xffffffffu;

float errorMetres(uint code) { return terrain.errorMetres[code >> 2u][code & 3u]; }

// Returns the index of the code of entry (x, y) in a block of a DiamondGrid; kNoErrorCode outside the grid.
uint errorIndex(uvec4 grid, uint block, uint x, uint y)
{
    uint width = grid.z & 0xffffu;
    uint height = grid.z >> 16u;
    uint column = x - (grid.y & 0xffffu);
    uint row = y - (grid.y >> 16u);
    if (column >= width || row >= height) return kNoErrorCode;
    return grid.x + (block * height + row) * width + column;
}

// Returns the error of a diamond finer than the stored levels, whose leaves are drawn as patches, 2 * patchLevel depths
// finer.
float fineError(uvec2 point, uint patchLevel)
{
    uint unit = 1u << diamondUnitBits(point);
    uint side = 1u << kDrawLatticeBits;
    uint bits = terrain.errorFinestBits + 1u;
    uvec4 cells = terrain.errorGrids[kMaxErrorLevels];
    uint lowX = (point.x - min(point.x, unit)) >> bits;
    uint lowY = (point.y - min(point.y, unit)) >> bits;
    uint highX = (min(point.x + unit, side) - 1u) >> bits;
    uint highY = (min(point.y + unit, side) - 1u) >> bits;
    uint code = 0u;
    for (uint y = lowY; y <= highY; ++y)
        for (uint x = lowX; x <= highX; ++x)
        {
            uint index = errorIndex(cells, 0u, x, y);
            if (index != kNoErrorCode) code = max(code, errorCode(index));
        }
    // A base shrinks by 1 / sqrt(2) at each depth, from the first depth that is not stored.
    uint steps = diamondDepth(point) + 2u * patchLevel - 2u * (kDrawLatticeBits - 1u - terrain.errorFinestBits) - 3u;
    float share = ((steps & 1u) != 0u ? 0.7071068f : 1.0f) / float(1u << (steps >> 1u));
    return errorMetres(code) * terrain.errorFineScale * share;
}

// Returns the index of a stored diamond's code; kNoErrorCode if the diamond does not touch the raster.
uint storedErrorIndex(uvec2 point)
{
    uint bits = diamondUnitBits(point);
    uint block = diamondIsDiagonal(point) ? 0u : (((point.x >> bits) & 1u) != 0u ? 1u : 2u);
    uvec4 grid = terrain.errorGrids[bits - terrain.errorFinestBits];
    return errorIndex(grid, block, point.x >> (bits + 1u), point.y >> (bits + 1u));
}

// Returns the error of the leaves whose base has this middle, drawn as patches.  Undefined for the square's corners.
// Each of the two bounds is computed at one place, because a software rasteriser executes both sides of a branch.
float leafError(uvec2 point, uint patchLevel)
{
    uint bits = diamondUnitBits(point), drawn = min(patchLevel, 1u);
    float fine = 0.0f, stored = 0.0f;
    if (bits < terrain.errorFinestBits + drawn) fine = fineError(point, patchLevel);
    if (bits >= terrain.errorFinestBits)
    {
        uint index = storedErrorIndex(point);
        uint patchOffset = bits > terrain.errorFinestBits ? drawn * terrain.errorPatchOffset : 0u;
        if (index != kNoErrorCode) stored = errorMetres(errorCode(index + patchOffset));
    }
    if (bits < terrain.errorFinestBits) return fine;
    if (bits == terrain.errorFinestBits && patchLevel > 0u) return min(fine, max(stored, 0.6f * fine));
    return stored;
}

float leafError(Lattice point, uint patchLevel) { return leafError(onSquare(point), patchLevel); }

#endif
