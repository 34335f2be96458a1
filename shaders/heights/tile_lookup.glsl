// Lookup in a page table of tiles: a hash table by level and position, built by app/render/tile_textures.h.  Shared by
// the tables of heights (tile_table.glsl) and of colours (shaders/imagery/imagery_tiles.glsl).  A tile is active if the
// table has an entry for it.  The tile's slot gives its place in the texture arrays (slotPlaceIn()).
//
// An entry is two texels: first the key and the slots (left column), then the tile's data (right column):
//     x  column of tiles | level << 20 | face << 25    fade-in weight, 0 to 1
//     y  row of tiles | 1 << 31; 0: empty entry        error: twice the tile's deviation from the data, metres
//     z  slot                                          height that the tile's height ranges are relative to, metres
//     w  parent's slot; at the coarsest level its own  largest error of the tile and its neighbours, metres
//
// The tile's data are floats, stored as their bits.
//
// `shape` is TileUniforms::table.  x: number of entries - 1; y: log2 of texels per row; z: log2 of tiles along a
// layer's side.
#ifndef OROGEN_TILE_LOOKUP_GLSL
#define OROGEN_TILE_LOOKUP_GLSL

struct TileEntry
{
    int slot;    // negative: the tile is not active
    int parent;  // slot of the parent
    int place;  // index of the entry in the table
};

// Returns the hash of a tile's key: x and y of the entry's first texel.
uint tileHash(uvec2 name)
{
    uint h = name.x * 0x9e3779b1u ^ name.y * 0x85ebca77u;
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    return h ^ (h >> 13);
}

ivec2 tableTexel(uint texel, uvec4 shape) { return ivec2(texel & ((1u << shape.y) - 1u), texel >> shape.y); }

// Returns the entry of a tile, found by linear probing.  `tile`: column and row of tiles; `face`: 0 on a plane.
TileEntry lookUpTile(usampler2D table, uvec4 shape, int level, ivec2 tile, int face)
{
    uvec2 name = uvec2(uint(tile.x) | uint(level) << 20 | uint(face) << 25, uint(tile.y) | 0x80000000u);
    TileEntry entry;
    entry.slot = -1;
    entry.parent = -1;
    uint i = tileHash(name) & shape.x;
    for (uint tries = 0u; tries <= shape.x; ++tries)
    {
        entry.place = int(i);
        uvec4 found = texelFetch(table, tableTexel(2u * i, shape), 0);
        if (found.y == 0u) break;
        if (found.xy == name)
        {
            entry.slot = int(found.z);
            entry.parent = int(found.w);
            break;
        }
        i = (i + 1u) & shape.x;
    }
    return entry;
}

// Returns the tile's data, the right column above.
vec4 lookUpFacts(usampler2D table, uvec4 shape, TileEntry entry)
{
    return uintBitsToFloat(texelFetch(table, tableTexel(2u * uint(entry.place) + 1u, shape), 0));
}

// Returns the first texel (x, y) and the layer (z) of a tile in an array with tiles of `side` x `side` texels.
ivec3 slotPlaceIn(uvec4 shape, int slot, int side)
{
    int bits = int(shape.z), last = (1 << bits) - 1;
    return ivec3((slot & last) * side, ((slot >> bits) & last) * side, slot >> (2 * bits));
}

#endif
