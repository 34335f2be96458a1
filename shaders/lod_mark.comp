// First pass of a round: decides by the criterion whether each leaf should split or merge, and marks the pairs of leaves
// that must split so that those leaves can.
#include "shaders/frame.glsl"
#include "shaders/leaf_dispatch.glsl"
#include "shaders/lod_buffers.glsl"

layout(binding = kHeightTexture) uniform sampler2D heightTexture;
layout(binding = kRangeTexture) uniform sampler2D rangeTexture;

#include "shaders/surface_plane.glsl"
#include "shaders/heights.glsl"
#include "shaders/lod.glsl"
#include "shaders/lod_verdicts.glsl"

void main()
{
    uint place = leafNumber();
    if (place >= (listed != 0u ? dueCount : cbtLeafCount())) return;
    uint number = listed != 0u ? dueList[place] : place;
    uint leaf = leaves[number];
    Verdict verdict = verdictOn(leaf);
    // Until lod_plan.comp overwrites it, the plan holds the criterion's verdict: tests compare it with one of their own.
    uint priority = lodPriority(verdict.pixels / state.splitPixels);
    leafPlan[number] = (verdict.split ? kLodWishSplit : 0u) | (verdict.merge ? kLodWishMerge : 0u) | (priority << kLodWishPriority);
    bool full = state.thresholdShift > 0 && frame.triangleBudget <= 0.0;
    if (full && !verdict.split && verdict.pixels > frame.splitPixels && cbtDepth(leaf) < cbtMaxDepth())
        atomicAdd(roundCounters[kLodDenied], 1u);
    uint asked = lodMark(number, leaf, verdict.split, verdict.merge, priority);
    if (!lodRequest(asked, frame.leafCapacity)) return;
    for (int i = 0; i < 3; ++i) roundCounters[kLodCutGroups + i] = state.leafGroups[i];  // the tree is full
}
