// Finds the leaf under a point of the Earth and evaluates the refinement criteria for it.  Does not change the tree.
//
// Leaves have no order, so one thread per leaf tests whether the leaf holds the point.  If several do, the lowest slot
// is chosen.  Then one thread evaluates the chosen leaf.
#define OROGEN_CBT_READ_ONLY
#include "shaders/frame.glsl"

layout(std430, binding = kTreeBinding) readonly buffer TreeBlock { uint heap[]; };
layout(std430, binding = kPickBinding) buffer PickBlock { PickedLeaf picked; };
layout(binding = kHeightTexture) uniform sampler2D heightTexture;

#include "shaders/tree/cbt.glsl"
#include "shaders/tree/leb.glsl"
#include "shaders/surface/surface.glsl"
#include "shaders/heights/heights.glsl"
#include "shaders/lod/lod.glsl"
#include "shaders/tree/leaf_dispatch.glsl"
layout(location = 0) uniform ivec3 point;  // x, y (lattice units) on the cube's face z
layout(location = 1) uniform uint answer;  // 0: finds the leaf; 1: evaluates it

layout(std430, binding = kLeavesBinding) readonly buffer LeavesBlock { uint leaves[]; };
layout(std430, binding = kStateBinding) readonly buffer StateBlock { TreeState state; };
#include "shaders/pool/pool.glsl"

// Returns whether `at` lies on the line from `from` to `to` or left of it; exact.
bool leftOf(ivec2 from, ivec2 to, ivec2 at)
{
    ivec2 way = sign(to - from), offset = at - from;  // edges run along an axis or a diagonal
    return way.x == 0 ? way.y * offset.x <= 0 : way.y == 0 ? way.x * offset.y >= 0 : way.x * offset.y >= way.y * offset.x;
}

bool holdsPoint(CubeLeaf leaf)
{
    if (cubeLeafFace(leaf.shape) != point.z) return false;
    ivec2 left = cubeLeft(leaf), right = cubeRight(leaf);
    return leftOf(leaf.apex, left, point.xy) && leftOf(left, right, point.xy) && leftOf(right, leaf.apex, point.xy);
}

void tell(uint slot)
{
    CubeLeaf leaf = poolLeaf(slot);
    Lattice left = ivec3(cubeLeft(leaf), point.z), right = ivec3(cubeRight(leaf), point.z);
    vec2 measure = edgeMeasure(left, right);
    picked.node = pool[8u * slot + kPoolId];
    picked.nodeHigh = pool[8u * slot + kPoolId + 1u];
    picked.depth = cubeLeafDepth(leaf.shape);
    picked.errorPixels = errorPixels(left, right);
    picked.edgePixels = measure.x / measure.y / float(1 << frame.patchLevel);
}

void main()
{
    if (answer != 0u)
    {
        if (leafNumber() == 0u && picked.slot != 0xffffffffu) tell(picked.slot);
        return;
    }
    if (leafNumber() >= state.leaves) return;
    uint slot = leaves[leafNumber()];
    if (holdsPoint(poolLeaf(slot))) atomicMin(picked.slot, slot);
}
