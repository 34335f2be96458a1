// Second pass of a round: plans what each leaf does (keep, split, merge, refused) from the marks of the first pass.
#include "shaders/frame.glsl"
#include "shaders/leaf_dispatch.glsl"
#include "shaders/lod_buffers.glsl"

#ifdef OROGEN_POOL
#include "shaders/cbt_chunks.glsl"
#include "shaders/pool_change.glsl"
#endif

void main()
{
    uint place = leafNumber();
    if (place >= cbtLeafCount()) return;
    uint leaf = leaves[place];
    uint plan = lodPlan(lodNumberAt(place), leaf);
#ifdef OROGEN_POOL
    poolNotePlan(leaf, plan);
#endif
}
