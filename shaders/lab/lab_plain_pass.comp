// Lower bound for the time of a sum reduction: one pass that only counts the bits and stores the deepest stored level.
#include "core/gpu_layout.h"

layout(local_size_x = kReduceGroupSize) in;
layout(location = 0) uniform uint first;
layout(location = 1) uniform uint count;

layout(std430, binding = kTreeBinding) buffer TreeBlock { uint heap[]; };

void main()
{
    if (gl_GlobalInvocationID.x >= count) return;
    uint node = first + gl_GlobalInvocationID.x;
    heap[node] = uint(bitCount(heap[2u * node]) + bitCount(heap[2u * node + 1u]));
}
