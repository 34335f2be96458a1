// Leaves of the pool of bisectors (pool.glsl) for the mesh validator (mesh_check.glsl).  A leaf's number is its slot.
//
// Needs in scope: heap[], leaves[], `state`, cbt.glsl, pool.glsl, drawn_leaf.glsl, mesh_check.glsl.
#ifndef OROGEN_MESH_EARTH_GLSL
#define OROGEN_MESH_EARTH_GLSL

#define MeshLeaf CubeLeaf

uint meshNumber(uint place) { return leaves[place]; }

uvec2 meshId(uint slot) { return uvec2(pool[8u * slot + kPoolId], pool[8u * slot + kPoolId + 1u]); }

// Reads the leaf of a slot; false if the slot is unused or its leaf is invalid.
bool meshLeaf(uint slot, out CubeLeaf leaf)
{
    if (slot >= poolSlots()) return false;
    if ((heap[cbtWordCount() + (slot >> 5u)] & (1u << (slot & 31u))) == 0u) return false;
    leaf = poolLeaf(slot);
    return cubeLeafDepth(leaf.shape) <= kMostCubeDepth && cubeLeafFace(leaf.shape) < 6 && meshId(slot) != uvec2(0u);
}

uvec4 meshDrawn(uint slot, CubeLeaf leaf) { return drawnLeaf(leaf, slot); }

// Finds the leaf's place by its id: a 1, four bits for the root, and one bit per child.  False if the id is invalid.
bool placeOfId(uvec2 id, out CubeLeaf leaf)
{
    int top = id.y != 0u ? 32 + findMSB(id.y) : findMSB(id.x);
    int depth = top - 4;
    if (depth < 0 || depth > int(kMostCubeDepth)) return false;
    uint root = 0u;
    for (int bit = top - 1; bit >= depth; --bit)
        root = 2u * root + (((bit >= 32 ? id.y >> (bit - 32) : id.x >> bit)) & 1u);
    if (root >= 12u) return false;
    bool second = (root & 1u) != 0u;
    leaf.apex = second ? ivec2(1 << kCubeLatticeBits) : ivec2(0);
    leaf.shape = (second ? 2u << 6u : 0u) | ((root >> 1u) << 8u);
    for (int bit = depth - 1; bit >= 0; --bit)
        leaf = cubeChild(leaf, (bit >= 32 ? id.y >> (bit - 32) : id.x >> bit) & 1u);
    return true;
}

#ifdef OROGEN_LEAF_BORDER_GLSL
// Finds the leaf's edge that equals `wanted`; false if it has none.
bool hasEdge(CubeLeaf leaf, BorderEdge wanted, out uint edge)
{
    for (edge = 0u; edge < 3u; ++edge)
        if (sameEdge(borderEdge(leaf, edge), wanted)) return true;
    return false;
}
#endif

// Returns the slot across an edge.  A BorderEdge counts apex-left, left-right, right-apex; links have the last two
// swapped.
uint meshLink(uint slot, uint edge) { return poolLink(slot, edge == 0u ? 0u : 3u - edge); }

#endif
