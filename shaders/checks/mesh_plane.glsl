// The leaves of the implicit tree for the mesh validator (mesh_check.glsl).  A leaf's number is its place in the list.
//
// Needs in scope: heap[], leaves[], `state`, cbt.glsl, leb.glsl, drawn_leaf.glsl, mesh_check.glsl.
#ifndef OROGEN_MESH_PLANE_GLSL
#define OROGEN_MESH_PLANE_GLSL

#define MeshLeaf LebTriangle

uint meshNumber(uint place) { return place; }

bool meshLeaf(uint number, out LebTriangle leaf)
{
    uint node = number < state.leaves ? leaves[number] : 0u;
    if (node < 2u || lebDepth(node) > 2u * kLeafLatticeBits) return false;
    leaf = lebVertices(node);
    return true;
}

uvec4 meshDrawn(uint number, LebTriangle leaf) { return drawnLeaf(leaf, lebDepth(leaves[number]), number); }

// A leaf covers areaOf() of the smallest possible leaves (depth 2 kLeafLatticeBits), from firstSquare() on.
uint firstSquare(uint node) { return (node << (2u * kLeafLatticeBits - lebDepth(node))) - kLatticeArea; }
uint areaOf(uint node) { return kLatticeArea >> lebDepth(node); }

// Checks for a gap or overlap between a leaf and its neighbours in the list.
void checkOrder(uint number)
{
    uint node = leaves[number], before = 0u;
    if (number > 0u) before = firstSquare(leaves[number - 1u]) + areaOf(leaves[number - 1u]);
    if (firstSquare(node) > before) fault(kFaultHole, number);
    if (firstSquare(node) < before) fault(kFaultOverlap, number);
    if (number + 1u == state.leaves && firstSquare(node) + areaOf(node) < kLatticeArea) fault(kFaultHole, number);
}

#endif
