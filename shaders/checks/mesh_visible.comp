// The mesh validator's pass over the list of drawn leaves: see mesh_check.glsl.
#define OROGEN_CBT_READ_ONLY
#include "shaders/frame.glsl"
#include "shaders/tree/leaf_dispatch.glsl"

layout(std430, binding = kTreeBinding) readonly buffer TreeBlock { uint heap[]; };
layout(std430, binding = kLeavesBinding) readonly buffer LeavesBlock { uint leaves[]; };
layout(std430, binding = kDrawnBitsBinding) buffer DrawnBitsBlock { uint drawnBits[]; };
layout(std430, binding = kStateBinding) readonly buffer StateBlock { TreeState state; };
layout(std430, binding = kVisibleBinding) readonly buffer VisibleBlock { uvec4 visible[]; };

#include "shaders/checks/mesh_check.glsl"
#include "shaders/checks/mesh_leaf.glsl"

void checkEntry(uvec4 drawn)
{
    uint number = drawnLeafNumber(drawn);
    MeshLeaf leaf;
    if (!meshLeaf(number, leaf) || drawn != meshDrawn(number, leaf))
    {
        fault(kFaultDrawnLeaf, number);
        return;
    }
    uint bit = 1u << (number & 31u);
    if ((atomicOr(drawnBits[number >> 5u], bit) & bit) != 0u) fault(kFaultOverlap, number);
}

void main()
{
    uint entry = leafNumber();
    // The pass has one thread for each leaf of the tree, so it checks no more entries than leaves.
    if (entry == 0u && state.drawInstances > state.leaves) fault(kFaultOverlap, 0u);
    if (entry < min(state.drawInstances, state.leaves)) checkEntry(visible[entry]);
}
