// The decode: lists the leaves after a round of splits and merges, for the next round.  On the implicit tree it runs
// over the list from before the round, and writes the leaves that replace each listed leaf.  The pool's list is up to
// date (pool_list.comp).
#include "shaders/frame.glsl"
#include "shaders/tree/leaf_dispatch.glsl"
#include "shaders/lod/lod_buffers.glsl"
#ifndef OROGEN_POOL
#include "shaders/tree/leaf_list.glsl"
#include "shaders/tree/leaf_changes.glsl"
#include "shaders/tree/next_list.glsl"
#endif

// GPUs find the largest depth within a workgroup first; see cull.comp.
const bool kByGroup = OROGEN_REDUCE_THREADS > kChunkThreadsSoftware;
shared uint deepest;

// Updates the largest depth.  Few leaves are deeper than all leaves before them.  So a plain read, even of an outdated
// value, saves most leaves an atomic operation.
void noteDepth(uint depth)
{
    if (kByGroup) atomicMax(deepest, depth);
    else if (depth > state.maxDepth) atomicMax(state.maxDepth, depth);
}

void main()
{
    if (kByGroup)
    {
        if (gl_LocalInvocationIndex == 0u) deepest = 0u;
        barrier();
    }
    uint place = leafNumber();
    if (place < state.listed)
    {
        Listed listed = listedAt(place, state.listChanged != 0u);
        uint first = firstPlaceAfter(listed), end = first + leavesAfter(listed);
        for (uint at = first; at < end; ++at)
        {
            ListedLeaf leaf = leafAfter(listed, at - first);
            storeLeaf(at, leaf, listed);
            lodClear(at, numberOfLeaf(at, leaf));
            noteDepth(depthOfLeaf(leaf));
        }
    }
    if (!kByGroup) return;
    barrier();
    if (gl_LocalInvocationIndex == 0u && deepest > state.maxDepth) atomicMax(state.maxDepth, deepest);
}
