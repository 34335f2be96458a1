// One thread between reduction and list: writes the arguments of the indirect dispatches from the tree's counts.
#include "shaders/frame.glsl"
#include "shaders/lod_buffers.glsl"

layout(local_size_x = 1) in;

void main()
{
    uint groups = (heap[1] + kLeafGroupSize - 1u) / kLeafGroupSize;
    state.leaves = heap[1];
    state.leafGroups[0] = min(groups, kMaxGroupsX);
    state.leafGroups[1] = (groups + kMaxGroupsX - 1u) / kMaxGroupsX;
    state.leafGroups[2] = 1u;
    state.reduceGroups[0] = 0u;
    state.reduceGroups[1] = 1u;
    state.reduceGroups[2] = 1u;
    state.dirtyChunks = 0u;
}
