// The uniforms that pixel_uniforms.glsl gives only on the Earth.
#ifndef OROGEN_PIXEL_UNIFORMS_EARTH_GLSL
#define OROGEN_PIXEL_UNIFORMS_EARTH_GLSL

const int kWorldVectors = 7;
#define OROGEN_WORLD_VECTORS(each) \
    each(kSharedVectors + 0, earth.east) \
    each(kSharedVectors + 1, earth.north) \
    each(kSharedVectors + 2, earth.up) \
    each(kSharedVectors + 3, earth.sea) \
    each(kSharedVectors + 4, earth.figure) \
    each(kSharedVectors + 5, tiles.cameraPart) \
    each(kSharedVectors + 6, tiles.reach)

const int kWorldWords = 6;
#ifdef OROGEN_TAKES_UNIFORMS
#define OROGEN_TAKES_TILES
layout(std140, binding = kEarthBinding) uniform PixelEarthBlock { EarthUniforms earthBlock; };
layout(std140, binding = kTileBinding) uniform PixelTileBlock { TileUniforms tileBlock; };
EarthUniforms earth;
TileUniforms tiles;
layout(location = 2 + kSharedVectors + kWorldVectors) flat in uvec4 flatWords[kWorldWords];
layout(location = 2 + kSharedVectors + kWorldVectors + kWorldWords) flat in ivec4 flatLast;
void takeWorld()
{
    earth = earthBlock;
    tiles = tileBlock;
    earth.cameraXY = flatWords[0];
    earth.cameraZ = flatWords[1];
    earth.footXY = flatWords[2];
    earth.footZ = flatWords[3];
    tiles.columnOfLattice = flatWords[4];
    tiles.table = flatWords[5];
    tiles.last = flatLast;
}
#endif
#ifdef OROGEN_GIVES_UNIFORMS
layout(std140, binding = kEarthBinding) uniform EarthBlock { EarthUniforms earth; };
layout(std140, binding = kTileBinding) uniform TileBlock { TileUniforms tiles; };
layout(location = 2 + kSharedVectors + kWorldVectors) flat out uvec4 flatWords[kWorldWords];
layout(location = 2 + kSharedVectors + kWorldVectors + kWorldWords) flat out ivec4 flatLast;
void giveWorld()
{
    flatWords[0] = earth.cameraXY;
    flatWords[1] = earth.cameraZ;
    flatWords[2] = earth.footXY;
    flatWords[3] = earth.footZ;
    flatWords[4] = tiles.columnOfLattice;
    flatWords[5] = tiles.table;
    flatLast = tiles.last;
}
#endif

#endif
