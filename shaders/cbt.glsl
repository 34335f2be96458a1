// Concurrent binary tree, wide layout.  Twin of core/cbt/cbt.h; tests/shaders/ compiles this file as C++ and compares.
//
// Must be in scope: `uint heap[]`, 2W words, W = 2^(D - 5), D in 6..30:
//     heap[0]      D, the maximum depth
//     heap[1, W)   leaf counts of the nodes of depth 0 .. D - 6, by heap index
//     heap[W, 2W)  the bit field, 2^D bits; word W + i is also the node of depth D - 5 whose 32 bits it holds
// A program that declares heap readonly defines OROGEN_CBT_READ_ONLY first and gets the queries alone.
//
// Nodes: the root is 1, the children of k are 2k and 2k + 1.  Queries read counts and bits of the last reduction: never
// call one in a pass in which another thread splits, merges or reduces.
#ifndef OROGEN_CBT_GLSL
#define OROGEN_CBT_GLSL

uint cbtMaxDepth() { return heap[0]; }
uint cbtLeafCount() { return heap[1]; }
uint cbtWordCount() { return 1u << (heap[0] - 5u); }      // W: how many words the bit field has
uint cbtDepth(uint node) { return uint(findMSB(node)); }  // 0 for the root
uint cbtIndexInWord(uint bit) { return bit & 31u; }

// Index in the field, 0 .. 2^D - 1, of the bit that says whether a leaf starts where `node` starts.
uint cbtFirstBit(uint node)
{
    uint below = cbtMaxDepth() - cbtDepth(node);
    return (node << below) - (1u << cbtMaxDepth());
}

// Leaves in the subtree of a node; 0 below a leaf, except along its left edge, where it is 1.
uint cbtLeavesBelow(uint node)
{
    if (node < cbtWordCount()) return heap[node];
    uint below = cbtMaxDepth() - cbtDepth(node);  // 0..5: the node covers 2^below bits of one word
    uint field = heap[node >> (5u - below)] >> cbtIndexInWord(node << below);
    return uint(bitCount(field & (0xffffffffu >> (32u - (1u << below)))));
}

// False for 0, for inner nodes and for nodes below a leaf.
bool cbtIsLeaf(uint node)
{
    if (node <= 1u) return node == 1u && cbtLeafCount() == 1u;
    return cbtLeavesBelow(node) == 1u && cbtLeavesBelow(node >> 1u) > 1u;
}

// Position of the set bit that has `rank` set bits below it; rank < bitCount(word).
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

// The leaf of that number, 0 .. cbtLeafCount() - 1, from left to right.  At most D - 5 dependent reads.
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

// The number of a leaf: how many leaves lie left of it.  The reads do not depend on each other.
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

// The field as a set of numbers instead of the starts of leaves, in which any bits may be set: the number of the clear bit
// that has `rank` clear ones below it; rank < 2^D - cbtLeafCount().
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

// One atomic each: clear-then-set would let a concurrent reader see a live leaf vanish.  Counts stay as they were.

// The leaf becomes two.  No effect at depth D.
void cbtSplit(uint leaf)
{
    if (cbtDepth(leaf) >= cbtMaxDepth()) return;
    uint bit = cbtFirstBit(2u * leaf + 1u);
    atomicOr(heap[cbtWordCount() + (bit >> 5u)], 1u << cbtIndexInWord(bit));
}

// The leaf and its sibling, which must be a leaf too, become their parent.  No effect on the root.
void cbtMerge(uint leaf)
{
    if (leaf <= 1u) return;
    uint bit = cbtFirstBit(leaf | 1u);
    atomicAnd(heap[cbtWordCount() + (bit >> 5u)], ~(1u << cbtIndexInWord(bit)));
}

#ifdef OROGEN_CHANGES
// Notes in `uint changes[]`, a field like the tree's, that the bit turns with which the node begins, the odd child of a
// leaf that splits or of a pair that becomes its parent.  The tree stays as it is for all who read it meanwhile.
void cbtTurn(uint node)
{
    uint bit = cbtFirstBit(node);
    atomicOr(changes[bit >> 5u], 1u << cbtIndexInWord(bit));
}
#endif

// Reduction: call for every node of depth D - 6, then D - 7, ... 0, with a barrier between depths.
void cbtReduce(uint node) { heap[node] = cbtLeavesBelow(2u * node) + cbtLeavesBelow(2u * node + 1u); }

#endif
#endif
