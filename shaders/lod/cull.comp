// Lists the leaves in view for the draw.  Does not change the tree.
#include "shaders/frame.glsl"
#include "shaders/lod/lod_buffers.glsl"

layout(std430, binding = kVisibleBinding) writeonly buffer VisibleBlock { uvec4 visible[]; };
layout(binding = kHeightTexture) uniform sampler2D heightTexture;

// How many of the leaves that are tested together are in view.
const uint kNoneSeen = 0u;
const uint kAllSeen = 1u;
const uint kSomeSeen = 2u;  // unknown: each leaf must be tested

// GPUs count within a workgroup first, to avoid thousands of atomics on one word.  On a software rasteriser barriers
// cost more than the atomics.
const bool kByGroup = OROGEN_REDUCE_THREADS > kChunkThreadsSoftware;
shared uint seenLeaves, firstSlot;

#include "shaders/lod/seen_@world.glsl"
#include "shaders/tree/leaf_dispatch.glsl"

// Reserves `count` consecutive places in the list of leaves in view; returns the first.
uint placesInView(uint count)
{
    atomicAdd(state.drawInstances, count);
    return atomicAdd(state.visible, count);
}

// Lists the leaf, if it is in view, in a place of those that the workgroup reserves at once.
void listByGroup(uint place)
{
    if (gl_LocalInvocationIndex == 0u) seenLeaves = 0u;
    barrier();
    uvec4 entry = uvec4(0u);
    bool seen = place < state.leaves && leafIsSeen(place, entry);
    uint slot = 0u;
    if (seen) slot = atomicAdd(seenLeaves, 1u);
    barrier();
    if (gl_LocalInvocationIndex == 0u && seenLeaves != 0u) firstSlot = placesInView(seenLeaves);
    barrier();
    if (seen) visible[firstSlot + slot] = entry;
}

void main()
{
    uint first = leafNumber(), end = min(first + OROGEN_LEAVES_PER_THREAD, state.leaves);
    if (kByGroup)
    {
        listByGroup(first);
        return;
    }
    if (first >= end) return;
    uint view = viewOfLeaves(first, end);
    // A loop, as a software rasteriser executes both sides of a branch, but the body of an empty loop only once.
    uint seen = view == kAllSeen ? (1u << (end - first)) - 1u : 0u, endOfTested = view == kSomeSeen ? end : first;
    uvec4 entry;
    for (uint place = first; place < endOfTested; ++place)
        if (leafIsSeen(place, entry)) seen |= 1u << (place - first);
    if (seen == 0u) return;
    uint slot = placesInView(uint(bitCount(seen)));  // at once, because atomics cost more than most tests
    for (uint bits = seen; bits != 0u; bits &= bits - 1u, ++slot)
        visible[slot] = drawnEntry(first + uint(findLSB(bits)));
}
