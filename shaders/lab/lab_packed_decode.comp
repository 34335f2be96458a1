// Decodes leaves by number in the packed layout of paper 002, one thread each.
#include "core/gpu_layout.h"

layout(local_size_x = kLeafGroupSize) in;
layout(location = 0) uniform uint first;
layout(location = 1) uniform uint count;
layout(location = 2) uniform uint mask;  // the list is a ring buffer, since deep trees have more leaves than it holds

#define OROGEN_PACKED_READ_ONLY
layout(std430, binding = kTreeBinding) readonly buffer TreeBlock { uint packedHeap[]; };
layout(std430, binding = kLeavesBinding) writeonly buffer LeavesBlock { uint leaves[]; };

#include "shaders/lab/packed_cbt.glsl"

void main()
{
    if (gl_GlobalInvocationID.x >= count) return;
    uint number = first + gl_GlobalInvocationID.x;
    if (number < packedLeavesBelow(1u)) leaves[number & mask] = packedLeaf(number);
}
