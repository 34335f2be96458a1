// One thread between reduction and decode: writes the arguments of the indirect dispatches and of the indirect draw from
// the tree's counts, and adds the round's counters to those of the frame.
#include "shaders/frame.glsl"
#include "shaders/lod_buffers.glsl"
#include "shaders/lod_effect.glsl"

layout(local_size_x = 1) in;
layout(location = 0) uniform uint afterRound;  // 1: a round ran; 0: the tree is as it was, or new
layout(location = 1) uniform uint relist;      // 1: the leaf list is made anew
layout(location = 2) uniform uint cull;        // 1: the decode that follows lists the leaves in view

void main()
{
    if (afterRound != 0u)
    {
        state.splits += roundCounters[kLodSplits];
        state.merges += roundCounters[kLodMerges];
        state.refused += lodRefusals() + roundCounters[kLodDenied];
        state.rounds += 1u;
        if (roundCounters[kLodSplits] + roundCounters[kLodMerges] > 0u) state.roundsToRest = state.rounds;
        controlThresholds();
    }
    uint leaves = heap[1];
    uint groups = (leaves + kLeafGroupSize - 1u) / kLeafGroupSize;
    state.leaves = leaves;
    state.leafGroups[0] = min(groups, kMaxGroupsX);
    state.leafGroups[1] = (groups + kMaxGroupsX - 1u) / kMaxGroupsX;
    state.leafGroups[2] = 1u;
    state.leafGroups[3] = groups;
    state.reduceGroups[0] = 0u;
    state.reduceGroups[1] = 1u;
    state.reduceGroups[2] = 1u;
    state.dirtyChunks = 0u;
    if (relist != 0u) state.maxDepth = 0u;
    uint edge = 1u << frame.patchLevel;
    state.visible = 0u;
    state.patchLevel = frame.patchLevel;
    state.culled = cull;
    storeThresholds();
    state.drawCount = 3u * edge * edge;
    state.drawInstances = 0u;
    state.drawFirst = 0u;
    state.drawBaseVertex = 0;
    state.drawBaseInstance = 0u;
}
