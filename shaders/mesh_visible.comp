// The mesh validator's pass over the list of drawn leaves: see mesh_check.glsl.
#include "shaders/frame.glsl"
#include "shaders/leaf_dispatch.glsl"

layout(std430, binding = kLeavesBinding) readonly buffer LeavesBlock { uint leaves[]; };
layout(std430, binding = kDrawnBitsBinding) buffer DrawnBitsBlock { uint drawnBits[]; };
layout(std430, binding = kStateBinding) readonly buffer StateBlock { TreeState state; };
layout(std430, binding = kVisibleBinding) readonly buffer VisibleBlock { uvec4 visible[]; };

#include "shaders/leb.glsl"
#include "shaders/drawn_leaf.glsl"
#include "shaders/mesh_check.glsl"

void checkEntry(uvec4 drawn)
{
    uint number = drawnLeafNumber(drawn);
    uint node = number < state.leaves ? leaves[number] : 0u;
    if (node < 2u || drawn != drawnLeaf(lebVertices(node), lebDepth(node), number))
    {
        fault(kFaultDrawnLeaf, number);
        return;
    }
    uint bit = 1u << (number & 31u);
    if ((atomicOr(drawnBits[number >> 5u], bit) & bit) != 0u) fault(kFaultOverlap, number);
}

void main()
{
    uint slot = leafNumber();
    if (slot == 0u && state.drawInstances > state.leaves) fault(kFaultOverlap, 0u);  // more than this pass looks at
    if (slot < min(state.drawInstances, state.leaves)) checkEntry(visible[slot]);
}
