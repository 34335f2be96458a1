// Sample coordinates of points of a terrain in tiles, and the level shown there.  Twin of
// core/terrain/tiles/tile_place.h, which defines them.  Uses integers, so that all programs agree on every bit.
//
// Must be in scope: core/gpu_layout.h.  On the Earth a place is on a face of the cube, with columns along its x and
// rows along its y.  A sample spans a power of two of lattice units, so that a shift finds it.
#ifndef OROGEN_TILE_PLACE_GLSL
#define OROGEN_TILE_PLACE_GLSL

#include "shaders/tree/lattice.glsl"

layout(std140, binding = kTileBinding) uniform TileBlock { TileUniforms tiles; };

// Sample coordinates along columns (x) and rows (y).
struct SamplePlace
{
    ivec2 whole;
    vec2 part;
    int face;  // face of the cube; 0 on a plane
};

float powerOfTwo(int exponent) { return intBitsToFloat((127 + exponent) << 23); }

#include "shaders/heights/tile_place_@world.glsl"

// A cell of a level's tile, and the position in it (0 ... 1).
struct TileCell
{
    ivec2 tile, cell;
    vec2 part;
};

bvec2 onTileBorder(SamplePlace place, int level)
{
    ivec2 inTile = place.whole & ivec2((int(kTileIntervals) << level) - 1);
    return bvec2(place.part.x == 0.0 && place.whole.x > 0 && inTile.x == 0,
                 place.part.y == 0.0 && place.whole.y > 0 && inTile.y == 0);
}

ivec2 lastTile(int level) { return (tiles.last.xy - 1 >> level) / int(kTileIntervals); }

// Returns the cell that contains the place, in the first of the tiles that touch the place.
TileCell firstCell(SamplePlace place, int level)
{
    precise vec2 part = (vec2(place.whole & ivec2((1 << level) - 1)) + place.part) * powerOfTwo(-level);
    ivec2 index = place.whole >> level;
    TileCell c;
    c.tile = min(index / int(kTileIntervals) - ivec2(onTileBorder(place, level)), lastTile(level));
    c.cell = index - c.tile * int(kTileIntervals);
    bvec2 beyond = greaterThanEqual(c.cell, ivec2(kTileIntervals));
    c.cell = min(c.cell, ivec2(kTileIntervals) - 1);
    c.part = mix(part, vec2(1.0), beyond);
    return c;
}

// Returns (distance / reach)^2 of a point given in metres from the camera's foot, the point below the camera: east and
// north on a plane, earth-fixed on the Earth.  cameraPart.z adds the squared height of the camera above all ground, in
// place of the point's height.
float distanceRatio(vec2 relative)
{
    precise float squared = relative.x * relative.x + relative.y * relative.y + tiles.cameraPart.z;
    precise float ratio = squared * tiles.cameraPart.w;
    return ratio;
}

float distanceRatio(vec3 relative)
{
    precise float squared = relative.x * relative.x + relative.y * relative.y + relative.z * relative.z + tiles.cameraPart.z;
    precise float ratio = squared * tiles.cameraPart.w;
    return ratio;
}

// Returns the finest level that the distance requires.
int shownLevel(float ratio)
{
    int exponent = (floatBitsToInt(ratio) >> 23) - 127;
    return ratio < 1.0 ? 0 : min(exponent / 2 + 1, tiles.last.z);
}

// Returns the weight of a level against the next coarser level.
float distanceWeight(float ratio, int level)
{
    precise float weight = (1.0 - ratio * powerOfTwo(-2 * level)) * tiles.reach.y;
    return clamp(weight, 0.0, 1.0);
}

#endif
