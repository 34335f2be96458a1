// Access for cbt_decode.comp to the leaves of the pool of bisectors (pool.glsl); seen_plane.glsl: the bit-field tree.
// pool_list.comp has already written the list leaves[].  Needs in scope: lod_buffers.glsl, sampler2D heightTexture.
#ifndef OROGEN_SEEN_EARTH_GLSL
#define OROGEN_SEEN_EARTH_GLSL

#include "shaders/tree/leb.glsl"
#include "shaders/surface/surface.glsl"
#include "shaders/heights/heights.glsl"
#include "shaders/lod/lod.glsl"
#include "shaders/lod/in_view_@world.glsl"
#include "shaders/surface/drawn_leaf.glsl"

// Returns whether the leaf is in view.  `entry`: its entry in the list of drawn leaves (drawn_leaf.glsl).
bool leafIsSeen(uint place, ListedLeaf leaf, out uvec4 entry)
{
    CubeLeaf shape = poolLeaf(leaf.slot);
    entry = drawnLeaf(shape, leaf.slot);
    return inView(shape, 0.0);
}

#endif
