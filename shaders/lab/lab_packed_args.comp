// Writes the arguments of the indirect dispatch of lab_packed_update.comp, which has one thread per leaf.  This pass
// itself has one thread.
#include "core/gpu_layout.h"

layout(local_size_x = 1) in;

#define OROGEN_PACKED_READ_ONLY
layout(std430, binding = kTreeBinding) readonly buffer TreeBlock { uint packedHeap[]; };
layout(std430, binding = kStateBinding) buffer StateBlock { TreeState state; };

#include "shaders/lab/packed_cbt.glsl"

void main()
{
    uint groups = (packedLeavesBelow(1u) + kLeafGroupSize - 1u) / kLeafGroupSize;
    state.leafGroups[0] = min(groups, kMaxGroupsX);
    state.leafGroups[1] = (groups + kMaxGroupsX - 1u) / kMaxGroupsX;
    state.leafGroups[2] = 1u;
}
