// Runs before the pass "mark" (lod_mark.comp).  A verdict is the criterion's decision on a leaf: split, merge or keep.
// This pass takes cached verdicts (lod_verdicts.glsl).  It lists the leaves that are due, which have no valid cached
// verdict; mark evaluates them.  The passes are separate, so that no workgroup waits for a few threads that evaluate.
#include "shaders/frame.glsl"
#include "shaders/tree/leaf_dispatch.glsl"
#include "shaders/lod/lod_buffers.glsl"
#include "shaders/lod/lod_wish.glsl"

layout(binding = kHeightTexture) uniform sampler2D heightTexture;

#include "shaders/tree/leb.glsl"
#include "shaders/surface/surface.glsl"
#include "shaders/heights/heights.glsl"
#include "shaders/lod/lod.glsl"
#include "shaders/tree/leaf_list.glsl"
#include "shaders/lod/lod_verdicts.glsl"

// GPUs count within a workgroup first, software rasterisers in each thread, as in cbt_decode.comp.
const bool kByGroup = OROGEN_REDUCE_THREADS > kChunkThreadsSoftware;
shared uint dueInGroup, firstDue;

// Takes the leaf's cached verdict, if there is a valid one.  Returns whether there is.
bool takesKeptVerdict(uint number)
{
    uint entry = listedVerdict(number);
    if (!verdictsAreKept() || readingAbove >= (entry & kVerdictReadings)) return false;
    uint wish = entry >> kVerdictDigits;
    // A cached split needs no lodMark(): it belongs to a leaf of the maximum depth, which cannot split.
    leafPlan[number] = wish;
    if ((wish & kLodWishMerge) != 0u) atomicOr(leafFlags[number], kLodWantMerge);
    return true;
}

// Stores a due leaf in the list.  The first leaf of each workgroup adds that group to the dispatch over the list.
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
