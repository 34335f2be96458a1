// Sample coordinates of points of a terrain in tiles, and the level shown there.  core/terrain/tiles/tile_place.h
// defines them and computes the same bits.  Uses integers, so that all programs agree on every bit.
//
// Level 0 has all samples, level l every 2^l-th.  On the Earth a place lies on a face of the cube, with columns along
// the face's x and rows along its y.  There the spacing of samples is a power of two of lattice units, so that a shift
// finds the sample.
//
// Must be in scope: core/gpu_layout.h.
#ifndef OROGEN_TILE_PLACE_GLSL
#define OROGEN_TILE_PLACE_GLSL

#include "shaders/tree/lattice.glsl"

#ifndef OROGEN_TAKES_TILES
layout(std140, binding = kTileBinding) uniform TileBlock { TileUniforms tiles; };
#endif

// Sample coordinates along columns (x) and rows (y).
struct SamplePlace
{
    ivec2 whole;  // sample of level 0
    vec2 part;    // fraction of the way to the next sample, 0 ... 1
    int face;  // face of the cube; 0 on a plane
};

float powerOfTwo(int exponent) { return intBitsToFloat((127 + exponent) << 23); }

#include "shaders/heights/tile_place_@world.glsl"

// A cell between four samples of a tile, and a position in that cell.
struct TileCell
{
    ivec2 tile, cell;  // column and row: of the tile in its level, of the cell in the tile
    vec2 part;         // position in the cell, 0 ... 1
};

// Returns whether the place lies on a border between tiles of the level.  x: between columns of tiles; y: between rows.
bvec2 onTileBorder(SamplePlace place, int level)
{
    ivec2 inTile = place.whole & ivec2((int(kTileIntervals) << level) - 1);
    return bvec2(place.part.x == 0.0 && place.whole.x > 0 && inTile.x == 0,
                 place.part.y == 0.0 && place.whole.y > 0 && inTile.y == 0);
}

// Returns the last column and row of tiles of a level.
ivec2 lastTile(int level) { return (tiles.last.xy - 1 >> level) / int(kTileIntervals); }

// Returns the cell that contains the place.  If several tiles touch the place, takes that with the lowest column and
// row.
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

// Both overloads return (distance / reach)^2 of a point; level l is shown up to the distance reach 2^l.  `relative`:
// the point in metres from the ground below the camera, east and north on a plane, earth-fixed on the Earth.
// cameraPart.z adds the squared height of the camera above all ground, in place of the point's height.
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

// Returns the finest level that the distance requires.  `ratio`: distanceRatio().
int shownLevel(float ratio)
{
    int exponent = (floatBitsToInt(ratio) >> 23) - 127;
    return ratio < 1.0 ? 0 : min(exponent / 2 + 1, tiles.last.z);
}

// Returns the weight of a level in a blend with the next coarser level.  The weight falls from 1 to 0 where the level's
// range of distances ends.  `ratio`: distanceRatio().
float distanceWeight(float ratio, int level)
{
    precise float weight = (1.0 - ratio * powerOfTwo(-2 * level)) * tiles.reach.y;
    return clamp(weight, 0.0, 1.0);
}

#endif
