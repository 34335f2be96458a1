// Roughness of the data of a tiled terrain, for detail_plane.glsl and detail_earth.glsl.
//
// On a plane only tiles of level 0 have roughness, weighted by their share in the drawn heights (heights_tiles.glsl).
// Elsewhere coarser samples are drawn, without detail.  On the Earth tiles of any level have roughness, unless finer
// tiles refine them: detail continues below the finest available samples.  Tiles of the base's level always have it
// where finer elevation models lie in the base, see detail_earth.glsl.
//
// Needs in scope: the requirements of heights_tiles.glsl.
#ifndef OROGEN_DETAIL_TILES_GLSL
#define OROGEN_DETAIL_TILES_GLSL

#include "shaders/heights/heights_tiles.glsl"
#include "shaders/heights/tile_slopes.glsl"

layout(binding = kTileRoughnessTexture) uniform sampler2DArray tileRoughness;

// Returns the codes at the corners of a cell, see cornersOf(); 0 where the data have no roughness.
vec4 roughnessCodes(int slot, TileCell c);

vec4 roughnessOfCodes(vec4 codes)
{
    return vec4(roughnessOfCode(codes.x), roughnessOfCode(codes.y), roughnessOfCode(codes.z), roughnessOfCode(codes.w));
}

float roughnessInSlot(int slot, TileCell c) { return withinCell(roughnessOfCodes(roughnessCodes(slot, c)), c.part); }

// Returns the slope of the data (metres per metre along the lattice's x and y), in full precision, so that all
// triangles and the CPU agree.
vec2 exactSlopeInSlot(int slot, TileCell c)
{
    vec3 corners = cornersOf(slot, c.cell);
    return vec2(withinCell(textureGather(tileSlopes, corners, 0), c.part),
                withinCell(textureGather(tileSlopes, corners, 1), c.part));
}

// Returns 0 at samples and 1 in the middle between two samples.
float betweenSamples(vec2 part)
{
    vec2 bend = part * (1.0 - part);
    bend = 1.0 - 16.0 * bend * bend;
    return 1.0 - bend.x * bend.y;
}

// Factor that allows for rougher ground between the places that are probed; each probe is a mean over 13 samples.
const float kBetweenLooks = 1.5;

#include "shaders/heights/detail_tiles_@world.glsl"

#endif
