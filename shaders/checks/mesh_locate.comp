// Locates faulty edges if the sums are not 0: looks across each edge of each leaf in the tree.  See mesh_check.glsl.
#define OROGEN_CBT_READ_ONLY
#include "shaders/frame.glsl"
#include "shaders/tree/leaf_dispatch.glsl"

layout(std430, binding = kTreeBinding) readonly buffer TreeBlock { uint heap[]; };
layout(std430, binding = kLeavesBinding) readonly buffer LeavesBlock { uint leaves[]; };
layout(std430, binding = kStateBinding) readonly buffer StateBlock { TreeState state; };
layout(binding = kHeightTexture) uniform sampler2D heightTexture;

#include "shaders/tree/leb.glsl"
#include "shaders/surface/surface.glsl"
#include "shaders/heights/heights.glsl"
#include "shaders/tree/diamond.glsl"
#include "shaders/surface/drawn_surface.glsl"
#include "shaders/surface/drawn_leaf.glsl"
#include "shaders/checks/leaf_border.glsl"
#include "shaders/checks/mesh_check.glsl"
#include "shaders/checks/mesh_leaf.glsl"

struct Owner
{
    uint number;
    MeshLeaf leaf;
    BorderEdge edge;
};

#ifdef OROGEN_EARTH
bool ownerAcross(uint number, uint edge, BorderEdge wanted, out Owner owner)
{
    uint found;
    owner.number = meshLink(number, edge);
    if (!meshLeaf(owner.number, owner.leaf) || !hasEdge(owner.leaf, wanted, found)) return false;
    owner.edge = borderEdge(owner.leaf, found);
    return true;
}
#else
// Whether a node is a leaf that has the edge `wanted`; returns it as owner.
bool ownsEdge(uint node, BorderEdge wanted, out Owner owner)
{
    if (node < 2u || cbtDepth(node) > cbtMaxDepth() || !cbtIsLeaf(node)) return false;
    owner.number = cbtLeafNumber(node);
    owner.leaf = lebVertices(node);
    for (uint edge = 0u; edge < 3u; ++edge)
    {
        owner.edge = borderEdge(owner.leaf, edge);
        if (sameEdge(owner.edge, wanted)) return true;
    }
    return false;
}

// Finds the leaf across an edge.  Across the base it has this depth or is its parent's; across a leg, this depth or one
// more.
bool ownerAcross(uint number, uint edge, BorderEdge wanted, out Owner owner)
{
    LebNeighbours n = lebNeighbours(leaves[number]);
    uint level = edge == 1u ? n.edge : edge == 0u ? n.right : n.left;
    if (level == 0u) return false;
    if (ownsEdge(level, wanted, owner)) return true;
    if (edge == 1u) return ownsEdge(level >> 1u, wanted, owner);
    return ownsEdge(2u * level, wanted, owner) || ownsEdge(2u * level + 1u, wanted, owner);
}
#endif

bool sameHeights(uvec4 drawn, BorderEdge edge, Owner other)
{
    uvec4 otherDrawn = meshDrawn(other.number, other.leaf);
    for (int step = 0; step <= 1 << frame.patchLevel; ++step)
    {
        float here = borderHeight(drawn, edge, step), there = borderHeight(otherDrawn, other.edge, step);
        if (floatBitsToUint(here) != floatBitsToUint(there)) return false;
    }
    return true;
}

void main()
{
    if (leafNumber() >= state.leaves) return;
    uint number = meshNumber(leafNumber());
    MeshLeaf leaf;
    if (!meshLeaf(number, leaf)) return;
    uvec4 drawn = meshDrawn(number, leaf);
    for (uint i = 0u; i < 3u; ++i)
    {
        BorderEdge edge = borderEdge(leaf, i);
        if (onBorder(edge)) continue;
        Owner other;
        if (!ownerAcross(number, i, edge, other))
            fault(kFaultTJunction, number);
        else if (edge.ownsLeft && !sameHeights(drawn, edge, other))
            fault(kFaultCrack, number);
    }
}
