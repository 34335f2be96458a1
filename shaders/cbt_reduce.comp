// Sum reduction inside chunks, one workgroup a chunk: the leaf counts of its nodes from the bits of its words.  Six levels
// stay virtual (popcounts of the words), a thread sums four in registers, the group the others in shared memory; every
// count is written once, without atomics.  Dispatched over the dirty chunks, or over all of them.
#include "shaders/frame.glsl"
#include "shaders/lod_buffers.glsl"

// Few threads with much to do: a barrier costs a software rasteriser more than a thread's sixteen words.
const uint kThreads = 64u;
const uint kShareDepth = kChunkDepth - 9u;  // of the node that a thread sums up to, below the chunk's root

layout(local_size_x = kThreads) in;
layout(location = 0) uniform uint allChunks;

#include "shaders/cbt_chunks.glsl"

shared uint counts[1u << (kChunkDepth - 6u)];  // a heap: its root is the chunk's

uint countPair(uint node)
{
    // The children are whole words: heap[2 node] and heap[2 node + 1] are the words themselves.
    uint sum = uint(bitCount(heap[2u * node]) + bitCount(heap[2u * node + 1u]));
    heap[node] = sum;
    return sum;
}

// The subtree of a node above 16 words.
uint sumShare(uint node)
{
    uint sums[8];
    for (uint i = 0u; i < 8u; ++i) sums[i] = countPair(8u * node + i);
    for (uint width = 4u; width > 0u; width >>= 1u)
        for (uint i = 0u; i < width; ++i)
        {
            sums[i] = sums[2u * i] + sums[2u * i + 1u];
            heap[width * node + i] = sums[i];
        }
    return sums[0];
}

void main()
{
    uint chunk = allChunks != 0u ? gl_WorkGroupID.x : dirty[chunkCount() + gl_WorkGroupID.x];
    uint self = gl_LocalInvocationID.x;
    uint root = chunkRoot(chunk);
    if (self == 0u) dirty[chunk] = 0u;

    uint depth = chunkBits() - 6u;  // down to where counts[] reaches, below the chunk's root
    if (chunkBits() == kChunkDepth)
    {
        depth = kShareDepth;
        counts[kThreads + self] = sumShare((root << depth) + self);
    }
    else  // a tree smaller than a chunk
        for (uint i = self; i < 1u << depth; i += kThreads) counts[(1u << depth) + i] = countPair((root << depth) + i);

    while (depth > 0u)
    {
        barrier();
        depth -= 1u;
        uint width = 1u << depth;
        for (uint i = self; i < width; i += kThreads)
        {
            uint sum = counts[2u * (width + i)] + counts[2u * (width + i) + 1u];
            counts[width + i] = sum;
            heap[(root << depth) + i] = sum;
        }
    }
}
