// Runs before mark: takes cached verdicts (lod_verdicts.glsl), and lists the leaves without a valid one, which mark
// must evaluate.  This is a separate pass, so that no workgroup waits for a few threads that evaluate.
#include "shaders/frame.glsl"
#include "shaders/tree/leaf_dispatch.glsl"
#include "shaders/lod/lod_buffers.glsl"
#include "shaders/lod/lod_wish.glsl"

layout(binding = kHeightTexture) uniform sampler2D heightTexture;

#include "shaders/tree/leb.glsl"
#include "shaders/surface/surface.glsl"
#include "shaders/heights/heights.glsl"
#include "shaders/lod/lod.glsl"
#include "shaders/lod/lod_verdicts.glsl"

// GPUs count within a workgroup first, software rasterisers in each thread, as in cbt_decode.comp.
const bool kByGroup = OROGEN_REDUCE_THREADS > kChunkThreadsSoftware;
shared uint dueInGroup, firstDue;

// Takes the leaf's cached verdict and returns true, if there is a valid one.
bool takesKeptVerdict(uint number)
{
    uint entry = verdictEntry(verdictHash(leaves[number]));
    if (!verdictsAreKept() || readingAbove >= verdictDue(entry)) return false;
    uint wish = (entry >> verdictDigits()) & 3u;
    leafPlan[number] = wish;  // only leaves at the maximum depth have cached splits; they cannot split: no mark needed
    if ((wish & kLodWishMerge) != 0u) atomicOr(leafFlags[number], kLodWantMerge);
    return true;
}

void listAt(uint place, uint number)
{
    dueList[place] = number;
    uint group = place / kLeafGroupSize;
    if (place % kLeafGroupSize != 0u) return;
    if (group < kMaxGroupsX) atomicAdd(dueGroups[0], 1u);
    else if (group % kMaxGroupsX == 0u) atomicAdd(dueGroups[1], 1u);
}

void main()
{
    if (kByGroup)
    {
        if (gl_LocalInvocationIndex == 0u) dueInGroup = 0u;
        barrier();
    }
    uint number = leafNumber(), place = 0u;
    bool due = number < cbtLeafCount() && !takesKeptVerdict(number);
    if (due) place = kByGroup ? atomicAdd(dueInGroup, 1u) : atomicAdd(dueCount, 1u);
    if (kByGroup)
    {
        barrier();
        if (gl_LocalInvocationIndex == 0u && dueInGroup != 0u) firstDue = atomicAdd(dueCount, dueInGroup);
        barrier();
        place += firstDue;
    }
    if (due) listAt(place, number);
}
