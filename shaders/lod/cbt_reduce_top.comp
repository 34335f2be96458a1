// Sum reduction above the chunks, in one workgroup: at most 2^15 nodes.
#include "shaders/frame.glsl"
#define OROGEN_HEAP_QUALIFIER coherent  // threads read counts that other threads wrote, one level below
#include "shaders/lod/lod_buffers.glsl"

layout(local_size_x = kReduceGroupSize) in;

void main()
{
    uint width = chunkCount();
    while (width > 1u)
    {
        width >>= 1u;
        for (uint node = width + gl_LocalInvocationID.x; node < 2u * width; node += kReduceGroupSize)
            heap[node] = heap[2u * node] + heap[2u * node + 1u];
        memoryBarrierBuffer();
        barrier();
    }
}
