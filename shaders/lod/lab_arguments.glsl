// Writes the arguments of the indirect dispatches of a measurement (app/bench/tree/gpu_tree.h) from the tree's counts.
// Call it from one thread, after the reduction and before the leaves are listed.  Needs lod_buffers.glsl in scope.
#ifndef OROGEN_LAB_ARGUMENTS_GLSL
#define OROGEN_LAB_ARGUMENTS_GLSL

void writeLabArguments()
{
    uint groups = (heap[1] + kLeafGroupSize - 1u) / kLeafGroupSize;
    state.leaves = heap[1];
    state.leafGroups[0] = min(groups, kMaxGroupsX);
    state.leafGroups[1] = (groups + kMaxGroupsX - 1u) / kMaxGroupsX;
    state.leafGroups[2] = 1u;
    state.reduceGroups[0] = 1u;
    state.reduceGroups[1] = 1u;
    state.reduceGroups[2] = 1u;
    state.dirtyChunks = 0u;
}

#endif
