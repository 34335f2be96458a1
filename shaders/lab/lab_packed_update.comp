// The update of paper 002 (Grachev, Ushakov 2023): each thread finds its leaf and changes it at once, without a list of
// leaves.  That is correct here, because a split or merge concerns only a leaf and its sibling, whose counts are those
// of the last reduction.  An update that looks up neighbours, as for a mesh without T-junctions, would be incorrect.
#include "core/gpu_layout.h"
#include "shaders/tree/leaf_dispatch.glsl"

layout(location = 0) uniform uint merging;  // 0: splits leaves; 1: merges pairs of siblings

layout(std430, binding = kTreeBinding) buffer TreeBlock { uint packedHeap[]; };

#include "shaders/lab/lab_choice.glsl"
#include "shaders/lab/packed_cbt.glsl"

void main()
{
    uint number = leafNumber();
    if (number >= packedLeavesBelow(1u)) return;
    uint leaf = packedLeaf(number);
    if (merging == 0u)
    {
        if (labChosen(leaf)) packedSplit(leaf);
    }
    else if ((leaf & 1u) != 0u && leaf > 1u && labChosen(leaf >> 1u) && packedIsLeaf(leaf - 1u))
        packedMerge(leaf);
}
