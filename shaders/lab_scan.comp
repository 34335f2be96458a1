// The paper's figure 5: one thread looks at the bits one after another; a leaf starts at each that is set, and how far
// the next one lies says its depth (equations 9 and 10).  In slices, so that no dispatch takes long.
#include "core/gpu_layout.h"

layout(local_size_x = 1) in;
layout(location = 0) uniform uint maxDepth;
layout(location = 1) uniform uint fieldWord;  // of the word with bit 0
layout(location = 2) uniform uint first;      // bits, a multiple of 32
layout(location = 3) uniform uint count;
layout(location = 4) uniform uint mask;  // leaves go round in the list, which is shorter than those of a deep tree

layout(std430, binding = kTreeBinding) readonly buffer TreeBlock { uint heap[]; };
layout(std430, binding = kLeavesBinding) writeonly buffer LeavesBlock { uint leaves[]; };
layout(std430, binding = kLabScanBinding) buffer ScanBlock { uint scanLeaf, scanFound; };  // where the slice before ended

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
