// Passes the criterion's verdict on a leaf (split, merge, keep) to the round (lod_round.glsl).  Must be in scope:
// `frame`, lod_buffers.glsl.
#ifndef OROGEN_LOD_WISH_GLSL
#define OROGEN_LOD_WISH_GLSL

struct Verdict
{
    bool split;
    bool merge;
    float pixels;  // measure of the leaf's own base; 0 outside the raster
};

// Records the verdict on a leaf and marks the path of a split.  While the tree is full, counts splits that only the
// configured threshold requests.
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
    // The capacity binds: enables the dispatches of cost, pairs and serve.
    for (int i = 0; i < 3; ++i) roundCounters[kLodCutGroups + i] = state.leafGroups[i];
}

#endif
