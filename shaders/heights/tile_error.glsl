// Errors of triangles and bounds of the ground in a terrain in tiles (metres, unscaled).  Replaces diamond_error.glsl
// and the pyramid of heights.
//
// A triangle with legs of at most 2^(k + 1) samples belongs to level k.  Its distance from that level's surface is
// bounded by the kink value of its cell.  Its distance from the data adds twice the tile's deviation from them: once
// for its corners, once for the surface.  Where that tile is not active, its ancestor's surface is drawn: there, as
// below level 0, the error of a smaller triangle shrinks in proportion.
//
// Must be in scope: `terrain`, leb.glsl, diamond.glsl, heights_tiles.glsl.
#ifndef OROGEN_TILE_ERROR_GLSL
#define OROGEN_TILE_ERROR_GLSL

// r: kink value; g, b: lowest and highest sample above tileFacts().z; mipmap m: cells of kKinkCell 2^m intervals.
layout(binding = kTileKinkTexture) uniform sampler2DArray tileKinks;

const int kKinkBits = 3;                                  // log2(kKinkCell)
const int kKinkSide = int(kTileIntervals) >> kKinkBits;

// The finest level whose samples are at least `samples` samples of level 0 apart: ceil(log2(samples)), >= 0.
int levelOf(float samples)
{
    int bits = floatBitsToInt(samples);
    return clamp((bits >> 23) - 127 + ((bits & 0x7fffff) != 0 ? 1 : 0), 0, tiles.last.z);
}

// Bounds of the cell that contains a sample (metres).  `error`: twice the deviation; `level`: the level found.
struct CellBounds
{
    float kink, error, lowest, highest;
    int level;
};

CellBounds cellBounds(ivec2 whole, int face, int level, int mip)
{
    SamplePlace place;
    place.whole = min(whole, tiles.last.xy - 1);
    place.part = vec2(0.5);
    place.face = face;
    CellBounds bounds;
    bounds.level = level;
    TileEntry entry = activeTile(place, bounds.level);
    TileCell c = firstCell(place, bounds.level);
    vec4 facts = tileFacts(entry);
    ivec3 at = slotPlace(entry.slot, kKinkSide >> mip) + ivec3(c.cell >> (kKinkBits + mip), 0);
    vec3 cell = texelFetch(tileKinks, at, mip).rgb;
    bounds.kink = cell.r;
    ivec2 kinkCell = c.cell >> (kKinkBits + mip);
    bool beside = any(equal(kinkCell, ivec2(0))) || any(equal(kinkCell, ivec2((kKinkSide >> mip) - 1)));
    bounds.error = beside ? facts.w : facts.y;
    bounds.lowest = facts.z + cell.g - 0.5 * bounds.error;
    bounds.highest = facts.z + cell.b + 0.5 * bounds.error;
    return bounds;
}

#ifdef OROGEN_EARTH
// Additional error where the sea level truncates the ground, which creates a kink.  Heights range from `lowest` to
// `highest`, and over at most `most` metres within the triangle.
float missedAtShore(float lowest, float highest, float most)
{
    float above = highest - seaLevel(), below = seaLevel() - lowest;
    if (above <= 0.0 || below <= 0.0) return 0.0;
    return min(above * below / (above + below), 0.25 * most);
}
#endif

// Error of a triangle of `level` whose base's middle has a unit of `samples` samples: legs of at most 2 * `samples`.
float missed(CellBounds bounds, float samples, int level)
{
    float share = min(samples * powerOfTwo(-bounds.level), 1.0);
    float own = bounds.level == level ? bounds.error : 0.0;
    float missing = bounds.level == level && level > 0 ? bounds.kink + own : bounds.kink * share + own;
#ifdef OROGEN_EARTH
    if (bounds.highest + own <= seaLevel()) return 0.0;  // flat sea
    missing += missedAtShore(bounds.lowest, bounds.highest, (bounds.highest - bounds.lowest) * min(4.0 * share, 1.0));
#endif
    return missing;
}

const float kNowhere = 1.0e30;

// As missed(), for a triangle within half a sample interval of a place, from the samples around it: the bound of
// core/terrain/bounds/finer_bounds.h for windows of less than an interval.  kNowhere if they are not available.
float missedAround(SamplePlace place, float samples, float reach)
{
    int level = 0;
    TileEntry entry = activeTile(place, level);
    TileCell c = firstCell(place, level);
    float window = 2.0 * samples * powerOfTwo(-level);
    bool inside = all(greaterThan(c.cell, ivec2(0))) && all(lessThan(c.cell, ivec2(kTileIntervals) - 1));
    if (!inside || reach * powerOfTwo(-level) > 0.5) return kNowhere;
    ivec3 at = slotPlace(entry.slot, int(kTileIntervals) + 1) + ivec3(c.cell - 1, 0);
    mat4 h;  // columns of samples
    for (int i = 0; i < 16; ++i) h[i & 3][i >> 2] = texelFetch(tileHeights, at + ivec3(i & 3, i >> 2, 0), 0).r;
    vec4 jumpX = max(abs(h[0] - 2.0 * h[1] + h[2]), abs(h[1] - 2.0 * h[2] + h[3]));
    vec4 jumpY = vec4(0.0);
    vec3 twist = vec3(0.0);
    for (int i = 0; i < 4; ++i)
        jumpY[i] = max(abs(h[i].x - 2.0 * h[i].y + h[i].z), abs(h[i].y - 2.0 * h[i].z + h[i].w));
    for (int i = 0; i < 3; ++i) twist = max(twist, abs((h[i + 1] - h[i]).yzw - (h[i + 1] - h[i]).xyz));
    float bend = max(max(jumpX.x, jumpX.y), max(jumpX.z, jumpX.w)) + max(max(jumpY.x, jumpY.y), max(jumpY.z, jumpY.w));
    return 1.0001 * window * (0.25 * bend + 0.25 * window * max(max(twist.x, twist.y), twist.z));
}

