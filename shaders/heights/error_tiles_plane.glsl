// Errors and bounds of the ground of a plane: see error_tiles.glsl.
#ifndef OROGEN_ERROR_TILES_PLANE_GLSL
#define OROGEN_ERROR_TILES_PLANE_GLSL

// Returns the error of the triangles in a cell of the lattice, or in a quarter of it, as far as it lies in one tile.
// `whole`: a sample in that tile; `cellBits`: log2 of the cell's side (lattice units); `drawnBits`: log2 of the unit of
// the drawn triangles; `kind`: direction of their bases.
float errorInTile(Lattice low, ivec2 whole, int cellBits, int drawnBits, uint kind)
{
    SamplePlace place = insidePlace(whole, 0);
    TileCodes found = tileCodes(low, place, cellBits, drawnBits);
    int unitBits = found.unitBits;
    float error = errorAlong(found.codes, kind);
    float unit = powerOfTwo(min(drawnBits - unitBits, 0));  // the unit of the drawn triangles, in units of the level
    if (drawnBits < unitBits) error = errorMetres(found.codes.a) * unit * (kind == kDiagonalBase ? 2.0 : 1.4142137);
    if (drawnBits > unitBits)
    {
        vec3 range = rangeTexel(found.entry.slot, ivec2(0), 4);
        error = range.b - range.g;
    }
    return error;
}

float errorInCells(Lattice low, int cellBits, int drawnBits, uint kind)
{
    int level = clamp(drawnBits - errorBits(), 0, tiles.last.z), bits = 7 + level;  // kTileIntervals = 2^7
    uvec2 end = uvec2(low.xy) + (1u << cellBits);
    vec4 raster = terrain.latticeBounds;
    if (any(lessThanEqual(vec2(end), raster.xy)) || any(greaterThanEqual(vec2(low), raster.zw))) return 0.0;
    ivec4 box = samplesOfBox(low, beside(low, min(end, uvec2(1u << kDrawLatticeBits))));
    ivec2 first = box.xy >> bits, last = min(box.zw, tiles.last.xy - 1) >> bits;
    float error = 0.0;
    for (int y = first.y; y <= last.y; ++y)
        for (int x = first.x; x <= last.x; ++x)
            error = max(error, errorInTile(low, max(ivec2(x, y) << bits, box.xy), cellBits, drawnBits, kind));
    return error;
}

float leafError(Lattice point, uint patchLevel) { return leafErrorOnFace(point, patchLevel); }

vec2 groundRange(Lattice low, Lattice high) { return rangeOfSamples(samplesOfBox(low, high), 0); }

#endif
