// Sum reduction inside chunks (cbt_chunks.glsl), one workgroup per chunk: computes the leaf counts of the chunk's nodes
// from its bits.  A chunk of 2^15 bits has 16 levels.  Counts of its six deepest levels are not stored: they are bit
// counts of words, or of parts of words.  The ten levels above are summed in three steps, with a barrier between steps.
// The first step sums four levels, up to 64 nodes.  The other two sum three levels each, up to 8 nodes and up to the
// chunk's root.  Every count is written once, without atomics.
//
// Without OROGEN_ENDS_ROUND the pass is dispatched over all chunks.  With OROGEN_ENDS_ROUND it ends a round of splits
// and merges: it is dispatched over changed chunks only, and first applies the changes of a plane's tree (changes[]) to
// the words that it counts.  The last workgroup then sums the counts above the chunks and writes the arguments of the
// decode (cbt_decode.comp).
#include "shaders/frame.glsl"
#ifdef OROGEN_ENDS_ROUND
// The last workgroup (last_group.glsl) reads counts of leaves and of finished workgroups that others wrote.
#define OROGEN_HEAP_QUALIFIER coherent
#define OROGEN_COUNTERS_QUALIFIER coherent
#if !defined(OROGEN_POOL) && !defined(OROGEN_LABORATORY)
#define OROGEN_CHANGES 1
#endif
#endif
#include "shaders/lod/lod_buffers.glsl"

// Threads per workgroup, chosen for the device: kChunkThreadsSoftware or kChunkThreadsHardware.  Both give equal
// results.
const uint kThreads = OROGEN_REDUCE_THREADS;

layout(local_size_x = kThreads) in;

shared uint counts[1u << (kChunkDepth - 6u)];

// Stores the count of a node, and returns it.
uint store(uint node, uint sum) { return heap[node] = sum; }

#ifdef OROGEN_CHANGES
// Returns a word of the bit field after applying its pending changes.  `at`: index in heap[].
uint fieldWord(uint at)
{
    uint word = heap[at], change = changes[at - cbtWordCount()];
    if (change == 0u) return word;
    word ^= change;
    heap[at] = word;
    changes[at - cbtWordCount()] = 0u;
    return word;
}
#else
uint fieldWord(uint at) { return heap[at]; }
#endif

// Counts the bits of a node whose children are whole words: heap[2 node] and heap[2 node + 1].
uint countPair(uint node) { return store(node, uint(bitCount(fieldWord(2u * node)) + bitCount(fieldWord(2u * node + 1u)))); }

// Sums and stores a node and the two levels below it, given the eight counts of the third level below.  Returns the
// node's count.
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

// Does sumEight() with eight counts of shared memory from index `at` on.
uint sumCounts(uint node, uint at)
{
    return sumEight(node, uvec4(counts[at], counts[at + 1u], counts[at + 2u], counts[at + 3u]),
                    uvec4(counts[at + 4u], counts[at + 5u], counts[at + 6u], counts[at + 7u]));
}

// Does sumEight() with the bit counts of the node's 16 words, and stores the counts of their pairs.
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

// Reduces the single chunk of a tree with fewer than 2^15 bits, level by level.
void reduceSmallTree(uint root, uint self)
{
    uint depth = chunkBits() - 6u;  // deepest stored level
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

void reduce(uint chunk, uint self)
{
    if (self == 0u) dirty[chunk] = 0u;
    if (chunkBits() == kChunkDepth)  // ten stored levels
        reduceChunk(chunkRoot(chunk), self);
    else
        reduceSmallTree(chunkRoot(chunk), self);
}

#ifdef OROGEN_ENDS_ROUND
#include "shaders/tree/last_group.glsl"
#ifdef OROGEN_LABORATORY
#include "shaders/lod/lab_arguments.glsl"
#else
#include "shaders/lod/round_arguments.glsl"

layout(location = 0) uniform uint cull;  // 1: culling (cull.comp) follows
#endif

// Does sumEight() with the stored counts of the third level below.
uint sumOfEight(uint node)
{
    uint at = 8u * node;
    return sumEight(node, uvec4(heap[at], heap[at + 1u], heap[at + 2u], heap[at + 3u]),
                    uvec4(heap[at + 4u], heap[at + 5u], heap[at + 6u], heap[at + 7u]));
}

// Sums the counts above the chunks: three levels per step, then the remaining levels.
void reduceTop(uint self)
{
    uint width = chunkCount();
    while (width >= 8u)
    {
        width >>= 3u;
        for (uint node = width + self; node < 2u * width; node += kThreads) sumOfEight(node);
        memoryBarrierBuffer();
        barrier();
    }
    if (self != 0u) return;
    for (uint node = width - 1u; node > 0u; --node) heap[node] = heap[2u * node] + heap[2u * node + 1u];
}

void main()
{
    uint self = gl_LocalInvocationID.x;
    bool changed = state.dirtyChunks != 0u;
    if (changed) reduce(dirty[chunkCount() + gl_WorkGroupID.x], self);
    if (!isLastGroup(kLodReduceTicket, state.reduceGroups[0])) return;
    if (changed) reduceTop(self);
    if (self != 0u) return;
#ifdef OROGEN_LABORATORY
    writeLabArguments();
#else
    uint before = state.leaves;
    countRound();
    writeArguments(heap[1], cull);
#ifndef OROGEN_POOL  // for the pool, pool_list.comp lists the leaves before the decode
    storeList(before, roundCounters[kLodSplits] + roundCounters[kLodMerges] != 0u ? 1u : 0u);
#endif
    state.maxDepth = 0u;
#endif
}
#else
void main() { reduce(gl_WorkGroupID.x, gl_LocalInvocationID.x); }
#endif
