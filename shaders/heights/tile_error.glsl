// Errors of triangles and bounds of the ground in a terrain in tiles (metres, unscaled).  Replaces diamond_error.glsl
// and the pyramid of heights.
//
// Level k has codes for the diamonds (diamond.glsl) of unit 2^(u + k) lattice units (u: errorBits()), one per cell of
// two units: core/terrain/bounds/tile_errors.h.  A diamond with a diagonal base is a cell.  One with a base along an
// axis consists of two quarters, one in the cell on either side, which may belong to different tiles and levels.
// Leaves drawn as patches use a mipmap.  Where the tile of that level is not active, its ancestor is drawn; the error
// of a smaller triangle there shrinks with its size.
//
// The neighbours' deviation widens the ranges of heights for culling and distances.  It is not part of an error: see
// tile_errors.h.
//
// Must be in scope: `terrain`, leb.glsl, diamond.glsl, heights_tiles.glsl.
#ifndef OROGEN_TILE_ERROR_GLSL
#define OROGEN_TILE_ERROR_GLSL

// r: largest range of heights in 2 x 2 intervals; g, b: lowest and highest sample above tileFacts().z; mipmap m: cells
// of kRangeCell 2^m intervals.
layout(binding = kTileRangeTexture) uniform sampler2DArray tileRanges;
// r: diagonal base; g, b: base along x and along y; a: smaller triangles.
layout(binding = kTileErrorTexture) uniform usampler2DArray tileErrors;

const int kRangeBits = 3;  // log2(kRangeCell)
const int kRangeSide = int(kTileIntervals) >> kRangeBits;
const uint kDiagonalBase = 0u, kBaseAlongX = 1u, kBaseAlongY = 2u;

int errorBits() { return int(tiles.table.w); }

// Twin of tileErrorCodes() in core/terrain/bounds/tile_errors.h; the factor covers the rounding of exp2().
float errorMetres(uint code) { return code == 0u ? 0.0 : 1.00001 * exp2((float(code) - 1.0) / 12.0 - 7.0); }

// The finest level whose samples are at least `samples` samples of level 0 apart: ceil(log2(samples)), >= 0.
int levelOf(float samples)
{
    int bits = floatBitsToInt(samples);
    return clamp((bits >> 23) - 127 + ((bits & 0x7fffff) != 0 ? 1 : 0), 0, tiles.last.z);
}

// The range texel of a cell of 2^mip by 2^mip range cells, in a slot.
vec3 rangeTexel(int slot, ivec2 cell, int mip)
{
    return texelFetch(tileRanges, slotPlace(slot, kRangeSide >> mip) + ivec3(cell >> (kRangeBits + mip), 0), mip).rgb;
}

// A place inside a cell of samples, away from its borders.
SamplePlace insidePlace(ivec2 whole, int face)
{
    SamplePlace place;
    place.whole = clamp(whole, ivec2(0), tiles.last.xy - 1);
    place.part = vec2(0.5);
    place.face = face;
    return place;
}

// The samples of a box of the lattice: first column and row, last column and row.
ivec4 samplesOfBox(Lattice low, Lattice high)
{
    ivec2 a = latticePlace(low).whole, b = latticePlace(high).whole;
    return ivec4(min(a, b), max(a, b));
}

#ifdef OROGEN_EARTH
// Heights at the corners of a box of the lattice that lies in one cell of samples (as cornersInSlot() orders them).
vec4 boxCorners(int slot, int level, Lattice low, Lattice high)
{
    TileCell c = firstCell(insidePlace(low.xy >> sampleBits(), low.z), level);
    vec4 heights = cornersInSlot(slot, c.cell);
    int bits = sampleBits() + level, inside = (1 << bits) - 1;
    vec2 from = vec2(low.xy & inside) * powerOfTwo(-bits), to = from + vec2(high.xy - low.xy) * powerOfTwo(-bits);
    return vec4(withinCell(heights, vec2(from.x, to.y)), withinCell(heights, to), withinCell(heights, vec2(to.x, from.y)),
                withinCell(heights, from));
}

float twistOf(vec4 corners) { return abs((corners.w - corners.z) - (corners.x - corners.y)); }
float lowestOf(vec4 corners) { return min(min(corners.x, corners.y), min(corners.z, corners.w)); }
float highestOf(vec4 corners) { return max(max(corners.x, corners.y), max(corners.z, corners.w)); }

// Additional error where the sea level truncates the ground, which creates a kink.  Heights range from `lowest` to
// `highest`, and over at most `most` metres within a triangle.
float missedAtShore(float lowest, float highest, float most)
{
    float above = highest - seaLevel(), below = seaLevel() - lowest;
    if (above <= 0.0 || below <= 0.0) return 0.0;
    return min(above * below / (above + below), 0.25 * most);
}

