// Lists the implicit tree's leaves by a search of the tree, after other changes than those of the LOD's splits and
// merges (LodTree::relist()).  Runs before the decode (cbt_decode.comp).
#include "shaders/frame.glsl"
#include "shaders/tree/leaf_dispatch.glsl"
#include "shaders/lod/lod_buffers.glsl"

void main()
{
    uint place = leafNumber(), part = uint(leaves.length()) / kListWords;
    if (place >= state.leaves) return;
    uint leaf = cbtLeaf(place);
    LebTriangle triangle = lebVertices(leaf);
    leaves[place] = leaf;
    leaves[part + place] = lebPacked(triangle.apex);
    leaves[2u * part + place] = lebPacked(triangle.base0);
    leaves[3u * part + place] = lebPacked(triangle.base1);
    leaves[4u * part + place] = 0u;
}
