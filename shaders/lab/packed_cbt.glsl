// Concurrent binary tree in the packed layout of paper 002 (Grachev, Ushakov 2023) and libcbt, for measurements.  It
// mirrors core/cbt/packed_cbt.h.  tests/shaders/ compiles this file as C++ and compares both.
//
// Must be in scope: `uint packedHeap[]`, 2^(D + 2) bits in words; D, the maximum depth, is 6 .. 30.  The leaf count of
// node k (heap index, depth d) has w = D - d + 1 bits.  It starts at bit 2^(d + 1) + k w.  So counts may cross word
// borders and share words.
#ifndef OROGEN_PACKED_CBT_GLSL
#define OROGEN_PACKED_CBT_GLSL

uint packedMaxDepth() { return uint(findLSB(packedHeap[0])); }  // the header holds 2^D
uint packedDepth(uint node) { return uint(findMSB(node)); }

// Returns the leaf count of a node, as of the last reduction.
uint packedLeavesBelow(uint node)
{
    uint depth = packedDepth(node);
    uint width = packedMaxDepth() - depth + 1u;
    uint start = (2u << depth) + node * width;
    uint shift = start & 31u;
    uint count = packedHeap[start >> 5u] >> shift;
    if (shift + width > 32u) count |= packedHeap[(start >> 5u) + 1u] << (32u - shift);
    return count & (0xffffffffu >> (32u - width));
}

// Returns the node of leaf `number`, counted from the left.  Descends from the root as in figure 8 of paper 002, with
// O(D) dependent reads.
uint packedLeaf(uint number)
{
    uint node = 1u;
    while (packedLeavesBelow(node) > 1u)
    {
        node *= 2u;
        uint left = packedLeavesBelow(node);
        if (number < left) continue;
        number -= left;
        node += 1u;
    }
    return node;
}

bool packedIsLeaf(uint node)
{
    if (node <= 1u) return node == 1u && packedLeavesBelow(1u) == 1u;
    return packedLeavesBelow(node) == 1u && packedLeavesBelow(node >> 1u) > 1u;
}

// Returns the index in the heap of the bit that is set if a leaf starts where the node starts.
uint packedBit(uint node)
{
    uint maxDepth = packedMaxDepth();
    return (3u << maxDepth) + ((node << (maxDepth - packedDepth(node))) - (1u << maxDepth));
}

#ifndef OROGEN_PACKED_READ_ONLY

void packedSplit(uint leaf)
{
    if (packedDepth(leaf) >= packedMaxDepth()) return;
    uint bit = packedBit(2u * leaf + 1u);
    atomicOr(packedHeap[bit >> 5u], 1u << (bit & 31u));
}

void packedMerge(uint leaf)
{
    if (leaf <= 1u) return;
    uint bit = packedBit(leaf | 1u);
    atomicAnd(packedHeap[bit >> 5u], ~(1u << (bit & 31u)));
}

// Stores the sum of the counts of a node's children.  The stores are atomic, because counts of different nodes share
// words.  No thread may read counts of the level that is written.
void packedReduce(uint node)
{
    uint sum = packedLeavesBelow(2u * node) + packedLeavesBelow(2u * node + 1u);
    uint depth = packedDepth(node);
    uint width = packedMaxDepth() - depth + 1u;
    uint start = (2u << depth) + node * width;
    uint shift = start & 31u;
    uint mask = 0xffffffffu >> (32u - width);
    atomicAnd(packedHeap[start >> 5u], ~(mask << shift));
    atomicOr(packedHeap[start >> 5u], sum << shift);
    if (shift + width <= 32u) return;
    atomicAnd(packedHeap[(start >> 5u) + 1u], ~(mask >> (32u - shift)));
    atomicOr(packedHeap[(start >> 5u) + 1u], sum >> (32u - shift));
}

#endif
#endif
