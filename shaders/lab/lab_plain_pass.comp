// A pass whose time is a lower bound for that of a sum reduction.  It only counts the bits and stores the counts of the
// deepest stored level.
#include "core/gpu_layout.h"

layout(local_size_x = kReduceGroupSize) in;
layout(location = 0) uniform uint first;  // node (heap index)
layout(location = 1) uniform uint count;  // nodes of this dispatch

layout(std430, binding = kTreeBinding) buffer TreeBlock { uint heap[]; };

void main()
{
    if (gl_GlobalInvocationID.x >= count) return;
    uint node = first + gl_GlobalInvocationID.x;
    heap[node] = uint(bitCount(heap[2u * node]) + bitCount(heap[2u * node + 1u]));
}