// Error in a box from `low` to `high` that is at most one cell of samples, where the surface is known.  A diagonal base
// of its triangles would have `parts` parts along a side of the box.
float errorInCell(int slot, int level, Lattice low, Lattice high, float parts, uint kind)
{
    vec4 heights = boxCorners(slot, level, low, high);
    float lowest = lowestOf(heights), highest = highestOf(heights);
    if (highest <= seaLevel()) return 0.0;  // flat sea
    float rise = max(abs(heights.w - heights.z), abs(heights.x - heights.y)) + max(abs(heights.w - heights.x), abs(heights.z - heights.y));
    float error = twistOf(heights) / (parts * parts) * (kind == kDiagonalBase ? 0.25 : 0.0625);
    return 1.0001 * error + missedAtShore(lowest, highest, rise / parts);
}
#endif

// Error of the triangles in a cell of the lattice, or in a quarter of it, as far as it lies in one tile.  `whole`: a
// sample in that tile; `cellBits`: log2 of the cell's side (lattice units); `drawnBits`: log2 of the unit of the drawn
// triangles; `kind`: direction of their bases.
float errorInTile(Lattice low, ivec2 whole, int cellBits, int drawnBits, uint kind)
{
    int wanted = clamp(drawnBits - errorBits(), 0, tiles.last.z), level = wanted;
#ifdef OROGEN_EARTH
    int face = low.z;
#else
    int face = 0;
#endif
    SamplePlace place = insidePlace(whole, face);
    TileEntry entry = activeTile(place, level);
    int unitBits = errorBits() + level;
    int mip = clamp(cellBits - 1 - unitBits, 0, 6);
    ivec2 texel = ((low.xy >> (unitBits + 1)) & (int(kErrorCells) - 1)) >> mip;
    uvec4 codes = texelFetch(tileErrors, slotPlace(entry.slot, int(kErrorCells) >> mip) + ivec3(texel, 0), mip);
    float error = errorMetres(kind == kDiagonalBase ? codes.r : kind == kBaseAlongX ? codes.g : codes.b);
    float unit = powerOfTwo(min(drawnBits - unitBits, 0));  // the unit of the drawn triangles, in units of the level
#ifdef OROGEN_EARTH
    if (drawnBits < unitBits) error = errorMetres(codes.a) * unit * unit * (kind == kDiagonalBase ? 1.0 : 0.25);
    int rangeMip = clamp(cellBits - sampleBits() - level - kRangeBits, 0, 4);
    vec3 range = rangeTexel(entry.slot, firstCell(place, level).cell, rangeMip);
    vec4 facts = tileFacts(entry);
    range.gb += facts.z;
    if (drawnBits > unitBits) error = range.b - range.g;  // triangles are larger than those of the coarsest level
    // Finer tiles may be drawn in the cell.
    float beyond = drawnBits < unitBits || level == 0 ? 0.0 : 0.5 * facts.y;
    float missing = range.b + beyond <= seaLevel()
                        ? 0.0 : error + missedAtShore(range.g - beyond, range.b + beyond, range.r * min(4.0 * unit, 1.0));
    // A loop, since a software rasteriser executes both sides of a branch.
    for (bool small = cellBits <= sampleBits() + level; small; small = false)
        missing = errorInCell(entry.slot, level, low, beside(low, uvec2(low.xy) + (1u << cellBits)), powerOfTwo(cellBits - 1 - drawnBits), kind);
    return missing;
#else
    if (drawnBits < unitBits) error = errorMetres(codes.a) * unit * (kind == kDiagonalBase ? 2.0 : 1.4142137);
    if (drawnBits > unitBits)
    {
        vec3 range = rangeTexel(entry.slot, ivec2(0), 4);
        error = range.b - range.g;
    }
    return error;
#endif
}

// Error of the triangles in a cell of the lattice, or in a quarter of it.
float errorInCells(Lattice low, int cellBits, int drawnBits, uint kind)
{
    int level = clamp(drawnBits - errorBits(), 0, tiles.last.z), bits = 7 + level;  // kTileIntervals = 2^7
    uvec2 end = uvec2(low.xy) + (1u << cellBits);
#ifdef OROGEN_EARTH
    return errorInTile(low, low.xy >> sampleBits(), cellBits, drawnBits, kind);  // cells end where tiles do
#else
    vec4 raster = terrain.latticeBounds;
    if (any(lessThanEqual(vec2(end), raster.xy)) || any(greaterThanEqual(vec2(low), raster.zw))) return 0.0;
    ivec4 box = samplesOfBox(low, beside(low, min(end, uvec2(1u << kDrawLatticeBits))));
    ivec2 first = box.xy >> bits, last = min(box.zw, tiles.last.xy - 1) >> bits;
    float error = 0.0;
    for (int y = first.y; y <= last.y; ++y)
        for (int x = first.x; x <= last.x; ++x)
            error = max(error, errorInTile(low, max(ivec2(x, y) << bits, box.xy), cellBits, drawnBits, kind));
    return error;
#endif
}

