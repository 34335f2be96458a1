// Heights of a terrain in tiles, and the rule that avoids cracks between them.
//
// The height of a vertex depends only on its place, the camera and the active tiles (those in the page table).  So
// no two triangles disagree on it.  It uses the finest level, no finer than the distance requires, at which every tile
// that touches the place is active.  It blends into the next coarser level by distance and by the smallest fade-in
// weight of those tiles.  Heights are thus continuous where a level's reach ends and where data arrive.
//
// On the Earth up to three faces of the cube touch a place, with up to four tiles each.  The height is read from the
// first tile of the canonical face, whichever face the caller uses.
//
// Needs in scope: `frame`, `terrain`, surface.glsl.
#ifndef OROGEN_HEIGHTS_TILES_GLSL
#define OROGEN_HEIGHTS_TILES_GLSL

#include "shaders/heights/tile_place.glsl"
#include "shaders/heights/tile_table.glsl"

const bool kDetailFades = true;  // whether the roughness of detail depends on the camera's distance

layout(binding = kTileHeightTexture) uniform sampler2DArray tileHeights;

float between(float a, float b, float t)
{
    precise float left = a * (1.0 - t), right = b * t;
    precise float sum = left + right;
    return sum;
}

// Returns where to gather the corners of a cell of a tile: south-west, south-east, north-east, north-west.  On a
// software rasteriser one gather is much cheaper than four fetches.
vec3 cornersOf(int slot, ivec2 cell)
{
    int side = int(kTileIntervals) + 1;
    vec3 at = vec3(slotPlace(slot, side) + ivec3(cell + 1, 0));
    return vec3(at.xy / float(side << int(tiles.table.z)), at.z);
}

// Returns the heights at the corners of a cell: south-west, south-east, north-east, north-west.
vec4 cornersInSlot(int slot, ivec2 cell) { return textureGather(tileHeights, cornersOf(slot, cell)); }

float withinCell(vec4 corners, vec2 part)
{
    return between(between(corners.w, corners.z, part.x), between(corners.x, corners.y, part.x), part.y);
}

float heightInSlot(int slot, TileCell c) { return withinCell(cornersInSlot(slot, c.cell), c.part); }

// Returns the first of a face's tiles of a level that touch the place; its slot is -1 unless all of them are active.
// Lowers `weight` to their smallest weight.
TileEntry touchingOnFace(SamplePlace place, int level, inout float weight)
{
    ivec2 first = firstCell(place, level).tile;
    TileEntry entry = findTile(level, first, place.face);
    weight = entry.slot >= 0 ? min(weight, tileFacts(entry).x) : 0.0;
    ivec2 more = min(ivec2(onTileBorder(place, level)), lastTile(level) - first);
    if (entry.slot < 0 || more == ivec2(0)) return entry;
    for (int i = 1; i < 4; ++i)
    {
        ivec2 step = ivec2(i & 1, i >> 1);
        if (any(greaterThan(step, more))) continue;
        TileEntry other = findTile(level, first + step, place.face);
        weight = min(weight, other.slot >= 0 ? tileFacts(other).x : 0.0);
        if (other.slot < 0) entry.slot = -1;
    }
    return entry;
}

#include "shaders/heights/heights_tiles_@world.glsl"

// Searches from `level` to coarser levels for the finest level at which all tiles that touch the point are active.
// Sets `level` to that level, and returns the same tile as touchingTiles() there.  The tiles that touch a point at a
// level are parents of those at the next finer level, so bisection finds the level.
TileEntry finestTouching(Lattice point, inout int level, out float weight)
{
    level = clamp(level, tiles.last.w, tiles.last.z);
    weight = 0.0;
    TileEntry entry;
    entry.slot = -1;
    entry.parent = -1;
    int missing = level - 1, there = tiles.last.z + 1;
    while (missing + 1 < there)
    {
        float own;
        TileEntry found = touchingTiles(point, level, own);
        if (found.slot < 0) missing = level;
        else there = level;
        if (found.slot >= 0) entry = found;
        if (found.slot >= 0) weight = own;
        level = (missing + 1 + there) / 2;
    }
    level = min(there, tiles.last.z);
    return entry;
}

// Returns the place of the point in the tile that touchingTiles() returns.
SamplePlace touchingPlace(Lattice point) { return latticePlace(canonicalPlace(point)); }

float dataHeight(Lattice point)
{
    float ratio = pointRatio(point);
    int level = shownLevel(ratio);
    float weight;
    TileEntry entry = finestTouching(point, level, weight);
    if (entry.slot < 0) return 0.0;
    SamplePlace place = touchingPlace(point);
    float height = heightInSlot(entry.slot, firstCell(place, level));
    weight = min(weight, distanceWeight(ratio, level));
    if (weight >= 1.0 || level >= tiles.last.z) return height;
    return between(heightInSlot(entry.parent, firstCell(place, level + 1)), height, weight);
}

// Returns x: height of the finest active level at a place; y: bound of its deviation from the data (metres, unscaled).
vec2 finestHeight(SamplePlace place)
{
    int level = 0;
    TileEntry entry = activeTile(place, level);
    return vec2(heightInSlot(entry.slot, firstCell(place, level)), level == 0 ? 0.0 : 0.5 * tileFacts(entry).y);
}

const bool kEdgeHeightByLength = true;

// Returns the height at the end of an edge of `units` lattice units, for the level of detail.  It must not depend on
// the camera: verdicts on leaves (split, keep, merge) are cached while the camera moves (lod_verdicts.glsl).
float edgeHeight(Lattice point, int units)
{
    int level = clamp((floatBitsToInt(coarseSamplesOf(float(units))) >> 23) - 127 - 2, 0, tiles.last.z);
    SamplePlace place = touchingPlace(point);  // on the same face for every caller
    TileEntry entry = activeTile(place, level);
    return heightInSlot(entry.slot, firstCell(place, level));
}

// Returns the height that edgeHeight() approximates at a point: here that of the data, not that of the drawn ground.
// The Earth does not use it: lodHeight() adds detail there.
float measuredHeight(float data, float drawn) { return data; }

#endif
