// Leaves of the tree of a plane for the mesh validator (mesh_check.glsl).  A leaf's number is its place in the list.
//
// Needs in scope: heap[], leaves[], `state`, cbt.glsl, leb.glsl, mesh_check.glsl.
#ifndef OROGEN_MESH_PLANE_GLSL
#define OROGEN_MESH_PLANE_GLSL

#include "shaders/surface/drawn_leaf.glsl"

#define MeshLeaf LebTriangle
#define BorderPoint uvec2

uint meshNumber(uint place) { return place; }

bool meshLeaf(uint number, out LebTriangle leaf)
{
    uint node = number < state.leaves ? leaves[number] : 0u;
    if (node < 2u || lebDepth(node) > 2u * kLeafLatticeBits) return false;
    leaf = lebVertices(node);
    return true;
}

uvec4 meshDrawn(uint number, LebTriangle leaf) { return drawnLeaf(leaf, lebDepth(leaves[number]), number); }

// Areas are counted in the smallest possible leaves, those of depth 2 kLeafLatticeBits, numbered in the order of the
// list.  A leaf covers areaOf() of them, beginning with number firstSquare().
uint firstSquare(uint node) { return (node << (2u * kLeafLatticeBits - lebDepth(node))) - kLatticeArea; }
uint areaOf(uint node) { return kLatticeArea >> lebDepth(node); }

uvec2 cornerOf(LebTriangle t, uint i) { return i == 0u ? t.apex : i == 1u ? t.base0 : t.base1; }
bool cornerBefore(uvec2 a, uvec2 b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }

// Returns twice the area, positive if (apex, base0, base1) runs counter-clockwise.
int doubleArea(LebTriangle t)
{
    ivec2 a = ivec2(t.base0) - ivec2(t.apex), b = ivec2(t.base1) - ivec2(t.apex);
    return a.x * b.y - a.y * b.x;
}
bool turnsLeft(LebTriangle t) { return doubleArea(t) > 0; }

bool coversAll() { return check.area == kLatticeArea; }

void storePlaces()
{
    for (uint kind = 0u; kind < kFaultKinds; ++kind)
        check.firstNode[kind] = check.firstNumber[kind] < state.leaves ? leaves[check.firstNumber[kind]] : 0u;
}

#endif
