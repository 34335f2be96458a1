// The mesh validator's pass over all leaves of the tree: see mesh_check.glsl.
#define OROGEN_CBT_READ_ONLY
#include "shaders/frame.glsl"
#include "shaders/leaf_dispatch.glsl"

layout(std430, binding = kTreeBinding) readonly buffer TreeBlock { uint heap[]; };
layout(std430, binding = kLeavesBinding) readonly buffer LeavesBlock { uint leaves[]; };
layout(std430, binding = kDrawnBitsBinding) readonly buffer DrawnBitsBlock { uint drawnBits[]; };
layout(std430, binding = kStateBinding) readonly buffer StateBlock { TreeState state; };
layout(binding = kHeightTexture) uniform sampler2D heightTexture;
layout(binding = kRangeTexture) uniform sampler2D rangeTexture;

#include "shaders/cbt.glsl"
#include "shaders/leb.glsl"
#include "shaders/surface.glsl"
#include "shaders/heights.glsl"
#include "shaders/diamond.glsl"
#include "shaders/drawn_surface.glsl"
#include "shaders/drawn_leaf.glsl"
#include "shaders/lod.glsl"
#include "shaders/in_view.glsl"
#include "shaders/leaf_border.glsl"
#include "shaders/mesh_check.glsl"

const float kViewMargin = 1.0e-3;  // what reaches this far into the frustum is drawn, whoever rounds

shared uint groupSums[5];

// A leaf covers the bits from the first to the last of its subtree, at depth 2 kLeafLatticeBits.
uint firstSquare(uint node) { return (node << (2u * kLeafLatticeBits - lebDepth(node))) - kLatticeArea; }
uint areaOf(uint node) { return kLatticeArea >> lebDepth(node); }

void checkOrder(uint number, uint node)
{
    uint before = 0u;
    if (number > 0u) before = firstSquare(leaves[number - 1u]) + areaOf(leaves[number - 1u]);
    if (firstSquare(node) > before) fault(kFaultHole, number);
    if (firstSquare(node) < before) fault(kFaultOverlap, number);
    if (number + 1u == state.leaves && firstSquare(node) + areaOf(node) < kLatticeArea) fault(kFaultHole, number);
}

void checkDrawn(uint number, LebTriangle t)
{
    if ((drawnBits[number >> 5u] & (1u << (number & 31u))) != 0u) return;
    LebBox box = boxOf(t);
    if (!outsideRaster(box) && inFrustum(box, kViewMargin)) fault(kFaultHole, number);
}

void addEdges(uint number, LebTriangle t, uvec4 drawn)
{
    int parts = 1 << frame.patchLevel;
    bool finite = true;
    for (uint edge = 0u; edge < 3u; ++edge)
    {
        LebEdge canonical = borderEdge(t, edge);
        uvec2 plan = hashed(hashed(uvec2(0u), packCorner(canonical.low)), packCorner(canonical.high));
        uvec2 surface = plan;
        for (int i = 0; i <= parts; ++i)
        {
            float height = borderHeight(t, drawn, edge, canonical, i);
            finite = finite && !isinf(height) && !isnan(height);
            surface = hashed(surface, floatBitsToUint(height));
        }
        if (onBorder(canonical)) continue;
        uvec4 sums = uvec4(finished(plan), finished(surface));
        if (!ownsLeft(t, edge, canonical)) sums = uvec4(0u) - sums;
        for (int i = 0; i < 4; ++i)
            atomicAdd(groupSums[i], sums[i]);
    }
    if (!finite) fault(kFaultHeight, number);
}

void checkLeaf(uint number)
{
    uint node = leaves[number];
    if (node < 2u || lebDepth(node) > 2u * kLeafLatticeBits)
    {
        fault(kFaultOverlap, number);
        return;
    }
    checkOrder(number, node);
    LebTriangle t = lebVertices(node);
    int wanted = int(2u * areaOf(node)) * ((lebDepth(node) & 1u) != 0u ? -1 : 1);
    if (doubleArea(t) != wanted) fault(kFaultOrientation, number);
    atomicAdd(groupSums[4], uint(abs(doubleArea(t))) / 2u);
    checkDrawn(number, t);
    addEdges(number, t, drawnLeaf(t, lebDepth(node), number));
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
