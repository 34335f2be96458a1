// Locates faulty edges if the sums are not 0: looks across each edge of each leaf.  See mesh_check.glsl.
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
#include "shaders/checks/mesh_check.glsl"
#include "shaders/checks/mesh_leaf.glsl"
#include "shaders/checks/leaf_border.glsl"

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
