// First pass of a round: decides by the criterion whether each leaf should split or merge, and marks the pairs of leaves
// that must split so that those leaves can.
#include "shaders/frame.glsl"
#include "shaders/leaf_dispatch.glsl"
#include "shaders/lod_buffers.glsl"

layout(binding = kHeightTexture) uniform sampler2D heightTexture;
layout(binding = kRangeTexture) uniform sampler2D rangeTexture;

#include "shaders/surface_plane.glsl"
#include "shaders/heights_image.glsl"
#include "shaders/lod.glsl"

void main()
{
    uint number = leafNumber();
    if (number >= cbtLeafCount()) return;
    uint leaf = leaves[number];
    LebTriangle triangle = lebVertices(leaf);
    bool outside = outsideRaster(boxOf(triangle));
    float pixels = outside ? 0.0 : lodPixels(lebBaseEdge(triangle));
    bool split = pixels > state.splitPixels;
    bool merge = leaf > 3u && (outside || lodPixels(lebParentBaseEdge(leaf, triangle)) < state.mergePixels);
    // Until lod_plan.comp overwrites it, the plan holds the criterion's verdict: tests compare it with one of their own.
    uint priority = lodPriority(pixels / state.splitPixels);
    leafPlan[number] = (split ? kLodWishSplit : 0u) | (merge ? kLodWishMerge : 0u) | (priority << kLodWishPriority);
    bool full = state.thresholdShift > 0 && frame.triangleBudget <= 0.0;
    if (full && !split && pixels > frame.splitPixels && cbtDepth(leaf) < cbtMaxDepth()) atomicAdd(roundCounters[kLodDenied], 1u);
    uint asked = lodMark(number, leaf, split, merge, priority);
    if (!lodRequest(asked, frame.leafCapacity)) return;
    for (int i = 0; i < 3; ++i) roundCounters[kLodCutGroups + i] = state.leafGroups[i];  // the tree is full
}
