// Concurrent binary tree, wide layout (counts and bits in whole words).  core/cbt/cbt.h does the same on the CPU.
// tests/shaders/ compiles this file as C++.
//
// Must be in scope: `uint heap[]`, 2W words, W = 2^(D - 5), D in 6 .. 30:
//     heap[0]      D, the maximum depth
//     heap[1, W)   leaf counts of the nodes of depth 0 .. D - 6, by heap index
//     heap[W, 2W)  the bit field, 2^D bits; word W + i is also the node of depth D - 5 whose 32 bits it holds
// Define OROGEN_CBT_READ_ONLY before including this file where heap is readonly: only the queries are compiled.
//
// The root is node 1, the children of k are 2k and 2k + 1.  Queries need counts that match the bits.  Call them after
// a reduction, and not in a pass in which a thread splits, merges or reduces.
#ifndef OROGEN_CBT_GLSL
#define OROGEN_CBT_GLSL

uint cbtMaxDepth() { return heap[0]; }
uint cbtLeafCount() { return heap[1]; }
uint cbtWordCount() { return 1u << (heap[0] - 5u); }      // W: words of the bit field
uint cbtDepth(uint node) { return uint(findMSB(node)); }  // 0 for the root
uint cbtIndexInWord(uint bit) { return bit & 31u; }

// Returns the index in the field, 0 .. 2^D - 1, of the bit that is set if a leaf starts where `node` starts.
uint cbtFirstBit(uint node)
{
    uint below = cbtMaxDepth() - cbtDepth(node);
    return (node << below) - (1u << cbtMaxDepth());
}

// Returns the number of leaves in the subtree of a node.  For a node below a leaf: 1 if the leaf starts where the node
// starts, otherwise 0.
uint cbtLeavesBelow(uint node)
{
    if (node < cbtWordCount()) return heap[node];
    uint below = cbtMaxDepth() - cbtDepth(node);  // 0..5: the node covers 2^below bits of one word
    uint field = heap[node >> (5u - below)] >> cbtIndexInWord(node << below);
    return uint(bitCount(field & (0xffffffffu >> (32u - (1u << below)))));
}

// Returns whether a node is a leaf: false for 0, for inner nodes and for nodes below a leaf.
bool cbtIsLeaf(uint node)
{
    if (node <= 1u) return node == 1u && cbtLeafCount() == 1u;
    return cbtLeavesBelow(node) == 1u && cbtLeavesBelow(node >> 1u) > 1u;
}

// Returns the position of the set bit that has `rank` set bits below it; rank < bitCount(word).
uint cbtSelect(uint word, uint rank)
{
    uint position = 0u;
    for (uint width = 16u; width > 0u; width >>= 1u)
    {
        uint low = uint(bitCount((word >> position) & ((1u << width) - 1u)));
        if (rank >= low)
        {
            rank -= low;
            position += width;
        }
    }
    return position;
}

// Returns leaf `number`, 0 .. cbtLeafCount() - 1, counted from the left.  O(D) dependent reads.
uint cbtLeaf(uint number)
{
    uint words = cbtWordCount();
    uint node = 1u;
    uint count = heap[1];
    while (count > 1u && node < words)
    {
        node *= 2u;
        uint left = node < words ? heap[node] : uint(bitCount(heap[node]));
        bool right = number >= left;
        node += right ? 1u : 0u;
        number -= right ? left : 0u;
        count = right ? count - left : left;
    }
    if (count == 1u) return node;

    uint first = cbtSelect(heap[node], number);
    uint rest = (heap[node] >> first) >> 1u;  // two shifts: 32 at once is undefined
    uint size = rest == 0u ? 32u - first : 1u + uint(findLSB(rest));
    return (32u * node + first) >> uint(findMSB(size));
}

// Returns the number of a leaf: the count of leaves left of it.  The reads are independent of each other.
uint cbtLeafNumber(uint leaf)
{
    uint words = cbtWordCount();
    uint node = leaf;
    uint number = 0u;
    if (leaf >= words)
    {
        uint below = cbtMaxDepth() - cbtDepth(leaf);
        node = leaf >> (5u - below);
        number = uint(bitCount(heap[node] & ((1u << cbtIndexInWord(leaf << below)) - 1u)));
    }
    for (; node > 1u; node >>= 1u)
    {
        if ((node & 1u) == 0u) continue;
        uint left = heap[node - 1u];
        number += node > words ? uint(bitCount(left)) : left;
    }
    return number;
}

// Returns the index of the clear bit that has `rank` clear bits below it; rank < 2^D - cbtLeafCount().  Treats the
// field as a set of arbitrary bits, not as a tree.
uint cbtClearBit(uint rank)
{
    uint words = cbtWordCount();
    uint node = 1u;
    uint covered = 1u << cbtMaxDepth();
    while (node < words)
    {
        node *= 2u;
        covered >>= 1u;
        uint left = covered - (node < words ? heap[node] : uint(bitCount(heap[node])));
        bool right = rank >= left;
        node += right ? 1u : 0u;
        rank -= right ? left : 0u;
    }
    return 32u * (node - words) + cbtSelect(~heap[node], rank);
}

#ifndef OROGEN_CBT_READ_ONLY

// cbtSplit() and cbtMerge() each use one atomic operation, so that concurrent threads never see half a change.  The
// counts keep their values until the next reduction.

// Splits a leaf into two.  No effect at depth D.
void cbtSplit(uint leaf)
{
    if (cbtDepth(leaf) >= cbtMaxDepth()) return;
    uint bit = cbtFirstBit(2u * leaf + 1u);
    atomicOr(heap[cbtWordCount() + (bit >> 5u)], 1u << cbtIndexInWord(bit));
}

// Merges the leaf and its sibling, which must be a leaf too, into their parent.  No effect on the root.
void cbtMerge(uint leaf)
{
    if (leaf <= 1u) return;
    uint bit = cbtFirstBit(leaf | 1u);
    atomicAnd(heap[cbtWordCount() + (bit >> 5u)], ~(1u << cbtIndexInWord(bit)));
}

#ifdef OROGEN_CHANGES
// Records a flip of the node's first bit in `uint changes[]`, a bit field like the tree's.  `node` is the odd child of
// a leaf that splits, or the odd leaf of a pair that merges.  The tree itself stays unchanged for concurrent readers.
void cbtTurn(uint node)
{
    uint bit = cbtFirstBit(node);
    atomicOr(changes[bit >> 5u], 1u << cbtIndexInWord(bit));
}
#endif

// Sums one node.  Call for every node of depth D - 6, then D - 7, ... 0, with a barrier between depths.
void cbtReduce(uint node) { heap[node] = cbtLeavesBelow(2u * node) + cbtLeavesBelow(2u * node + 1u); }

#endif
#endif