// The lower of two bounds.  The second ignores the sea.
float lessOfBoth(float missing, float around, float lowest)
{
#ifdef OROGEN_EARTH
    if (lowest < seaLevel()) return missing;
#endif
    return min(missing, around);
}

// Error where this vertex is missing, on one face.
float vertexErrorOnFace(Lattice point)
{
    float samples = samplesOf(float(1u << diamondUnitBits(onSquare(point))));
    int level = levelOf(samples);
    SamplePlace place = latticePlace(point);
    CellBounds bounds = cellBounds(place.whole, place.face, level, 0);
    return lessOfBoth(missed(bounds, samples, level), missedAround(place, samples, samples), bounds.lowest);
}

// The samples of a box of the lattice: first column and row, last column and row.
ivec4 samplesOfBox(Lattice low, Lattice high)
{
    ivec2 a = latticePlace(low).whole, b = latticePlace(high).whole;
    return ivec4(min(a, b), max(a, b));
}

ivec2 cornerOf(ivec4 box, int i) { return ivec2((i & 1) == 0 ? box.x : box.z, (i & 2) == 0 ? box.y : box.w); }

// Error of the leaves that share the base with this middle and are drawn as patches: the maximum over their vertices,
// which lie in the cells of the corners of the leaves' box.
float leafErrorOnFace(Lattice point, uint patchLevel)
{
    uvec2 square = onSquare(point);
    uint unit = 1u << diamondUnitBits(square), side = 1u << kDrawLatticeBits;
    float samples = samplesOf(float(unit)) / float(1u << patchLevel);
    int level = levelOf(samples), mip = clamp(int(patchLevel) - 2, 0, 4);
    ivec4 box = samplesOfBox(beside(point, square - min(square, uvec2(unit))), beside(point, min(square + unit, uvec2(side))));
    float error = 0.0, lowest = 1.0e30;
    SamplePlace place = latticePlace(point);
    int corners = patchLevel == 0u ? 1 : 4;  // without patches, leaves touch the cell of their middle
    for (int i = 0; i < corners; ++i)
    {
        CellBounds bounds = cellBounds(corners == 1 ? place.whole : cornerOf(box, i), place.face, level, mip);
        error = max(error, missed(bounds, samples, level));
        lowest = min(lowest, bounds.lowest);
    }
    return lessOfBoth(error, missedAround(place, samples, samples * float(1u << patchLevel)), lowest);
}

#ifdef OROGEN_EARTH
// Error of a flat triangle against the Earth's curvature.  Callers take the maximum over all faces.
float sagMissed(uvec2 point, uint patchLevel)
{
    float base = (diamondIsDiagonal(point) ? 2.82842712 : 2.0) * float((1u << diamondUnitBits(point)) >> patchLevel);
    float metres = base * kLongestUnit * earth.figure.x;
    return metres * metres * kSagOfSquare / terrain.pixelSize.z;
}

float vertexError(Lattice point)
{
    ivec3 cube = cubePoint(point);
    float error = 0.0;
    for (int faces = facesTouching(cube); faces != 0; faces &= faces - 1)
        error = max(error, vertexErrorOnFace(placeOnFace(cube, findLSB(faces))));
    return error + sagMissed(onSquare(point), 0u);
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
float vertexError(Lattice point) { return vertexErrorOnFace(point); }
float leafError(Lattice point, uint patchLevel) { return leafErrorOnFace(point, patchLevel); }
#endif

// Lowest and highest ground over a box on one face, from the level of which the box touches at most 2 x 2 cells.
vec2 groundRange(Lattice low, Lattice high)
{
    ivec4 box = samplesOfBox(low, high);
    int face = latticePlace(low).face;
    ivec2 extent = box.zw - box.xy + 1;
    int level = levelOf(float(max(extent.x, extent.y)) / float(kKinkCell));
    vec2 range = vec2(1.0e30, -1.0e30);
    ivec2 first = box.xy >> (kKinkBits + level), last = box.zw >> (kKinkBits + level);
    int corners = all(equal(first, last)) ? 1 : 4;  // a small box lies in one cell
    for (int i = 0; i < corners; ++i)
    {
        CellBounds bounds = cellBounds(cornerOf(box, i), face, level, 0);
        range = vec2(min(range.x, bounds.lowest), max(range.y, bounds.highest));
    }
#ifdef OROGEN_EARTH
    range = max(range, vec2(seaLevel()));
#endif
    return range;
}

#endif
