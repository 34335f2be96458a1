// The decode: lists the leaves for the next round, and those in view for the draw.  On the implicit tree it runs over
// the list from before the round, and writes the leaves that replace each listed leaf.  The pool's list is current.
#include "shaders/frame.glsl"
#include "shaders/tree/leaf_dispatch.glsl"
#include "shaders/lod/lod_buffers.glsl"

layout(std430, binding = kVisibleBinding) writeonly buffer VisibleBlock { uvec4 visible[]; };
layout(binding = kHeightTexture) uniform sampler2D heightTexture;
layout(location = 0) uniform uint relist;  // 1: lists the leaves for the next round
layout(location = 1) uniform uint cull;    // 1: last decode of the frame, which lists the leaves in view

#include "shaders/lod/seen_@world.glsl"

// GPUs count within a workgroup first, to avoid thousands of atomics on one word.  On a software rasteriser barriers
// cost more than the atomics.
const bool kByGroup = OROGEN_REDUCE_THREADS > kChunkThreadsSoftware;
shared uint deepest, seenLeaves, firstSlot;

// Updates the largest depth.  Few leaves are deeper than all leaves before them.  So a plain read, even of an outdated
// value, saves most leaves an atomic operation.
void noteDepth(uint depth)
{
    if (kByGroup) atomicMax(deepest, depth);
    else if (depth > state.maxDepth) atomicMax(state.maxDepth, depth);
}

// Reserves `count` consecutive places in the list of leaves in view; returns the first.
uint placesInView(uint count)
{
    atomicAdd(state.drawInstances, count);
    return atomicAdd(state.visible, count);
}

// Adds the depth and the leaves in view of this workgroup to those of the tree.
void countGroup()
{
    barrier();
    if (gl_LocalInvocationIndex == 0u)
    {
        if (deepest > state.maxDepth) atomicMax(state.maxDepth, deepest);
        if (seenLeaves != 0u) firstSlot = placesInView(seenLeaves);
    }
    barrier();
}

void main()
{
    if (kByGroup)
    {
        if (gl_LocalInvocationIndex == 0u) deepest = 0u, seenLeaves = 0u;
        barrier();
    }
    uint place = leafNumber(), slot = 0u;
    bool seen = false;  // whether the group stores an entry for this thread
    uvec4 entry = uvec4(0u);
    if (place < state.listed)
    {
        Listed listed = listedAt(place, relist != 0u && state.listChanged != 0u);
        uint first = firstPlaceAfter(listed), end = first + leavesAfter(listed);
        for (uint at = first; at < end; ++at)
        {
            ListedLeaf leaf = leafAfter(listed, at - first);
            if (relist != 0u)
            {
                storeLeaf(at, leaf, listed);
                lodClear(at, numberOfLeaf(at, leaf));
                noteDepth(depthOfLeaf(leaf));
            }
            uvec4 drawn;
            if (cull == 0u || !leafIsSeen(at, leaf, drawn)) continue;
            // Few leaves are replaced by several, so only the first of each thread is counted within the group.
            bool counted = kByGroup && at == first;
            seen = seen || counted;
            if (counted) entry = drawn;
            else visible[placesInView(1u)] = drawn;
        }
    }
    if (!kByGroup) return;
    if (seen) slot = atomicAdd(seenLeaves, 1u);
    countGroup();
    if (seen) visible[firstSlot + slot] = entry;
}
