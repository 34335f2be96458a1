// The mesh validator's pass over all leaves: see mesh_check.glsl.
#define OROGEN_CBT_READ_ONLY
#include "shaders/frame.glsl"
#include "shaders/tree/leaf_dispatch.glsl"

layout(std430, binding = kTreeBinding) readonly buffer TreeBlock { uint heap[]; };
layout(std430, binding = kLeavesBinding) readonly buffer LeavesBlock { uint leaves[]; };
layout(std430, binding = kDrawnBitsBinding) readonly buffer DrawnBitsBlock { uint drawnBits[]; };
layout(std430, binding = kStateBinding) readonly buffer StateBlock { TreeState state; };
layout(binding = kHeightTexture) uniform sampler2D heightTexture;

#include "shaders/tree/leb.glsl"
#include "shaders/surface/surface.glsl"
#include "shaders/heights/heights.glsl"
#include "shaders/tree/diamond.glsl"
#include "shaders/surface/drawn_surface.glsl"
#include "shaders/lod/lod.glsl"
#include "shaders/lod/in_view_@world.glsl"
#include "shaders/surface/drawn_leaf.glsl"
#include "shaders/checks/mesh_check.glsl"
#include "shaders/checks/mesh_leaf.glsl"
#include "shaders/checks/leaf_border.glsl"

// A leaf that reaches this far into the frustum (share of its distance) must be drawn.  Less may be due to rounding.
const float kViewMargin = 1.0e-3;

shared uint groupSums[5];

void checkDrawn(uint number, MeshLeaf leaf)
{
    if ((drawnBits[number >> 5u] & (1u << (number & 31u))) != 0u) return;
    if (inView(leaf, kViewMargin)) fault(kFaultHole, number);
}

void addEdges(uint number, MeshLeaf leaf, uvec4 drawn)
{
    int parts = 1 << frame.patchLevel;
    bool finite = true;
    for (uint i = 0u; i < 3u; ++i)
    {
        BorderEdge edge = borderEdge(leaf, i);
        uvec2 plan = hashedCorner(hashedCorner(uvec2(0u), edge.low), edge.high);
        uvec2 surface = plan;
        for (int step = 0; step <= parts; ++step)
        {
            float height = borderHeight(drawn, edge, step);
            finite = finite && !isinf(height) && !isnan(height);
            surface = hashed(surface, floatBitsToUint(height));
        }
        if (onBorder(edge)) continue;
        uvec4 sums = uvec4(finished(plan), finished(surface));
        if (!edge.ownsLeft) sums = uvec4(0u) - sums;
        for (int sum = 0; sum < 4; ++sum)
            atomicAdd(groupSums[sum], sums[sum]);
    }
    if (!finite) fault(kFaultHeight, number);
}

void checkLeaf(uint place)
{
    uint number = meshNumber(place);
    MeshLeaf leaf;
    if (!meshLeaf(number, leaf))
    {
        fault(kFaultOverlap, number);
        return;
    }
    atomicAdd(groupSums[4], checkPlace(place, number, leaf));
    checkDrawn(number, leaf);
    addEdges(number, leaf, meshDrawn(number, leaf));
}

void main()
{
    if (gl_LocalInvocationID.x < 5u) groupSums[gl_LocalInvocationID.x] = 0u;
    barrier();
    if (leafNumber() < state.leaves) checkLeaf(leafNumber());
    barrier();
    if (gl_LocalInvocationID.x != 0u) return;
    atomicAdd(check.planSums[0], groupSums[0]);
    atomicAdd(check.planSums[1], groupSums[1]);
    atomicAdd(check.surfaceSums[0], groupSums[2]);
    atomicAdd(check.surfaceSums[1], groupSums[3]);
    atomicAdd(check.area, groupSums[4]);
}