// Error of the leaves whose base has this middle and that are drawn as patches, on one face.
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
        if (all(lessThan(low, uvec2(side))))  // also false below 0
            error = max(error, errorInCells(beside(point, low), cellBits, drawnBits, kind));
    return error;
}

#ifdef OROGEN_EARTH
// Error of a flat triangle against the Earth's curvature.  Callers take the maximum over all faces.
float sagMissed(uvec2 point, uint patchLevel)
{
    float base = (diamondIsDiagonal(point) ? 2.82842712 : 2.0) * float((1u << diamondUnitBits(point)) >> patchLevel);
    float metres = base * kLongestUnit * earth.figure.x;
    return metres * metres * kSagOfSquare / terrain.pixelSize.z;
}

float leafError(Lattice point, uint patchLevel)
{
    ivec3 cube = cubePoint(point);
    float error = 0.0;
    for (int faces = facesTouching(cube); faces != 0; faces &= faces - 1)
        error = max(error, leafErrorOnFace(placeOnFace(cube, findLSB(faces)), patchLevel));
    return error + sagMissed(onSquare(point), patchLevel);
}
#else
float leafError(Lattice point, uint patchLevel) { return leafErrorOnFace(point, patchLevel); }
#endif

// Error of a mesh that lacks this vertex.
float vertexError(Lattice point) { return leafError(point, 0u); }

// Bound of the distance between a tile's level in a cell and the ground that may be drawn there (metres).
float deviationIn(vec4 facts, ivec2 cell)
{
    ivec2 at = cell >> kRangeBits;
    bool beside = any(equal(at, ivec2(0))) || any(equal(at, ivec2(kRangeSide - 1)));
    return 0.5 * (beside ? facts.w : facts.y);
}

// Bounds of the ground in the range cell that contains a sample (metres).
vec2 rangeAt(ivec2 whole, int face, int level)
{
    SamplePlace place = insidePlace(whole, face);
    TileEntry entry = activeTile(place, level);
    ivec2 cell = firstCell(place, level).cell;
    vec4 facts = tileFacts(entry);
    float deviation = deviationIn(facts, cell);
    return facts.z + rangeTexel(entry.slot, cell, 0).gb + vec2(-deviation, deviation);
}

#ifdef OROGEN_EARTH
// Like rangeAt(), for a box in one cell of the finest active level's samples; otherwise empty (low above high).
vec2 rangeInCell(Lattice low, Lattice high)
{
    SamplePlace place = insidePlace(low.xy >> sampleBits(), low.z);
    int level = 0;
    TileEntry entry = activeTile(place, level);
    int bits = sampleBits() + level;
    if (any(notEqual(low.xy >> bits, (high.xy - 1) >> bits))) return vec2(1.0e30, -1.0e30);
    vec4 heights = boxCorners(entry.slot, level, low, high);
    float deviation = deviationIn(tileFacts(entry), firstCell(place, level).cell);
    return vec2(lowestOf(heights) - deviation, highestOf(heights) + deviation);
}
#endif

// Lowest and highest ground over a box on one face, from the level of which the box touches at most 2 x 2 cells.
vec2 groundRange(Lattice low, Lattice high)
{
    ivec4 box = samplesOfBox(low, high);
    int face = latticePlace(low).face;
    ivec2 extent = box.zw - box.xy + 1;
    int level = levelOf(float(max(extent.x, extent.y)) / float(kRangeCell));
    vec2 range = vec2(1.0e30, -1.0e30);
#ifdef OROGEN_EARTH
    for (bool small = extent.x <= 2 && extent.y <= 2; small; small = false) range = rangeInCell(low, high);
    if (range.x <= range.y) return max(range, vec2(seaLevel()));
#endif
    ivec2 first = box.xy >> (kRangeBits + level), last = box.zw >> (kRangeBits + level);
    int corners = all(equal(first, last)) ? 1 : 4;  // a small box lies in one cell
    for (int i = 0; i < corners; ++i)
    {
        vec2 cell = rangeAt(ivec2((i & 1) == 0 ? box.x : box.z, (i & 2) == 0 ? box.y : box.w), face, level);
        range = vec2(min(range.x, cell.x), max(range.y, cell.y));
    }
#ifdef OROGEN_EARTH
    range = max(range, vec2(seaLevel()));
#endif
    return range;
}

#endif
