// Access to the leaves of the bit-field tree for cbt_decode.comp; pool_seen.glsl is the counterpart for the pool.
// Needs in scope: the includes of cbt_decode.comp.
#ifndef OROGEN_TREE_SEEN_GLSL
#define OROGEN_TREE_SEEN_GLSL

uint listLeaf(uint place)
{
    uint leaf = cbtLeaf(place);
    leaves[place] = leaf;
    return leaf;
}

uint depthOfLeaf(uint leaf) { return cbtDepth(leaf); }

bool leafIsSeen(uint place, uint leaf, out uvec4 entry)
{
    LebTriangle triangle = lebVertices(leaf);
    LebBox box = boxOf(triangle);
    entry = drawnLeaf(triangle, cbtDepth(leaf), place);
    return !outsideRaster(box) && inFrustum(box, 0.0);
}

#endif
