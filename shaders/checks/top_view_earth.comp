// Lists the leaves so large that the view from above draws them in pieces, which follow the curved ground.
#define OROGEN_CBT_READ_ONLY
#include "shaders/frame.glsl"

layout(std430, binding = kTreeBinding) readonly buffer TreeBlock { uint heap[]; };

#include "shaders/tree/cbt.glsl"
#include "shaders/tree/leaf_dispatch.glsl"

layout(std430, binding = kLeavesBinding) readonly buffer LeavesBlock { uint leaves[]; };
layout(std430, binding = kStateBinding) readonly buffer StateBlock { TreeState state; };
layout(std430, binding = kCurvedBinding) buffer CurvedBlock
{
    uint vertices, instances, firstVertex, firstInstance;  // arguments of the draw
    uint unused[60];     // padding: the list is also bound alone, at an offset of 256 bytes, which all drivers allow
    uint curvedLeaves[];
};
#include "shaders/pool/pool.glsl"

void main()
{
    if (leafNumber() >= state.leaves) return;
    uint slot = leaves[leafNumber()];
    if (cubeLeafDepth(poolShape(slot)) < kCurvedDepth) curvedLeaves[atomicAdd(instances, 1u)] = slot;
}
