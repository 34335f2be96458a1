// Access to the leaves of the bit-field tree for cbt_decode.comp; seen_earth.glsl is the counterpart for the pool.
// Needs in scope: lod_buffers.glsl, sampler2D heightTexture.
#ifndef OROGEN_SEEN_PLANE_GLSL
#define OROGEN_SEEN_PLANE_GLSL

#include "shaders/tree/leb.glsl"
#include "shaders/surface/surface.glsl"
#include "shaders/heights/heights.glsl"
#include "shaders/lod/lod.glsl"
#include "shaders/lod/in_view_@world.glsl"
#include "shaders/surface/drawn_leaf.glsl"

// Finds a leaf by its place, and stores it in the list.
uint listLeaf(uint place)
{
    uint leaf = cbtLeaf(place);
    leaves[place] = leaf;
    return leaf;
}

uint depthOfLeaf(uint leaf) { return cbtDepth(leaf); }

// Returns whether the leaf is in view.  `entry`: its entry in the list of drawn leaves (drawn_leaf.glsl).
bool leafIsSeen(uint place, uint leaf, out uvec4 entry)
{
    LebTriangle triangle = lebVertices(leaf);
    entry = drawnLeaf(triangle, cbtDepth(leaf), place);
    return inView(triangle, 0.0);
}

#endif
