// The page table of a terrain in tiles: maps tiles to slots of the arrays.  A hash table by level and place, built by
// app/render/tile_table.h.  It is a texture because all guaranteed storage bindings are in use.
//
// An entry is two texels, the key and slots, and the tile's data:
//     x  column of tiles | level << 20 | face << 25    fade-in weight, bits of a float, as all below
//     y  row of tiles | 1 << 31; 0: empty              error: twice its deviation, metres
//     z  slot                                          base of its cells' heights, metres
//     w  slot of its parent, or its own                largest error of it and its neighbours
//
// Needs in scope: tile_place.glsl.
#ifndef OROGEN_TILE_TABLE_GLSL
#define OROGEN_TILE_TABLE_GLSL

layout(binding = kTileTableTexture) uniform usampler2D tileTable;

struct TileEntry
{
    int slot;  // negative: no such tile is active
    int parent;
    int place;  // index of the entry in the table
};

uint tileHash(uvec2 name)
{
    uint h = name.x * 0x9e3779b1u ^ name.y * 0x85ebca77u;
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    return h ^ (h >> 13);
}

ivec2 tableTexel(uint texel) { return ivec2(texel & ((1u << tiles.table.y) - 1u), texel >> tiles.table.y); }

TileEntry findTile(int level, ivec2 tile, int face)
{
    uvec2 name = uvec2(uint(tile.x) | uint(level) << 20 | uint(face) << 25, uint(tile.y) | 0x80000000u);
    TileEntry entry;
    entry.slot = -1;
    entry.parent = -1;
    uint i = tileHash(name) & tiles.table.x;
    for (uint tries = 0u; tries <= tiles.table.x; ++tries)
    {
        entry.place = int(i);
        uvec4 found = texelFetch(tileTable, tableTexel(2u * i), 0);
        if (found.y == 0u) break;
        if (found.xy == name)
        {
            entry.slot = int(found.z);
            entry.parent = int(found.w);
            break;
        }
        i = (i + 1u) & tiles.table.x;
    }
    return entry;
}

// Weight, error, base of heights, error of the neighbourhood.
vec4 tileFacts(TileEntry entry) { return uintBitsToFloat(texelFetch(tileTable, tableTexel(2u * uint(entry.place) + 1u), 0)); }

// The finest active tile, from `level` upwards, that has the place inside or on its border; sets `level` to its level.
// The coarsest level is one tile, which is always active.  Ancestors of an active tile are active, so bisection finds
// it: on the Earth there may be many fine levels, each covering few places.
TileEntry activeTile(SamplePlace place, inout int level)
{
    level = clamp(level, tiles.last.w, tiles.last.z);
    TileEntry entry;
    entry.slot = -1;
    entry.parent = -1;
    entry.place = 0;
    int missing = level - 1, there = tiles.last.z + 1;
    while (missing + 1 < there)
    {
        TileEntry found = findTile(level, firstCell(place, level).tile, place.face);
        if (found.slot < 0) missing = level;
        else there = level;
        if (found.slot >= 0) entry = found;
        level = (missing + 1 + there) / 2;
    }
    level = min(there, tiles.last.z);
    entry.slot = max(entry.slot, 0);
    entry.parent = max(entry.parent, 0);
    return entry;
}

// The first texel (x, y) and layer (z) of a tile in an array with `side` texels a tile.
ivec3 slotPlace(int slot, int side)
{
    int bits = int(tiles.table.z), last = (1 << bits) - 1;
    return ivec3((slot & last) * side, ((slot >> bits) & last) * side, slot >> (2 * bits));
}

#endif
