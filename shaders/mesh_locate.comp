// Which edges are at fault, once the sums say that some are: looks across each edge of each leaf, through the tree.
// See mesh_check.glsl.
#define OROGEN_CBT_READ_ONLY
#include "shaders/frame.glsl"
#include "shaders/leaf_dispatch.glsl"

layout(std430, binding = kTreeBinding) readonly buffer TreeBlock { uint heap[]; };
layout(std430, binding = kLeavesBinding) readonly buffer LeavesBlock { uint leaves[]; };
layout(std430, binding = kStateBinding) readonly buffer StateBlock { TreeState state; };
layout(binding = kHeightTexture) uniform sampler2D heightTexture;

#include "shaders/cbt.glsl"
#include "shaders/leb.glsl"
#include "shaders/surface.glsl"
#include "shaders/heights.glsl"
#include "shaders/diamond.glsl"
#include "shaders/drawn_surface.glsl"
#include "shaders/drawn_leaf.glsl"
#include "shaders/leaf_border.glsl"
#include "shaders/mesh_check.glsl"

const uint kNoEdge = 3u;

// The edge of leaf `node` that is this one; kNoEdge: it is no leaf, or has none.
uint edgeOf(uint node, LebEdge wanted)
{
    if (node < 2u || cbtDepth(node) > cbtMaxDepth() || !cbtIsLeaf(node)) return kNoEdge;
    LebTriangle t = lebVertices(node);
    for (uint edge = 0u; edge < 3u; ++edge)
    {
        LebEdge found = borderEdge(t, edge);
        if (found.low == wanted.low && found.high == wanted.high) return edge;
    }
    return kNoEdge;
}

// The leaf across an edge of a leaf; 0: none shares it.  Across the base lies a leaf of this depth or its parent, across
// a leg one of this depth or a child of it.
uint leafAcross(LebNeighbours n, uint edge, LebEdge canonical)
{
    uint level = edge == 1u ? n.edge : edge == 0u ? n.right : n.left;
    if (level == 0u) return 0u;
    if (edgeOf(level, canonical) != kNoEdge) return level;
    if (edge == 1u) return edgeOf(level >> 1u, canonical) != kNoEdge ? level >> 1u : 0u;
    if (edgeOf(2u * level, canonical) != kNoEdge) return 2u * level;
    return edgeOf(2u * level + 1u, canonical) != kNoEdge ? 2u * level + 1u : 0u;
}

bool sameHeights(LebTriangle t, uvec4 drawn, uint edge, uint across, LebEdge canonical)
{
    LebTriangle other = lebVertices(across);
    uvec4 otherDrawn = drawnLeaf(other, lebDepth(across), cbtLeafNumber(across));
    uint otherEdge = edgeOf(across, canonical);
    for (int i = 0; i <= 1 << frame.patchLevel; ++i)
    {
        float here = borderHeight(t, drawn, edge, canonical, i);
        float there = borderHeight(other, otherDrawn, otherEdge, canonical, i);
        if (floatBitsToUint(here) != floatBitsToUint(there)) return false;
    }
    return true;
}

void main()
{
    uint number = leafNumber();
    if (number >= state.leaves) return;
    uint node = leaves[number];
    if (node < 2u) return;
    LebTriangle t = lebVertices(node);
    uvec4 drawn = drawnLeaf(t, lebDepth(node), number);
    LebNeighbours n = lebNeighbours(node);
    for (uint edge = 0u; edge < 3u; ++edge)
    {
        LebEdge canonical = borderEdge(t, edge);
        if (onBorder(canonical)) continue;
        uint across = leafAcross(n, edge, canonical);
        if (across == 0u)
            fault(kFaultTJunction, number);
        else if (ownsLeft(t, edge, canonical) && !sameHeights(t, drawn, edge, across, canonical))
            fault(kFaultCrack, number);
    }
}
