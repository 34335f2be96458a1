// What triangles miss, and how high the ground is, in a terrain in tiles: in the place of diamond_error.glsl and of the
// pyramid of heights.  Metres, unscaled.
//
// A triangle with legs of at most 2^(k + 1) samples belongs to level k.  It is no farther from that level's surface than
// the cell of the kinks says in which it lies, and from the finest one by twice the tile's deviation more (its own corners may
// lie so far from level k, and so may the ground).  Where that tile is not active its ancestor's surface is all there
// is: a triangle that is smaller misses less of it in proportion, as below level 0.
//
// Must be in scope: `terrain`, leb.glsl, diamond.glsl, heights_tiles.glsl.
#ifndef OROGEN_TILE_ERROR_GLSL
#define OROGEN_TILE_ERROR_GLSL

// r: kinks; g, b: lowest and highest sample over the tile's lowest; level m: of cells of kKinkCell 2^m intervals.
layout(binding = kTileKinkTexture) uniform sampler2DArray tileKinks;

const int kKinkBits = 3;                                  // of kKinkCell
const int kKinkSide = int(kTileIntervals) >> kKinkBits;

float samplesOf(float units) { return units * terrain.squareSize.y / min(tiles.reach.z, tiles.reach.w); }

// The coarsest level with samples no farther apart than so many of level 0 ... or the next: ceil(log2(samples)), from 0.
int levelOf(float samples)
{
    int bits = floatBitsToInt(samples);
    return clamp((bits >> 23) - 127 + ((bits & 0x7fffff) != 0 ? 1 : 0), 0, tiles.last.z);
}

// Of the cell that a sample lies in.
struct CellBounds
{
    float kink, error, lowest, highest;
    int level;
};

CellBounds cellBounds(ivec2 whole, int level, int mip)
{
    SamplePlace place;
    place.whole = min(whole, tiles.last.xy - 1);
    place.part = vec2(0.5);
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

// Of a triangle whose base is twice so many samples long.
float missed(CellBounds bounds, float samples, int level)
{
    if (bounds.level == level && level > 0) return bounds.kink + bounds.error;
    return bounds.kink * min(samples * powerOfTwo(-bounds.level), 1.0) + (bounds.level == level ? bounds.error : 0.0);
}

const float kNowhere = 1.0e30;

// The same of a triangle all of whose points lie half an interval from a place at most, by the samples around it: the
// bound of core/terrain/bounds/cell_kinks.h for windows of less than an interval.  kNowhere if there is no such place.
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

// What is missing without this vertex of the draw lattice.
float vertexError(uvec2 point)
{
    float samples = samplesOf(float(1u << diamondUnitBits(point)));
    int level = levelOf(samples);
    SamplePlace place = latticePlace(ivec2(point));
    return min(missed(cellBounds(place.whole, level, 0), samples, level), missedAround(place, samples, samples));
}

// The samples of a box of the lattice: first column and row, last column and row.
ivec4 samplesOfBox(ivec2 low, ivec2 high)
{
    ivec2 southWest = latticePlace(low).whole, northEast = latticePlace(high).whole;
    return ivec4(southWest.x, northEast.y, northEast.x, southWest.y);
}

ivec2 cornerOf(ivec4 box, int i) { return ivec2((i & 1) == 0 ? box.x : box.z, (i & 2) == 0 ? box.y : box.w); }

// What leaves are missing that share the base with this middle and are drawn as patches: the largest of all their
// vertices', which lie in the cells of the corners of the leaves' box.
float leafError(uvec2 point, uint patchLevel)
{
    float samples = samplesOf(float(1u << diamondUnitBits(point))) / float(1u << patchLevel);
    int level = levelOf(samples), mip = clamp(int(patchLevel) - 2, 0, 4);
    int unit = int(1u << diamondUnitBits(point)), side = 1 << int(kDrawLatticeBits);
    ivec4 box = samplesOfBox(max(ivec2(point) - unit, ivec2(0)), min(ivec2(point) + unit, ivec2(side)));
    float error = 0.0;
    SamplePlace place = latticePlace(ivec2(point));
    ivec2 middle = place.whole;
    int corners = patchLevel == 0u ? 1 : 4;  // triangles that are no patches touch the cell of their middle
    for (int i = 0; i < corners; ++i)
        error = max(error, missed(cellBounds(corners == 1 ? middle : cornerOf(box, i), level, mip), samples, level));
    return min(error, missedAround(place, samples, samples * float(1u << patchLevel)));
}

// Lowest and highest ground over a box of the lattice, from the level of whose cells it touches 2 x 2 at most.
vec2 groundRange(ivec2 low, ivec2 high)
{
    ivec4 box = samplesOfBox(low, high);
    ivec2 extent = box.zw - box.xy + 1;
    int level = levelOf(float(max(extent.x, extent.y)) / float(kKinkCell));
    vec2 range = vec2(1.0e30, -1.0e30);
    for (int i = 0; i < 4; ++i)
    {
        CellBounds bounds = cellBounds(cornerOf(box, i), level, 0);
        range = vec2(min(range.x, bounds.lowest), max(range.y, bounds.highest));
    }
    return range;
}

#endif
