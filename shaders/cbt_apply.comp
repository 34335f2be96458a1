// Third pass of a round: one atomic for each leaf that changes, and the chunk that it changes is put on the list of the
// incremental reduction.
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
