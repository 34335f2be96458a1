// Leaves of the pool of bisectors (pool.glsl) for the mesh validator (mesh_check.glsl).  A leaf's number is its slot.
//
// Needs in scope: heap[], leaves[], `state`, cbt.glsl, leb.glsl, mesh_check.glsl.
#ifndef OROGEN_MESH_EARTH_GLSL
#define OROGEN_MESH_EARTH_GLSL

#include "shaders/pool/pool.glsl"
#include "shaders/surface/drawn_leaf.glsl"

#define MeshLeaf CubeLeaf
#define BorderPoint ivec3  // point on the cube, which does not depend on the leaf's face

uint meshNumber(uint place) { return leaves[place]; }

uvec2 meshId(uint slot) { return uvec2(pool[8u * slot + kPoolId], pool[8u * slot + kPoolId + 1u]); }

// Reads the leaf of a slot.  Returns false if the slot is unused or its leaf is invalid.
bool meshLeaf(uint slot, out CubeLeaf leaf)
{
    if (slot >= poolSlots()) return false;
    if ((heap[cbtWordCount() + (slot >> 5u)] & (1u << (slot & 31u))) == 0u) return false;
    leaf = poolLeaf(slot);
    return cubeLeafDepth(leaf.shape) <= kMostCubeDepth && cubeLeafFace(leaf.shape) < 6 && meshId(slot) != uvec2(0u);
}

uvec4 meshDrawn(uint slot, CubeLeaf leaf) { return drawnLeaf(leaf, slot); }

// Derives the leaf from its id alone: a 1, four bits for the root, and one bit for the child of each bisection.
// Returns false if the id is invalid.
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

// Returns the slot across an edge.  A BorderEdge counts apex-left, left-right, right-apex; links have the last two
// swapped.
uint meshLink(uint slot, uint edge) { return poolLink(slot, edge == 0u ? 0u : 3u - edge); }

ivec3 cornerOf(CubeLeaf leaf, uint i)
{
    ivec2 place = i == 0u ? leaf.apex : i == 1u ? cubeLeft(leaf) : cubeRight(leaf);
    return cubePoint(ivec3(place, cubeLeafFace(leaf.shape)));
}
bool cornerBefore(ivec3 a, ivec3 b) { return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z; }
bool turnsLeft(CubeLeaf leaf) { return true; }  // all leaves run counter-clockwise, seen from outside

// Returns whether the leaves' areas add up to the cube's.  A leaf of depth d has 2^-d of a root's area.  Pairs of
// leaves are counted as one leaf of the next lower depth, up from the deepest; twelve roots must result.
bool coversAll()
{
    uint sum = 0u;
    for (uint depth = kMostCubeDepth; depth > 0u; --depth)
    {
        sum += check.leavesOfDepth[depth];
        if ((sum & 1u) != 0u) return false;
        sum /= 2u;
    }
    return sum + check.leavesOfDepth[0] == 12u;
}

void storePlaces()
{
    check.earth = 1u;
    for (uint kind = 0u; kind < kFaultKinds; ++kind)
    {
        CubeLeaf leaf;
        if (check.faults[kind] == 0u) continue;
        uint number = check.firstNumber[kind];
        check.firstLeaf[0] = 0u;
        if (!meshLeaf(number, leaf)) return;
        uvec2 id = meshId(number);
        uint words[6] = uint[6](1u, uint(leaf.apex.x), uint(leaf.apex.y), leaf.shape, id.x, id.y);
        for (int i = 0; i < 6; ++i)
            check.firstLeaf[i] = words[i];
        return;
    }
}

#endif
