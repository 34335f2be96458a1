// Slopes of a terrain in tiles, for shading a pixel.
//
// The level follows from the pixel's footprint in samples, as for mipmaps, and is no finer than shownLevel() of the
// distance.  If the tile of that level is not active (in the page table), its finest active ancestor is used.  Adjacent
// levels are blended as in heights_tiles.glsl.  Tiles include the samples on their border, which interpolation needs.
//
// Needs in scope: tile_place.glsl, tile_table.glsl.
#ifndef OROGEN_TILE_SLOPES_GLSL
#define OROGEN_TILE_SLOPES_GLSL

layout(binding = kTileSlopeTexture) uniform sampler2DArray tileSlopes;

// Returns the interpolated slope in a cell of the tile in a slot (metres per metre, unscaled).
vec2 slopeInSlot(int slot, TileCell c)
{
    int side = int(kTileIntervals) + 1;
    vec3 at = vec3(slotPlace(slot, side)) + vec3(vec2(c.cell) + c.part + 0.5, 0.0);
    return textureLod(tileSlopes, vec3(at.xy / vec2(side << int(tiles.table.z)), at.z), 0.0).rg;
}

// Returns the level (fractional) at which a pixel covers about 1.4 samples along its longer side.  `covered`: square of
// that side (samples of level 0).  A mipmap would take one sample; but a level's slopes are interpolated means, which
// are smoother.
float levelOfFootprint(float covered)
{
    return covered < 1.0e12 ? max(0.5 * log2(max(covered, 1.0)) - 0.5, 0.0) : 20.0;
}

// Both overloads return levelOfFootprint() of a pixel.  `across`, `along`: change of the place on the ground to the
// next pixel along x and y (metres).
float footprintLevel(vec3 across, vec3 along)
{
    return levelOfFootprint(max(dot(across, across), dot(along, along)) / (tiles.reach.z * tiles.reach.z));
}
float footprintLevel(vec2 across, vec2 along)
{
    across /= tiles.reach.zw;
    along /= tiles.reach.zw;
    return levelOfFootprint(max(dot(across, across), dot(along, along)));
}

// Two tiles over a place, and the weight of the first.  The second tile is the first one's parent; at the coarsest
// level it is the first tile again.
struct TileBlend
{
    int slot, coarser, level;  // slots of both tiles; level of the first
    TileCell cell, coarserCell;
    float weight;
};

// Returns the tiles to blend at a place.  `footprint`: footprintLevel(); `ratio`: distanceRatio().
TileBlend tileBlend(SamplePlace place, float footprint, float ratio)
{
    float wanted = min(footprint, float(tiles.last.z));
    int level = max(int(wanted), shownLevel(ratio)), found = level;
    float weight = min(1.0 - (wanted - float(level)), distanceWeight(ratio, level));
    TileEntry entry = activeTile(place, found);
    weight = found == level ? clamp(weight, 0.0, 1.0) : 1.0;
    TileBlend blend;
    blend.weight = min(weight, tileFacts(entry).x);
    blend.slot = entry.slot;
    blend.coarser = entry.parent;
    blend.level = found;
    blend.cell = firstCell(place, found);
    blend.coarserCell = firstCell(place, min(found + 1, tiles.last.z));
    return blend;
}

// Returns the slope along the lattice's x and y (metres per metre, unscaled).  `level`: footprintLevel(); `ratio`:
// distanceRatio().
vec2 tileSlope(SamplePlace place, float level, float ratio)
{
    TileBlend blend = tileBlend(place, level, ratio);
    return mix(slopeInSlot(blend.coarser, blend.coarserCell), slopeInSlot(blend.slot, blend.cell), blend.weight);
}

#endif
