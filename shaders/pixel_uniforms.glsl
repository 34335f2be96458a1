// Uniforms of the shaders that run once per pixel of the screen.  Mesa's llvmpipe gathers each number of a uniform
// block for every pixel of a group, with some 25 instructions; a flat input takes one.  So the vertex shader of such a
// pass reads the uniform blocks (OROGEN_GIVES_UNIFORMS), and gives the values below to the fragment shader
// (OROGEN_TAKES_UNIFORMS) as flat inputs.  The fragment shader still finds all other values in the blocks.
//
// Needs in scope: core/gpu_layout.h; in the vertex shader `frame`, `terrain`, `air`.
#ifndef OROGEN_PIXEL_UNIFORMS_GLSL
#define OROGEN_PIXEL_UNIFORMS_GLSL

const int kSharedVectors = 14;
#define OROGEN_SHARED_VECTORS(each) \
    each(0, frame.relativeFromClip[0]) \
    each(1, frame.relativeFromClip[1]) \
    each(2, frame.relativeFromClip[2]) \
    each(3, frame.relativeFromClip[3]) \
    each(4, frame.sunDirection) \
    each(5, frame.viewport) \
    each(6, terrain.pixelSize) \
    each(7, air.east) \
    each(8, air.north) \
    each(9, air.up) \
    each(10, air.camera) \
    each(11, air.sun) \
    each(12, air.moon) \
    each(13, air.moonlight)
#define OROGEN_SHARED_SCALARS(each) \
    each(x, frame.pixelsPerRadian) \
    each(y, frame.exposure) \
    each(z, frame.waveVariance)

#ifdef OROGEN_TAKES_UNIFORMS
layout(std140, binding = kFrameBinding) uniform PixelFrameBlock { FrameUniforms frameBlock; };
layout(std140, binding = kTerrainBinding) uniform PixelTerrainBlock { TerrainUniforms terrainBlock; };
layout(std140, binding = kAirBinding) uniform PixelAirBlock { AirUniforms airBlock; };
FrameUniforms frame;
TerrainUniforms terrain;
AirUniforms air;
#endif
#include "shaders/pixel_uniforms_@world.glsl"

#define OROGEN_TAKE(place, member) member = flatVectors[place];
#define OROGEN_TAKE_SCALAR(part, member) member = flatScalars.part;
#define OROGEN_GIVE(place, member) flatVectors[place] = member;
#define OROGEN_GIVE_SCALAR(part, member) flatScalars.part = member;

#ifdef OROGEN_TAKES_UNIFORMS
layout(location = 1) flat in vec4 flatScalars;
layout(location = 2) flat in vec4 flatVectors[kSharedVectors + kWorldVectors];

void takeUniforms()
{
    frame = frameBlock;
    terrain = terrainBlock;
    air = airBlock;
    OROGEN_SHARED_VECTORS(OROGEN_TAKE)
    OROGEN_SHARED_SCALARS(OROGEN_TAKE_SCALAR)
    OROGEN_WORLD_VECTORS(OROGEN_TAKE)
    takeWorld();
}
#endif
#ifdef OROGEN_GIVES_UNIFORMS
layout(location = 1) flat out vec4 flatScalars;
layout(location = 2) flat out vec4 flatVectors[kSharedVectors + kWorldVectors];

void giveUniforms()
{
    OROGEN_SHARED_VECTORS(OROGEN_GIVE)
    OROGEN_SHARED_SCALARS(OROGEN_GIVE_SCALAR)
    OROGEN_WORLD_VECTORS(OROGEN_GIVE)
    giveWorld();
}
#endif

#endif
