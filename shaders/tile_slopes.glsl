// Slopes of a terrain in tiles, for a fragment.
//
// The level follows from how many samples a pixel covers, as of an image with mipmaps, and is no finer than what is wanted
// at this distance; where it is not active its ancestor stands in.  Between two levels both are blended, as in
// heights_tiles.glsl.  A tile has the samples on its border, so that none is missing to the interpolation.
//
// Needs in scope: tile_place.glsl, tile_table.glsl, on a plane sampler2D gradientTexture.
#ifndef OROGEN_TILE_SLOPES_GLSL
#define OROGEN_TILE_SLOPES_GLSL

layout(binding = kTileSlopeTexture) uniform sampler2DArray tileSlopes;

vec2 slopeInSlot(int slot, TileCell c)
{
    int side = int(kTileIntervals) + 1;
    vec3 at = vec3(slotPlace(slot, side)) + vec3(vec2(c.cell) + c.part + 0.5, 0.0);
    return textureLod(tileSlopes, vec3(at.xy / vec2(side << int(tiles.table.z)), at.z), 0.0).rg;
}

// Level, with its fraction, of which a pixel covers some 1.4 samples along the longer of its sides: slopes of a level are
// means that have been interpolated, and smoother than an image's mipmap as wide.
float levelOfFootprint(float covered)
{
    return covered < 1.0e12 ? max(0.5 * log2(max(covered, 1.0)) - 0.5, 0.0) : 20.0;
}

#ifdef OROGEN_EARTH
float footprintLevel(vec3 relative)
{
    vec3 across = dFdx(relative) / tiles.reach.z, along = dFdy(relative) / tiles.reach.z;
    return levelOfFootprint(max(dot(across, across), dot(along, along)));
}
#else
float footprintLevel(vec2 relative)
{
    vec2 across = dFdx(relative) / tiles.reach.zw, along = dFdy(relative) / tiles.reach.zw;
    return levelOfFootprint(max(dot(across, across), dot(along, along)));
}
#endif

// Two tiles over a place, the second of the next coarser level or the first once more, and how much the first one counts.
struct TileBlend
{
    int slot, coarser, level;
    TileCell cell, coarserCell;
    float weight;
};

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

#ifndef OROGEN_EARTH
// Metres a metre, towards east and north; `relative`: metres from the camera.
vec2 tileSlope(vec2 relative)
{
    TileBlend blend = tileBlend(placeFromCamera(relative), footprintLevel(relative), distanceRatio(relative));
    return mix(slopeInSlot(blend.coarser, blend.coarserCell), slopeInSlot(blend.slot, blend.cell), blend.weight);
}

// The same with the overview beyond: where a pixel covers a sample of that, the image and its mipmaps are as good, and
// filtered as only an image is.  `uv`: of the overview; the texture has its slopes.
vec2 groundSlope(vec2 relative, vec2 uv)
{
    float level = textureQueryLod(gradientTexture, uv).y;
    return mix(tileSlope(relative), texture(gradientTexture, uv).rg, clamp(1.0 + 2.0 * level, 0.0, 1.0));
}
#endif

#endif
