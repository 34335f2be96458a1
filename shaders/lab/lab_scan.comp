// Figure 5 of paper 002: one thread reads the bits one by one.  A leaf starts at each set bit, and the distance to the
// next one gives its depth (equations 9 and 10).  Runs in slices, so that no dispatch takes long.
#include "core/gpu_layout.h"

layout(local_size_x = 1) in;
layout(location = 0) uniform uint maxDepth;
layout(location = 1) uniform uint fieldWord;  // the word with bit 0
layout(location = 2) uniform uint first;      // bits, a multiple of 32
layout(location = 3) uniform uint count;
layout(location = 4) uniform uint mask;  // the list is a ring buffer, since deep trees have more leaves than it holds

layout(std430, binding = kTreeBinding) readonly buffer TreeBlock { uint heap[]; };
layout(std430, binding = kLeavesBinding) writeonly buffer LeavesBlock { uint leaves[]; };
layout(std430, binding = kLabScanBinding) buffer ScanBlock { uint scanLeaf, scanFound; };  // where the last slice ended

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
