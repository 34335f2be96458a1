// Connects the threshold controller (lod_threshold.glsl) to TreeState: gives the controller the result of each round of
// splits and merges, and stores the thresholds in effect.  The controller's shift scales the configured thresholds by
// 2^(shift / 256).
// Needs in scope: `frame`, `state`, and the requirements of lod_round.glsl.
#ifndef OROGEN_LOD_EFFECT_GLSL
#define OROGEN_LOD_EFFECT_GLSL

#include "shaders/lod/lod_threshold.glsl"

// Returns the ratio of the threshold for a drawn triangle to the threshold for its leaf.
float drawnShare() { return frame.criterion == kCriterionEdge ? 1.0 / float(1u << frame.patchLevel) : 1.0; }

// Stores the thresholds (pixels) for the current shift.  While the shift or a triangle budget is in use, the merge
// threshold is at least kLodTightMerge times the split threshold.  Otherwise many leaves would lie between the two
// thresholds, and a moved shift would neither split nor merge them.
void storeThresholds()
{
    float scale = lodScale(state.thresholdShift);
    bool tight = state.thresholdShift != 0 || frame.triangleBudget > 0.0;
    state.splitPixels = frame.splitPixels * scale;
    float merge = frame.mergePixels * scale;
    state.mergePixels = tight ? max(merge, kLodTightMerge * state.splitPixels) : merge;
    state.thresholdPixels = state.splitPixels * drawnShare();
    state.morphPixels = frame.splitPixels * lodScale(state.morphShift) * drawnShare();
}

// Returns the controller's input for the round just counted.  Without a triangle budget, target and bounds are 0.
LodDemand demandOfRound(uint leavesBefore)
{
    LodDemand d;
    d.leaves = leavesBefore;
    d.asked = roundCounters[kLodRequested];
    d.refused = lodRefusals();
    d.changes = roundCounters[kLodSplits] + roundCounters[kLodMerges];
    d.capacity = frame.leafCapacity;
    d.drawn = state.culled != 0u ? state.visible : 0u;
    d.target = 0u;
    d.lowest = 0;
    d.highest = 0;
    if (frame.triangleBudget <= 0.0) return d;
    bool edge = frame.criterion == kCriterionEdge;
    float drawn = frame.splitPixels * drawnShare();
    d.target = max(uint(frame.triangleBudget / float(1u << (2u * frame.patchLevel))), 1u);
    d.lowest = -lodShiftTo(edge ? kBudgetLowestEdge : kBudgetLowestError, drawn);
    d.highest = lodShiftTo(drawn, edge ? kBudgetHighestEdge : kBudgetHighestError);
    return d;
}

// Lets the controller move the shift.  Sums in roundChanges all that keeps the frame from being converged.  Call it
// after a round, before the tree's counts are overwritten.
void controlThresholds()
{
    LodDemand d = demandOfRound(state.leaves);
    LodControl c;
    c.shift = state.thresholdShift;
    c.way = state.thresholdWay;
    c.turns = state.thresholdTurns;
    c.wait = state.thresholdWait;
    c = lodControl(c, d);
    state.thresholdShift = c.shift;
    state.thresholdWay = c.way;
    state.thresholdTurns = c.turns;
    state.thresholdWait = c.wait;
    if (c.wait == 0u) state.thresholdMoves += 1u;
    // A budget limits the leaves in view.  Until they are counted for this tree, the frame has not converged.
    uint open = d.target != 0u && state.culled == 0u ? 1u : 0u;
    state.roundChanges = d.changes + state.thresholdMoves + open;
}

#endif
