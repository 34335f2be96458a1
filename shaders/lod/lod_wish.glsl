// Passes the criterion's verdict on a leaf to the round.  Must be in scope: `frame`, lod_buffers.glsl.
#ifndef OROGEN_LOD_WISH_GLSL
#define OROGEN_LOD_WISH_GLSL

struct Verdict
{
    bool split;
    bool merge;
    float pixels;  // measure of the leaf's own base; 0 where the verdict was cached
};

void takeVerdict(uint number, uint leaf, Verdict verdict)
{
    // The plan holds the criterion's verdict until lod_plan.comp overwrites it; tests read it.
    uint priority = lodPriority(verdict.pixels / state.splitPixels);
    leafPlan[number] = (verdict.split ? kLodWishSplit : 0u) | (verdict.merge ? kLodWishMerge : 0u) | (priority << kLodWishPriority);
    bool full = state.thresholdShift > 0 && frame.triangleBudget <= 0.0;
    if (full && !verdict.split && verdict.pixels > frame.splitPixels && lodMaySplit(leaf))
        atomicAdd(roundCounters[kLodDenied], 1u);
    uint asked = lodMark(number, leaf, verdict.split, verdict.merge, priority);
    if (!lodRequest(asked, frame.leafCapacity)) return;
    for (int i = 0; i < 3; ++i) roundCounters[kLodCutGroups + i] = state.leafGroups[i];  // the tree is full
}

#endif
