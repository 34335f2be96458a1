// Colours of imagery in tiles (core/terrain/imagery/colour_tiles.h), at a place of the ground.
//
// The level follows from the pixel's footprint, and adjacent levels are blended, so that sharpness changes smoothly.
// The renderer requests a level where its texels are at least half a pixel wide, so a level is usually resident before
// this file uses it.  Where texels are larger than pixels, cubic B-splines interpolate the colours and hide the texels.
// Elsewhere the interpolation is linear.
#ifndef OROGEN_IMAGERY_TILES_GLSL
#define OROGEN_IMAGERY_TILES_GLSL

#include "core/gpu_layout.h"
#include "shaders/heights/tile_lookup.glsl"

layout(std140, binding = kImageryBinding) uniform ImageryBlock { TileUniforms imagery; };
layout(binding = kImageryTableTexture) uniform usampler2D imageryTable;
layout(binding = kImageryTexture) uniform sampler2DArray imageryColours;

// A place among the texels of level 0, the finest.
struct ImageryPlace
{
    int face;     // face of the cube; 0 on a plane
    ivec2 whole;  // column and row
    vec2 part;    // fraction, 0 ... 1
};

struct ImageryColour
{
    vec4 stored;  // colour as stored in the tiles, see colour_tiles.h
    float texel;  // metres that a texel covers
};

// imageryTileAt() returns the tile (column, row) of a level at a place.  inImageryTile() returns the position in that
// tile (texels).
ivec2 imageryTileAt(ImageryPlace place, int level)
{
    return min((place.whole >> level) / int(kTileIntervals), (imagery.last.xy - 1 >> level) / int(kTileIntervals));
}

vec2 inImageryTile(ImageryPlace place, int level)
{
    ivec2 first = imageryTileAt(place, level) * int(kTileIntervals);
    vec2 within = (vec2(place.whole & ((1 << level) - 1)) + place.part) * exp2(-float(level));
    return vec2((place.whole >> level) - first) + within;
}

// Returns the finest active tile (tile_lookup.glsl) over the place, of `level` or coarser.  Sets `level` to that tile's
// level.  Searches like activeTile() of tile_table.glsl.
TileEntry activeImagery(ImageryPlace place, inout int level)
{
    level = clamp(level, imagery.last.w, imagery.last.z);
    TileEntry entry;
    entry.slot = 0;
    entry.parent = 0;
    entry.place = 0;
    int missing = level - 1, there = imagery.last.z + 1;
    while (missing + 1 < there)
    {
        TileEntry found = lookUpTile(imageryTable, imagery.table, level, imageryTileAt(place, level), place.face);
        if (found.slot < 0) missing = level;
        else there = level;
        if (found.slot >= 0) entry = found;
        level = (missing + 1 + there) / 2;
    }
    level = min(there, imagery.last.z);
    return entry;
}

// Returns the texture coordinates of a position in a slot (texels).  Tiles have one more texel beyond each border.
vec3 imageryCoordinates(int slot, vec2 at)
{
    vec3 place = vec3(slotPlaceIn(imagery.table, slot, int(kImageryTileSide)));
    return vec3((place.xy + at + 1.5) / float(kImageryTileSide << imagery.table.z), place.z);
}

// Returns the colour at a position in a slot (texels).  `cubic`: weight of the cubic B-spline along each axis against
// linear interpolation.  Uses four bilinear lookups (Sigg and Hadwiger, GPU Gems 2, chapter 20).
vec4 interpolatedImagery(int slot, vec2 at, float cubic)
{
    vec2 whole = floor(at), f = at - whole, g = 1.0 - f;
    vec2 w0 = cubic * g * g * g / 6.0, w3 = cubic * f * f * f / 6.0, w1 = mix(g, 2.0 / 3.0 - 0.5 * f * f * (2.0 - f), cubic);
    vec2 left = w0 + w1, right = 1.0 - left, low = whole - 1.0 + w1 / left, high = whole + 1.0 + w3 / max(right, 1.0e-6);
    vec3 a = imageryCoordinates(slot, low), b = imageryCoordinates(slot, high);
    vec4 north = mix(textureLod(imageryColours, vec3(b.x, a.yz), 0.0), textureLod(imageryColours, a, 0.0), left.x);
    vec4 south = mix(textureLod(imageryColours, b, 0.0), textureLod(imageryColours, vec3(a.x, b.yz), 0.0), left.x);
    return mix(south, north, left.y);
}

// Returns the level (fractional) whose texels are as wide as a pixel that covers `footprint` metres.
float imageryLevel(float footprint)
{
    return clamp(log2(max(footprint / imagery.reach.z, 1.0)), 0.0, float(imagery.last.z));
}

// Returns whether the pixel's texel shows a picture that is finer than the lowest one, which covers the whole Earth
// (alpha in colour_tiles.h).  For the Earth only.
bool showsFinerPicture(ImageryPlace place, float footprint)
{
    int level = int(imageryLevel(footprint));
    TileEntry entry = activeImagery(place, level);
    ivec3 slot = slotPlaceIn(imagery.table, entry.slot, int(kImageryTileSide));
    ivec2 texel = slot.xy + ivec2(inImageryTile(place, level) + 0.5) + 1;
    uint alpha = uint(texelFetch(imageryColours, ivec3(texel, slot.z), 0).a * 255.0 + 0.5);
    return level < int(imagery.columnOfLattice.y) && (alpha & 1u) != 0u;
}

// Returns the colour at a place.  `footprint`: metres that a pixel covers; `smoothness`: weight of the splines against
// linear interpolation where texels are larger than pixels.
ImageryColour imageryAt(ImageryPlace place, float footprint, float smoothness)
{
    float wanted = imageryLevel(footprint);
    int level = int(wanted), asked = level;
    TileEntry entry = activeImagery(place, level);
    float weight = level == asked ? 1.0 - (wanted - float(level)) : 1.0;
    weight = min(weight, lookUpFacts(imageryTable, imagery.table, entry).x);
    float texel = imagery.reach.z * exp2(float(level)), cubic = smoothness * (1.0 - smoothstep(0.5, 1.0, footprint / texel));
    vec2 within = inImageryTile(place, level);
    vec4 finer = interpolatedImagery(entry.slot, within, cubic);
    vec2 above = inImageryTile(place, min(level + 1, imagery.last.z));
    vec4 coarser = textureLod(imageryColours, imageryCoordinates(entry.parent, above), 0.0);
    ImageryColour colour;
    colour.stored = mix(coarser, finer, weight);
    colour.texel = texel;
    return colour;
}

// Returns albedo (rgb) and coverage (a) at a place given in metres east and north of the camera.  Photographs show
// ground that is lit already.  The factor 0.62 makes the ground about as bright as the photograph under a sun from the
// side.
vec4 imageryOnPlane(vec2 relative, float footprint)
{
    vec2 samples = imagery.cameraPart.xy + relative / imagery.reach.zw * vec2(1.0, -1.0), whole = floor(samples);
    ImageryPlace place;
    place.face = 0;
    place.whole = clamp(imagery.cameraSample.xy + ivec2(whole), ivec2(0), imagery.last.xy - 1);
    place.part = samples - whole;
    vec4 stored = imageryAt(place, footprint, 1.0).stored;
    vec3 root = stored.rgb / max(stored.a, 1.0 / 255.0);  // square root of linear light
    return vec4(0.62 * root * root, stored.a);
}

#endif
