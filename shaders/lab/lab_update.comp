// Splits or merges the selected leaves (lab_choice.glsl) of the list.  Two siblings that are both leaves are adjacent
// in the list.
#include "shaders/frame.glsl"
#include "shaders/tree/leaf_dispatch.glsl"
#include "shaders/lod/lod_buffers.glsl"

layout(location = 0) uniform uint merging;  // 0: splits leaves; 1: merges pairs of siblings

#include "shaders/lab/lab_choice.glsl"

void main()
{
    uint number = leafNumber();
    if (number >= state.leaves) return;
    uint leaf = leaves[number];
    if (merging == 0u)
    {
        if (!labChosen(leaf) || cbtDepth(leaf) >= cbtMaxDepth()) return;
        cbtSplit(leaf);
        touchChunk(cbtFirstBit(2u * leaf + 1u));
    }
    else if ((leaf & 1u) != 0u && number > 0u && labChosen(leaf >> 1u) && leaves[number - 1u] == leaf - 1u)
    {
        cbtMerge(leaf);
        touchChunk(cbtFirstBit(leaf));
    }
}
