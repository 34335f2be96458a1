// Heights of a terrain in tiles, and the seam rule.
//
// The height of a vertex is a function of its place and the camera: from the finest level that its distance asks for
// upwards, the first at which every tile that touches the place is active; blended into the next coarser level by the
// distance, so that nothing jumps where a level's reach passes, and by the smallest weight of those tiles, so that
// nothing jumps where data arrive.  So no two triangles disagree on a vertex, whatever is resident.
//
// On the Earth up to three faces of the cube touch a place, with four tiles each at most.  The first of them, which the
// height is read from, is the same from whichever face it is asked.
//
// Needs in scope: `frame`, `terrain`, surface.glsl.
#ifndef OROGEN_HEIGHTS_TILES_GLSL
#define OROGEN_HEIGHTS_TILES_GLSL

#include "shaders/tile_place.glsl"
#include "shaders/tile_table.glsl"

layout(binding = kTileHeightTexture) uniform sampler2DArray tileHeights;

float between(float a, float b, float t)
{
    precise float left = a * (1.0 - t), right = b * t;
    precise float sum = left + right;
    return sum;
}

// The samples around a cell: south-west, south-east, north-east, north-west, as they are.  One gather in the middle between
// them is much cheaper than four fetches on a software rasteriser.
vec4 cornersInSlot(int slot, ivec2 cell)
{
    int side = int(kTileIntervals) + 1;
    vec3 at = vec3(slotPlace(slot, side) + ivec3(cell + 1, 0));
    return textureGather(tileHeights, vec3(at.xy / float(side << int(tiles.table.z)), at.z));
}

float withinCell(vec4 corners, vec2 part)
{
    return between(between(corners.w, corners.z, part.x), between(corners.x, corners.y, part.x), part.y);
}

float heightInSlot(int slot, TileCell c) { return withinCell(cornersInSlot(slot, c.cell), c.part); }

// The first of a face's tiles of a level that touch the place; none unless all of them are active.  `weight` becomes the
// smallest of it and theirs.
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

// The same of all faces: the first of the canonical one's.
TileEntry touchingTiles(Lattice point, int level, out float weight)
{
    weight = 1.0;
#ifdef OROGEN_EARTH
    ivec3 cube = cubePoint(point);
    TileEntry entry;
    int first = 1;
    for (int faces = facesTouching(cube); faces != 0; faces &= faces - 1)
    {
        int face = findLSB(faces);
        TileEntry found = touchingOnFace(latticePlace(placeOnFace(cube, face)), level, weight);
        if (first == 1) entry = found;
        first = 0;
        if (found.slot < 0) entry.slot = -1;
        if (found.slot < 0) break;
    }
    return entry;
#else
    return touchingOnFace(latticePlace(point), level, weight);
#endif
}

// At the finest level, from one upwards, at which all that touch the point are active; `level` is that one then.  What
// touches a point at a level are the parents of what touches it at the next finer one: bisection finds it.
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

// Where the tile lies that touchingTiles() gives.
SamplePlace touchingPlace(Lattice point) { return latticePlace(canonicalPlace(point)); }

#ifdef OROGEN_EARTH
float pointRatio(Lattice point) { return distanceRatio(surfaceFromFoot(point)); }
#else
// Metres east and north of the camera, rounded as it is written wherever it is asked.
vec2 latticeFromCamera(Lattice lattice)
{
    precise vec2 whole = vec2(lattice - ivec2(frame.cameraCell.xy)) * terrain.squareSize.y;
    precise vec2 relative = whole - frame.cameraFraction.xy;
    return relative;
}

float pointRatio(Lattice point) { return distanceRatio(latticeFromCamera(point)); }
#endif

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

// The finest active level's, at a place that need not be a vertex; y: its deviation from the data; metres.
vec2 finestHeight(SamplePlace place)
{
    int level = 0;
    TileEntry entry = activeTile(place, level);
    return vec2(heightInSlot(entry.slot, firstCell(place, level)), level == 0 ? 0.0 : 0.5 * tileFacts(entry).y);
}

// What level of detail goes by where an edge is so long, in lattice units: no camera in it, so that a verdict holds until
// the camera has moved or other tiles are active.
float edgeHeight(Lattice point, int units)
{
    int level = clamp((floatBitsToInt(coarseSamplesOf(float(units))) >> 23) - 127 - 2, 0, tiles.last.z);
#ifdef OROGEN_EARTH
    SamplePlace place = touchingPlace(point);  // on the same face, whoever asks
#else
    SamplePlace place = latticePlace(point);
#endif
    TileEntry entry = activeTile(place, level);
    return heightInSlot(entry.slot, firstCell(place, level));
}

#endif
