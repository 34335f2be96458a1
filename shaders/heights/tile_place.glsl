// Sample coordinates of points of a terrain in tiles, and the level shown there.  Twin of
// core/terrain/tiles/tile_place.h, which defines them.  In integers, so that all programs agree on every bit.
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

#ifdef OROGEN_EARTH
int sampleBits() { return int(tiles.columnOfLattice.x); }  // log2 of lattice units a sample

SamplePlace latticePlace(Lattice point)
{
    int bits = sampleBits();
    SamplePlace place;
    place.whole = point.xy >> bits;
    place.part = vec2(point.xy & ((1 << bits) - 1)) * powerOfTwo(-bits);  // exact: 23 bits at most
    place.face = point.z;
    return place;
}

float samplesOf(float units) { return units * powerOfTwo(-sampleBits()); }
float coarseSamplesOf(float units) { return samplesOf(units); }
#else
SamplePlace clampedPlace(ivec2 whole, vec2 part)
{
    SamplePlace place;
    place.whole = clamp(whole, ivec2(0), tiles.last.xy);
    place.part = vec2(whole.x < 0 || whole.x >= tiles.last.x ? 0.0 : part.x,
                      whole.y < 0 || whole.y >= tiles.last.y ? 0.0 : part.y);
    place.face = 0;
    return place;
}

void placeOnAxis(uvec4 axis, uint lattice, out int whole, out float part)
{
    uint high, low, carry;
    umulExtended(lattice, axis.x, high, low);
    high += lattice * axis.y;
    low = uaddCarry(low, axis.z, carry);
    high += axis.w + carry;
    whole = int(high) >> 4;
    part = float((high & 15u) << 20 | low >> 12) * 5.9604644775390625e-8;  // 2^-24
}

SamplePlace latticePlace(Lattice lattice)
{
    ivec2 whole;
    vec2 part;
    placeOnAxis(tiles.columnOfLattice, uint(lattice.x), whole.x, part.x);
    placeOnAxis(tiles.rowOfLattice, uint(lattice.y), whole.y, part.y);
    return clampedPlace(whole, part);
}

// The place of a point given in metres east and north of the camera.
SamplePlace placeFromCamera(vec2 relative)
{
    vec2 t = tiles.cameraPart.xy + relative / tiles.reach.zw * vec2(1.0, -1.0);
    vec2 whole = floor(t);
    return clampedPlace(tiles.cameraSample.xy + ivec2(whole), t - whole);
}

// Convert lattice units to samples, along the axis with the denser samples and along the other one.
float samplesOf(float units) { return units * terrain.squareSize.y / min(tiles.reach.z, tiles.reach.w); }
float coarseSamplesOf(float units) { return units * terrain.squareSize.y / max(tiles.reach.z, tiles.reach.w); }
#endif

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

// The cell that holds the place, in the first of the tiles that touch the place.
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

// (distance / reach)^2 of a point given in metres from the camera's foot: east and north on a plane, earth-fixed on the
// Earth.  cameraPart.z adds the squared height of the camera above all ground, in place of the point's height.
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

// Finest level that the distance requires.
int shownLevel(float ratio)
{
    int exponent = (floatBitsToInt(ratio) >> 23) - 127;
    return ratio < 1.0 ? 0 : min(exponent / 2 + 1, tiles.last.z);
}

// Weight of a level against the next coarser one.
float distanceWeight(float ratio, int level)
{
    precise float weight = (1.0 - ratio * powerOfTwo(-2 * level)) * tiles.reach.y;
    return clamp(weight, 0.0, 1.0);
}

#endif
