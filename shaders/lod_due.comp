// Before mark: takes the verdicts that were kept, and lists the leaves that have to be looked at.  A pass of its own, so
// that no group of threads waits for the few of them that evaluate a leaf.
#include "shaders/frame.glsl"
#include "shaders/leaf_dispatch.glsl"
#include "shaders/lod_buffers.glsl"
#include "shaders/lod_wish.glsl"

layout(binding = kHeightTexture) uniform sampler2D heightTexture;
layout(binding = kRangeTexture) uniform sampler2D rangeTexture;

#include "shaders/leb.glsl"
#include "shaders/surface.glsl"
#include "shaders/heights.glsl"
#include "shaders/lod.glsl"
#include "shaders/lod_verdicts.glsl"

void main()
{
    uint number = leafNumber();
    if (number >= cbtLeafCount()) return;
    uint entry = verdictEntry(verdictHash(leaves[number]));
    if (verdictsAreKept() && readingAbove < verdictDue(entry))
    {
        uint wish = (entry >> verdictDigits()) & 3u;
        leafPlan[number] = wish;  // one that would split is of the last level, and stays
        if ((wish & kLodWishMerge) != 0u) atomicOr(leafFlags[number], kLodWantMerge);
        return;
    }
    uint place = atomicAdd(dueCount, 1u);
    dueList[place] = number;
    uint group = place / kLeafGroupSize;
    if (place % kLeafGroupSize != 0u) return;
    if (group < kMaxGroupsX) atomicAdd(dueGroups[0], 1u);
    else if (group % kMaxGroupsX == 0u) atomicAdd(dueGroups[1], 1u);
}
