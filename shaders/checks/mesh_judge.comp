// The mesh validator's pass that evaluates the sums and areas: see mesh_check.glsl.  One thread.
#include "shaders/frame.glsl"

layout(local_size_x = 1) in;
layout(location = 0) uniform uint located;  // 0: this pass runs before mesh_locate; 1: after mesh_locate

#define OROGEN_CBT_READ_ONLY
layout(std430, binding = kTreeBinding) readonly buffer TreeBlock { uint heap[]; };
layout(std430, binding = kLeavesBinding) readonly buffer LeavesBlock { uint leaves[]; };
layout(std430, binding = kStateBinding) readonly buffer StateBlock { TreeState state; };

#include "shaders/checks/mesh_check.glsl"
#include "shaders/checks/mesh_leaf.glsl"

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
