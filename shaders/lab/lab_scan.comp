// Lists the leaves as in figure 5 of paper 002 (Grachev, Ushakov 2023): one thread reads the bits one by one.  A leaf
// starts at each set bit.  The distance to the next set bit gives the leaf's depth (equations 9 and 10).  Each dispatch
// reads a slice of the bits, so that no dispatch takes long.
#include "core/gpu_layout.h"

layout(local_size_x = 1) in;
layout(location = 0) uniform uint maxDepth;
layout(location = 1) uniform uint fieldWord;  // index of the word with bit 0
layout(location = 2) uniform uint first;      // first bit of the slice, a multiple of 32
layout(location = 3) uniform uint count;      // bits of the slice
layout(location = 4) uniform uint mask;       // size - 1 of the list, a ring buffer, as deep trees have too many leaves

layout(std430, binding = kTreeBinding) readonly buffer TreeBlock { uint heap[]; };
layout(std430, binding = kLeavesBinding) writeonly buffer LeavesBlock { uint leaves[]; };
// State between slices: first bit of the leaf whose end is not found yet, and number of leaves found.
layout(std430, binding = kLabScanBinding) buffer ScanBlock { uint scanLeaf, scanFound; };

// Returns the node that covers the bits from `start` to before `end`.
uint leafBetween(uint start, uint end) { return ((1u << maxDepth) + start) >> uint(findMSB(end - start)); }

void main()
{
    uint start = scanLeaf;
    uint found = scanFound;
    for (uint bit = max(first, 1u); bit < first + count; ++bit)
    {
        if ((heap[fieldWord + (bit >> 5u)] >> (bit & 31u) & 1u) == 0u) continue;
        leaves[found & mask] = leafBetween(start, bit);
        ++found;
        start = bit;
    }
    if (first + count == 1u << maxDepth)
    {
        leaves[found & mask] = leafBetween(start, first + count);
        ++found;
    }
    scanLeaf = start;
    scanFound = found;
}
