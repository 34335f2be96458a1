// Sum reduction inside chunks, one workgroup a chunk: the leaf counts of its nodes from the bits of its words.  Six levels
// stay virtual (popcounts of the words); the others are summed three at a time in registers, of 64 nodes, of 8, of one,
// with a barrier between; every count is written once, without atomics.  Dispatched over the dirty chunks, or over all.
#include "shaders/frame.glsl"
#include "shaders/lod_buffers.glsl"

// Few threads with much to do each.  Threads that wait for the last nodes take a software rasteriser as long as if they
// worked (64: 2.3 times one pass over the bits, 16: 1.8, on llvmpipe at D = 24); a GPU waits for memory, and 64 words a
// thread keep enough of it under way.
const uint kThreads = 16u;

layout(local_size_x = kThreads) in;
layout(location = 0) uniform uint allChunks;

#include "shaders/cbt_chunks.glsl"

shared uint counts[1u << (kChunkDepth - 6u)];

uint store(uint node, uint sum) { return heap[node] = sum; }

// The children are whole words: heap[2 node] and heap[2 node + 1] are the words themselves.
uint countPair(uint node) { return store(node, uint(bitCount(heap[2u * node]) + bitCount(heap[2u * node + 1u]))); }

// A node and the two levels below it, from the counts of its descendants of the level below those.
uint sumEight(uint node, uvec4 left, uvec4 right)
{
    uvec4 fours = uvec4(left.xz + left.yw, right.xz + right.yw);
    store(4u * node, fours.x);
    store(4u * node + 1u, fours.y);
    store(4u * node + 2u, fours.z);
    store(4u * node + 3u, fours.w);
    uint low = store(2u * node, fours.x + fours.y), high = store(2u * node + 1u, fours.z + fours.w);
    return store(node, low + high);
}

uint sumCounts(uint node, uint at)
{
    return sumEight(node, uvec4(counts[at], counts[at + 1u], counts[at + 2u], counts[at + 3u]),
                    uvec4(counts[at + 4u], counts[at + 5u], counts[at + 6u], counts[at + 7u]));
}

uint sumPairs(uint node)
{
    uint below = 8u * node;
    return sumEight(node, uvec4(countPair(below), countPair(below + 1u), countPair(below + 2u), countPair(below + 3u)),
                    uvec4(countPair(below + 4u), countPair(below + 5u), countPair(below + 6u), countPair(below + 7u)));
}

void reduceChunk(uint root, uint self)
{
    for (uint i = self; i < 64u; i += kThreads) counts[i] = sumPairs(64u * root + i);
    barrier();
    if (self < 8u) counts[64u + self] = sumCounts(8u * root + self, 8u * self);
    barrier();
    if (self == 0u) sumCounts(root, 64u);
}

void reduceSmallTree(uint root, uint self)
{
    uint depth = chunkBits() - 6u;  // of the deepest stored level
    for (uint i = self; i < 1u << depth; i += kThreads) counts[(1u << depth) + i] = countPair((root << depth) + i);
    while (depth > 0u)
    {
        barrier();
        depth -= 1u;
        uint width = 1u << depth;
        for (uint i = self; i < width; i += kThreads)
            counts[width + i] =
                store((root << depth) + i, counts[2u * (width + i)] + counts[2u * (width + i) + 1u]);
    }
}

void main()
{
    uint chunk = allChunks != 0u ? gl_WorkGroupID.x : dirty[chunkCount() + gl_WorkGroupID.x];
    uint self = gl_LocalInvocationID.x;
    if (self == 0u) dirty[chunk] = 0u;
    if (chunkBits() == kChunkDepth)  // nine stored levels
        reduceChunk(chunkRoot(chunk), self);
    else
        reduceSmallTree(chunkRoot(chunk), self);
}
