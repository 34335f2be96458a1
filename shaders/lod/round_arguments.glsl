// Writes the indirect arguments from the tree's counts, and adds the counters of a round of splits and merges to those
// of the frame.  Call the functions from one thread, after the reduction and before the decode (cbt_decode.comp).
// Needs `frame` and lod_buffers.glsl in scope.
#ifndef OROGEN_ROUND_ARGUMENTS_GLSL
#define OROGEN_ROUND_ARGUMENTS_GLSL

#include "shaders/lod/lod_effect.glsl"

// Adds the round's counters to the frame's, and controls the thresholds.  Call it after a round, before state.leaves is
// overwritten.
void countRound()
{
    state.splits += roundCounters[kLodSplits];
    state.merges += roundCounters[kLodMerges];
    state.refused += lodRefusals() + roundCounters[kLodDenied];
    state.rounds += 1u;
    if (roundCounters[kLodSplits] + roundCounters[kLodMerges] > 0u) state.roundsToRest = state.rounds;
    controlThresholds();
}

// Writes the arguments of the decode.  `listed`: number of leaves in the list that it reads; `changed`: 1 if the list
// is from before a round with changes.
void storeList(uint listed, uint changed)
{
    uint groups = (listed + kLeafGroupSize - 1u) / kLeafGroupSize;
    state.listed = listed;
    state.listChanged = changed;
    state.listGroups[0] = min(groups, kMaxGroupsX);
    state.listGroups[1] = (groups + kMaxGroupsX - 1u) / kMaxGroupsX;
    state.listGroups[2] = 1u;
}

// Writes the arguments of dispatches and draw, for a list of leaves that is up to date.  `leaves`: number of leaves of
// the tree; `cull`: 1 if culling follows.
void writeArguments(uint leaves, uint cull)
{
    uint groups = (leaves + kLeafGroupSize - 1u) / kLeafGroupSize;
    state.leaves = leaves;
    state.leafGroups[0] = min(groups, kMaxGroupsX);
    state.leafGroups[1] = (groups + kMaxGroupsX - 1u) / kMaxGroupsX;
    state.leafGroups[2] = 1u;
    state.leafGroups[3] = groups;
    state.reduceGroups[0] = 1u;
    state.reduceGroups[1] = 1u;
    state.reduceGroups[2] = 1u;
    state.dirtyChunks = 0u;
    uint edge = 1u << frame.patchLevel;
    state.visible = 0u;
    state.patchLevel = frame.patchLevel;
    state.culled = cull;
    storeThresholds();
    storeList(leaves, 0u);
    state.drawCount = 3u * edge * edge;
    state.drawInstances = 0u;
    state.drawFirst = 0u;
    state.drawBaseVertex = 0;
    state.drawBaseInstance = 0u;
}

#endif
