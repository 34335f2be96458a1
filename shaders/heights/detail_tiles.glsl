// Roughness of the data of a tiled terrain, for detail_plane.glsl: from tiles of level 0, weighted by how far they are shown
// (heights_tiles.glsl).  Elsewhere coarser samples are drawn, without detail below them.
//
// On the Earth a tile has roughness only if no finer tile refines it, at any level: detail continues below the finest
// available samples.
//
// Needs in scope: the requirements of heights_tiles.glsl.
#ifndef OROGEN_DETAIL_TILES_GLSL
#define OROGEN_DETAIL_TILES_GLSL

#include "shaders/heights/heights_tiles.glsl"
#include "shaders/heights/tile_slopes.glsl"

layout(binding = kTileRoughnessTexture) uniform sampler2DArray tileRoughness;

bool hasRoughness(ivec2 sampleAt);

// x: code; y: its fraction.
vec2 roughnessTexel(int slot, TileCell c, ivec2 corner)
{
    if (!hasRoughness(c.tile * int(kTileIntervals) + c.cell + corner)) return vec2(0.0);
    ivec3 at = slotPlace(slot, int(kTileIntervals) + 1) + ivec3(c.cell + corner, 0);
    return texelFetch(tileRoughness, at, 0).rg;
}

float roughnessInTile(int slot, TileCell c, ivec2 corner) { return roughnessOfCode(roughnessTexel(slot, c, corner).x); }

float roughnessInSlot(int slot, TileCell c)
{
    float nw = roughnessInTile(slot, c, ivec2(0)), ne = roughnessInTile(slot, c, ivec2(1, 0));
    float sw = roughnessInTile(slot, c, ivec2(0, 1)), se = roughnessInTile(slot, c, ivec2(1));
    return between(between(nw, ne, c.part.x), between(sw, se, c.part.x), c.part.y);
}

// Slope of the data (metres a metre along the lattice's x and y), in full precision: all triangles and the processor
// agree.
vec2 exactSlopeInSlot(int slot, TileCell c)
{
    ivec3 at = slotPlace(slot, int(kTileIntervals) + 1) + ivec3(c.cell, 0);
    vec2 nw = texelFetch(tileSlopes, at, 0).rg, ne = texelFetch(tileSlopes, at + ivec3(1, 0, 0), 0).rg;
    vec2 sw = texelFetch(tileSlopes, at + ivec3(0, 1, 0), 0).rg, se = texelFetch(tileSlopes, at + ivec3(1, 1, 0), 0).rg;
    return vec2(between(between(nw.x, ne.x, c.part.x), between(sw.x, se.x, c.part.x), c.part.y),
                between(between(nw.y, ne.y, c.part.x), between(sw.y, se.y, c.part.x), c.part.y));
}

// 0 at samples, 1 in the middle between two.
float betweenSamples(vec2 part)
{
    vec2 bend = part * (1.0 - part);
    bend = 1.0 - 16.0 * bend * bend;
    return 1.0 - bend.x * bend.y;
}

const float kBetweenLooks = 1.5;  // factor for rougher ground between probes; each is a mean over 13 samples

#include "shaders/heights/detail_tiles_@world.glsl"

#endif
