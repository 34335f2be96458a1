// Access to the pool's leaves for cbt_decode.comp; tree_seen.glsl is the counterpart for the bit-field tree.
// pool_list.comp has already written the list leaves[].  Without OROGEN_EARTH (a pool without terrain, as in tests) no
// leaf is culled.  Needs in scope: the includes of cbt_decode.comp.
#ifndef OROGEN_POOL_SEEN_GLSL
#define OROGEN_POOL_SEEN_GLSL

uint listLeaf(uint place) { return leaves[place]; }

uint depthOfLeaf(uint leaf) { return cubeLeafDepth(poolShape(leaf)); }

bool leafIsSeen(uint place, uint leaf, out uvec4 entry)
{
    CubeLeaf shape = poolLeaf(leaf);
    entry = uvec4(uvec2(shape.apex), shape.shape, leaf);
#ifdef OROGEN_EARTH
    int face = cubeLeafFace(shape.shape);
    return inFrustum(ivec3(shape.apex, face), ivec3(cubeLeft(shape), face), ivec3(cubeRight(shape), face), 0.0);
#else
    return true;
#endif
}

#endif
