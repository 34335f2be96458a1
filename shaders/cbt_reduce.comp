// Sum reduction inside chunks, one workgroup a chunk: computes the leaf counts of the chunk's nodes from its bits.
// Counts of the deepest six levels are not stored: they are bit counts of words.  Of the nine levels above, each step sums
// three in registers: the first for 64 nodes, the second for 8, the third for the chunk's root, with a barrier between
// steps.  Every count is written once, without atomics.  Dispatched over the chunks that changed, or over all.
#include "shaders/frame.glsl"
#include "shaders/lod_buffers.glsl"

// kChunkThreadsSoftware or kChunkThreadsHardware, by device; the result is the same for any number.
const uint kThreads = OROGEN_REDUCE_THREADS;

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
    for (uint i = self; i < 8u; i += kThreads) counts[64u + i] = sumCounts(8u * root + i, 8u * i);
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
