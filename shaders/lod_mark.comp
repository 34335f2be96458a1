// First pass of a round: what each leaf wishes, and the pairs that must split so that a wish comes true.
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
    // The wish stays in the plan until the plan is made: a replay on the CPU starts from it.
    leafPlan[number] = (split ? 1u : 0u) | (merge ? 2u : 0u);
    lodMark(number, leaf, split, merge);
}
