// Sum reduction inside chunks, one workgroup a chunk: the leaf counts of its nodes from the bits of its words.  Six levels
// stay virtual (popcounts of the words), the others are summed in shared memory and written once; no atomics.
// Dispatched over the dirty chunks, or over all of them.
#include "shaders/frame.glsl"
#include "shaders/lod_buffers.glsl"

layout(local_size_x = kReduceGroupSize) in;
layout(location = 0) uniform uint allChunks;

#include "shaders/cbt_chunks.glsl"

shared uint counts[1u << (kChunkDepth - 5u)];  // the chunk's own heap: its root is 1

void main()
{
    uint chunk = allChunks != 0u ? gl_WorkGroupID.x : dirty[chunkCount() + gl_WorkGroupID.x];
    uint self = gl_LocalInvocationID.x;
    uint root = chunkRoot(chunk);
    uint depth = chunkBits() - 6u;  // of the deepest stored level, below the chunk's root
    if (self == 0u) dirty[chunk] = 0u;

    uint width = 1u << depth;
    for (uint i = self; i < width; i += kReduceGroupSize)
    {
        uint node = (root << depth) + i;
        // The children are whole words: heap[2 node] and heap[2 node + 1] are the words themselves.
        uint sum = uint(bitCount(heap[2u * node]) + bitCount(heap[2u * node + 1u]));
        counts[width + i] = sum;
        heap[node] = sum;
    }
    while (depth > 0u)
    {
        barrier();
        depth -= 1u;
        width >>= 1u;
        for (uint i = self; i < width; i += kReduceGroupSize)
        {
            uint sum = counts[2u * (width + i)] + counts[2u * (width + i) + 1u];
            counts[width + i] = sum;
            heap[(root << depth) + i] = sum;
        }
    }
}
