// Heights of a terrain in tiles, and the seam rule.
//
// The height of a vertex is a function of its place and the camera: from the finest level that its distance asks for
// upwards, the first at which every tile that touches the place is active; blended into the next coarser level by the
// distance, so that nothing jumps where a level's reach passes, and by the smallest weight of those tiles, so that
// nothing jumps where data arrive.  So no two triangles disagree on a vertex, whatever is resident.
//
// Needs in scope: `frame`, `terrain`, surface_plane.glsl.
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

float heightInSlot(int slot, TileCell c)
{
    ivec3 at = slotPlace(slot, int(kTileIntervals) + 1) + ivec3(c.cell, 0);
    float nw = texelFetch(tileHeights, at, 0).r, ne = texelFetch(tileHeights, at + ivec3(1, 0, 0), 0).r;
    float sw = texelFetch(tileHeights, at + ivec3(0, 1, 0), 0).r, se = texelFetch(tileHeights, at + ivec3(1, 1, 0), 0).r;
    return between(between(nw, ne, c.part.x), between(sw, se, c.part.x), c.part.y);
}

// The first of the tiles of a level that touch the place; none unless all of them are active.  `weight`: the smallest.
TileEntry touchingTiles(SamplePlace place, int level, out float weight)
{
    ivec2 first = firstCell(place, level).tile;
    TileEntry entry = findTile(level, first);
    weight = entry.slot >= 0 ? tileFacts(entry).x : 0.0;
    ivec2 more = min(ivec2(onTileBorder(place, level)), lastTile(level) - first);
    if (entry.slot < 0 || more == ivec2(0)) return entry;
    for (int i = 1; i < 4; ++i)
    {
        ivec2 step = ivec2(i & 1, i >> 1);
        if (any(greaterThan(step, more))) continue;
        TileEntry other = findTile(level, first + step);
        weight = min(weight, other.slot >= 0 ? tileFacts(other).x : 0.0);
        if (other.slot < 0) entry.slot = -1;
    }
    return entry;
}

// Metres east and north of the camera, rounded as it is written wherever it is asked.
vec2 latticeFromCamera(ivec2 lattice)
{
    precise vec2 whole = vec2(lattice - ivec2(frame.cameraCell.xy)) * terrain.squareSize.y;
    precise vec2 relative = whole - frame.cameraFraction.xy;
    return relative;
}

float dataHeight(ivec2 lattice)
{
    SamplePlace place = latticePlace(lattice);
    float ratio = distanceRatio(latticeFromCamera(lattice));
    int level = shownLevel(ratio);
    float weight;
    TileEntry entry = touchingTiles(place, level, weight);
    while (entry.slot < 0 && level < tiles.last.z)
    {
        level += 1;
        entry = touchingTiles(place, level, weight);
    }
    if (entry.slot < 0) return 0.0;
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
float edgeHeight(ivec2 lattice, int units)
{
    SamplePlace place = latticePlace(lattice);
    float samples = float(units) * terrain.squareSize.y / max(tiles.reach.z, tiles.reach.w);
    int level = clamp((floatBitsToInt(samples) >> 23) - 127 - 2, 0, tiles.last.z);
    TileEntry entry = activeTile(place, level);
    return heightInSlot(entry.slot, firstCell(place, level));
}

#endif
