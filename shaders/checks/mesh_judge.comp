// The mesh validator's verdict: see mesh_check.glsl.  One thread.
#include "shaders/frame.glsl"

layout(local_size_x = 1) in;
layout(location = 0) uniform uint located;  // 0: run before mesh_locate; 1: run after it

#define OROGEN_CBT_READ_ONLY
layout(std430, binding = kTreeBinding) readonly buffer TreeBlock { uint heap[]; };
layout(std430, binding = kLeavesBinding) readonly buffer LeavesBlock { uint leaves[]; };
layout(std430, binding = kStateBinding) readonly buffer StateBlock { TreeState state; };

#include "shaders/checks/mesh_check.glsl"
#include "shaders/checks/mesh_leaf.glsl"

#ifdef OROGEN_EARTH
// Whether the leaves' areas add up to the cube's.  A leaf of depth d has 2^-d of a root's area.  Pairs of leaves are
// counted as one leaf of the next lower depth, up from the deepest; twelve roots must result.
bool coversAll()
{
    uint sum = 0u;
    for (uint depth = kMostCubeDepth; depth > 0u; --depth)
    {
        sum += check.leavesOfDepth[depth];
        if ((sum & 1u) != 0u) return false;
        sum /= 2u;
    }
    return sum + check.leavesOfDepth[0] == 12u;
}

void storePlaces()
{
    check.earth = 1u;
    for (uint kind = 0u; kind < kFaultKinds; ++kind)
    {
        CubeLeaf leaf;
        if (check.faults[kind] == 0u) continue;
        uint number = check.firstNumber[kind];
        check.firstLeaf[0] = 0u;
        if (!meshLeaf(number, leaf)) return;
        uvec2 id = meshId(number);
        uint words[6] = uint[6](1u, uint(leaf.apex.x), uint(leaf.apex.y), leaf.shape, id.x, id.y);
        for (int i = 0; i < 6; ++i)
            check.firstLeaf[i] = words[i];
        return;
    }
}
#else
bool coversAll() { return check.area == kLatticeArea; }

void storePlaces()
{
    for (uint kind = 0u; kind < kFaultKinds; ++kind)
        check.firstNode[kind] = check.firstNumber[kind] < state.leaves ? leaves[check.firstNumber[kind]] : 0u;
}
#endif

void main()
{
    bool whole = (check.planSums[0] | check.planSums[1]) == 0u && coversAll();
    bool closed = (check.surfaceSums[0] | check.surfaceSums[1]) == 0u;
    if (located == 0u)
    {
        if ((check.patchSums[0] | check.patchSums[1]) != 0u) fault(kFaultPatch, 0u);
        check.locateGroups[0] = whole && closed ? 0u : state.leafGroups[0];
        check.locateGroups[1] = state.leafGroups[1];
        check.locateGroups[2] = 1u;
        return;
    }
    // The sums show that there is a fault, but mesh_locate found none.
    uint found = check.faults[kFaultTJunction] + check.faults[kFaultHole] + check.faults[kFaultOverlap] + check.faults[kFaultOrientation];
    if (!whole && found == 0u) fault(kFaultTJunction, 0u);
    if (whole && !closed && check.faults[kFaultCrack] == 0u) fault(kFaultCrack, 0u);
    storePlaces();
}
