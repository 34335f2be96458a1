// The page table of a terrain in tiles: maps active tiles to slots of the texture arrays.  It is a texture because all
// guaranteed storage bindings are in use.
//
// Needs in scope: tile_place.glsl.
#ifndef OROGEN_TILE_TABLE_GLSL
#define OROGEN_TILE_TABLE_GLSL

#include "shaders/heights/tile_lookup.glsl"

layout(binding = kTileTableTexture) uniform usampler2D tileTable;

// Returns the entry of a tile; its slot is negative if the tile is not active.
TileEntry findTile(int level, ivec2 tile, int face) { return lookUpTile(tileTable, tiles.table, level, tile, face); }

// Returns the tile's data, the right column of the table in tile_lookup.glsl.
vec4 tileFacts(TileEntry entry) { return lookUpFacts(tileTable, tiles.table, entry); }

// Returns the finest active tile, of `level` or coarser, that has the place inside or on its border.  Sets `level` to
// that tile's level.  The coarsest level is one tile (on the Earth one per face), which is always active.  Ancestors of
// an active tile are active, so bisection over the levels finds the tile.  A linear search would be slow on the Earth,
// where many fine levels cover few places each.
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

// Returns the first texel and the layer of a slot, see slotPlaceIn().
ivec3 slotPlace(int slot, int side) { return slotPlaceIn(tiles.table, slot, side); }

#endif
