// The page table of a terrain in tiles: maps tiles to slots of the arrays.  It is a texture because all guaranteed
// storage bindings are in use.
//
// Needs in scope: tile_place.glsl.
#ifndef OROGEN_TILE_TABLE_GLSL
#define OROGEN_TILE_TABLE_GLSL

#include "shaders/heights/tile_lookup.glsl"

layout(binding = kTileTableTexture) uniform usampler2D tileTable;

TileEntry findTile(int level, ivec2 tile, int face) { return lookUpTile(tileTable, tiles.table, level, tile, face); }

// Returns the tile's data (tile_lookup.glsl): weight, error, base of heights, largest error of the neighbourhood.
vec4 tileFacts(TileEntry entry) { return lookUpFacts(tileTable, tiles.table, entry); }

// Returns the finest active tile of `level` or coarser that has the place inside or on its border.  Sets `level` to its
// level. The coarsest level is one tile, which is always active.  Ancestors of an active tile are active, so bisection
// finds it: on the Earth there may be many fine levels, each covering few places.
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

ivec3 slotPlace(int slot, int side) { return slotPlaceIn(tiles.table, slot, side); }

#endif
