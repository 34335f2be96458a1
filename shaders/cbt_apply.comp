// Third pass of a round: carries out the plan, with one atomic operation a split or merge, and lists the chunks of the
// tree that changed, for the incremental reduction.
#include "shaders/frame.glsl"
#include "shaders/leaf_dispatch.glsl"
#include "shaders/lod_buffers.glsl"
#include "shaders/cbt_chunks.glsl"

void main()
{
    uint number = leafNumber();
    if (number >= state.leaves) return;
    uint plan = leafPlan[number];
    if (plan == kLodKeep || plan == kLodRefused) return;
    uint leaf = leaves[number];
    lodApply(number, leaf);
    touchChunk(cbtFirstBit(plan == kLodMerge ? leaf : 2u * leaf + 1u));
    // A coarse leaf's children may lie in other chunks.
    if ((plan & kLodSplitChild0) != 0u) touchChunk(cbtFirstBit(4u * leaf + 1u));
    if ((plan & kLodSplitChild1) != 0u) touchChunk(cbtFirstBit(4u * leaf + 3u));
}
