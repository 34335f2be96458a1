// Decodes leaves by their numbers, one thread each; in the wide layout.
#include "core/gpu_layout.h"

layout(local_size_x = kLeafGroupSize) in;
layout(location = 0) uniform uint first;
layout(location = 1) uniform uint count;
layout(location = 2) uniform uint mask;  // leaves go round in the list, which is shorter than those of a deep tree

#define OROGEN_CBT_READ_ONLY
layout(std430, binding = kTreeBinding) readonly buffer TreeBlock { uint heap[]; };
layout(std430, binding = kLeavesBinding) writeonly buffer LeavesBlock { uint leaves[]; };

#include "shaders/cbt.glsl"

void main()
{
    if (gl_GlobalInvocationID.x >= count) return;
    uint number = first + gl_GlobalInvocationID.x;
    if (number < cbtLeafCount()) leaves[number & mask] = cbtLeaf(number);
}
