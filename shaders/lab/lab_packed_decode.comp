// Lists leaves of the packed layout of paper 002 (Grachev, Ushakov 2023) by their numbers: one thread per leaf descends
// from the root.
#include "core/gpu_layout.h"

layout(local_size_x = kLeafGroupSize) in;
layout(location = 0) uniform uint first;  // number of this dispatch's first leaf
layout(location = 1) uniform uint count;  // leaves of this dispatch
layout(location = 2) uniform uint mask;  // size - 1 of the list, a ring buffer, as deep trees have too many leaves

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
