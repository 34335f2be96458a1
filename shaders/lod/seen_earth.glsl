// Access for cull.comp to the leaves of the pool of bisectors (pool.glsl); seen_plane.glsl: to those of the implicit
// tree.  Needs in scope: lod_buffers.glsl, sampler2D heightTexture.
#ifndef OROGEN_SEEN_EARTH_GLSL
#define OROGEN_SEEN_EARTH_GLSL

#include "shaders/tree/leb.glsl"
#include "shaders/surface/surface.glsl"
#include "shaders/heights/heights.glsl"
#include "shaders/lod/lod.glsl"
#include "shaders/lod/in_view_@world.glsl"
#include "shaders/surface/drawn_leaf.glsl"

#define OROGEN_LEAVES_PER_THREAD (kByGroup ? 1u : 8u)

// Neighbours in the list need not be neighbours on the ground.
uint viewOfLeaves(uint first, uint end) { return kSomeSeen; }

uvec4 drawnEntry(uint place) { return drawnLeaf(poolLeaf(leaves[place]), leaves[place]); }
bool leafIsSeen(uint place, out uvec4 entry)
{
    CubeLeaf shape = poolLeaf(leaves[place]);
    entry = drawnLeaf(shape, leaves[place]);
    return inView(shape, 0.0);
}

#endif
