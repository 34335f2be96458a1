// Third pass of a round: carries out the plan, with one atomic operation a leaf that changes, and lists the chunks of the
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
    if (plan != kLodSplit && plan != kLodMerge) return;
    uint leaf = leaves[number];
    lodApply(number, leaf);
    touchChunk(cbtFirstBit(plan == kLodSplit ? 2u * leaf + 1u : leaf));
}
