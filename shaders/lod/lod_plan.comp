// Pass "plan" of a round of splits and merges (lod_round.glsl): plans each leaf's action (keep, split, merge, refused)
// from the marks of the pass "mark".  Changes of a plane's tree are recorded in changes[], so that all threads read the
// old tree.  The reduction applies the changes.  It runs over the chunks (cbt_chunks.glsl) that this pass lists.
#include "shaders/frame.glsl"
#include "shaders/tree/leaf_dispatch.glsl"
#ifndef OROGEN_POOL
#define OROGEN_CHANGES 1
#endif
#include "shaders/lod/lod_buffers.glsl"

#ifdef OROGEN_POOL
#include "shaders/pool/pool_change.glsl"
#else
#include "shaders/tree/leaf_list.glsl"
#include "shaders/tree/leaf_changes.glsl"
#endif

void main()
{
    uint place = leafNumber();
    if (place >= cbtLeafCount()) return;
    uint leaf = leaves[place];
    uint plan = lodPlan(lodNumberAt(place), leaf);
#ifdef OROGEN_POOL
    poolNotePlan(leaf, plan);
#else
    lodApply(leaf, plan);
    noteChange(place, plan);
#endif
}
