// Sums one level of the packed tree as paper 002 (Grachev, Ushakov 2023) does: one thread per node.
#include "core/gpu_layout.h"

layout(local_size_x = kReduceGroupSize) in;
layout(location = 0) uniform uint first;  // node (heap index)
layout(location = 1) uniform uint count;  // nodes of this dispatch

layout(std430, binding = kTreeBinding) buffer TreeBlock { uint packedHeap[]; };

#include "shaders/lab/packed_cbt.glsl"

void main()
{
    if (gl_GlobalInvocationID.x < count) packedReduce(first + gl_GlobalInvocationID.x);
}
