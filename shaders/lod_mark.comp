// First pass of a round: decides by the criterion whether each leaf should split or merge, and marks the pairs of leaves
// that must split so that those leaves can.
#include "shaders/frame.glsl"
#include "shaders/leaf_dispatch.glsl"
#include "shaders/lod_buffers.glsl"

layout(binding = kHeightTexture) uniform sampler2D heightTexture;
layout(binding = kRangeTexture) uniform sampler2D rangeTexture;
layout(binding = kErrorTexture) uniform sampler2D errorTexture;

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
    bool split = !outside && lodPixels(lebBaseEdge(triangle)) > frame.splitPixels;
    bool merge = leaf > 3u && (outside || lodPixels(lebParentBaseEdge(leaf, triangle)) < frame.mergePixels);
    // Until lod_plan.comp overwrites it, the plan holds the criterion's verdict: tests compare it with one of their own.
    leafPlan[number] = (split ? kLodWishSplit : 0u) | (merge ? kLodWishMerge : 0u);
    lodMark(number, leaf, split, merge);
}
