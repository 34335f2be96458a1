// The decode: lists the leaves for the next round, and those in view for the draw.  Culling does not change the tree.
#include "shaders/frame.glsl"
#include "shaders/tree/leaf_dispatch.glsl"
#include "shaders/lod/lod_buffers.glsl"

layout(std430, binding = kVisibleBinding) writeonly buffer VisibleBlock { uvec4 visible[]; };
layout(binding = kHeightTexture) uniform sampler2D heightTexture;
layout(location = 0) uniform uint relist;  // 1: the tree has changed, so the leaves are listed again
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
    bool seen = false;
    uvec4 entry = uvec4(0u);
    if (place < state.leaves)
    {
        uint leaf = relist != 0u ? listLeaf(place) : leaves[place];
        if (relist != 0u)
        {
            lodClear(place, lodNumberAt(place));
            noteDepth(depthOfLeaf(leaf));
        }
        seen = cull != 0u && leafIsSeen(place, leaf, entry);
        if (seen) slot = kByGroup ? atomicAdd(seenLeaves, 1u) : placesInView(1u);
    }
    if (kByGroup)
    {
        countGroup();
        slot += firstSlot;
    }
    if (seen) visible[slot] = entry;
}
