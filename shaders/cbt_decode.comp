// Lists the leaves for the next round, and those in view for the draw.  Culling decides what is drawn and never what
// exists: turning the camera does not change the tree.
#include "shaders/frame.glsl"
#include "shaders/leaf_dispatch.glsl"
#include "shaders/lod_buffers.glsl"

layout(std430, binding = kVisibleBinding) writeonly buffer VisibleBlock { uvec4 visible[]; };
layout(binding = kHeightTexture) uniform sampler2D heightTexture;
layout(binding = kRangeTexture) uniform sampler2D rangeTexture;
layout(binding = kErrorTexture) uniform sampler2D errorTexture;
layout(location = 0) uniform uint relist;  // 1: the tree has changed
layout(location = 1) uniform uint cull;    // 1: the last decode of the frame

#include "shaders/surface_plane.glsl"
#include "shaders/heights_image.glsl"
#include "shaders/lod.glsl"

bool inFrustum(LebBox box)
{
    vec2 range = boundsOf(box).height;
    vec3 low = surfaceRelative(drawLattice(box.low), range.x, frame.cameraCell, frame.cameraFraction);
    vec3 high = surfaceRelative(drawLattice(box.high), range.y, frame.cameraCell, frame.cameraFraction);
    for (int i = 0; i < kFrustumPlanes; ++i)
    {
        vec4 plane = frame.frustum[i];
        vec3 farthest = mix(low, high, greaterThan(plane.xyz, vec3(0.0)));
        if (dot(plane.xyz, farthest) + plane.w < 0.0) return false;
    }
    return true;
}

uint packCorner(uvec2 corner) { return corner.x | (corner.y << 16u); }

void main()
{
    uint number = leafNumber();
    if (number >= state.leaves) return;
    uint leaf;
    if (relist != 0u)
    {
        leaf = cbtLeaf(number);
        leaves[number] = leaf;
        lodClear(number);
        // Few leaves are deeper than all before them: a plain read saves the others the atomic operation.
        if (cbtDepth(leaf) > state.maxDepth) atomicMax(state.maxDepth, cbtDepth(leaf));
    }
    else
        leaf = leaves[number];
    if (cull == 0u) return;

    LebTriangle triangle = lebVertices(leaf);
    LebBox box = boxOf(triangle);
    if (outsideRaster(box) || !inFrustum(box)) return;
    uint slot = atomicAdd(state.visible, 1u);
    atomicAdd(state.drawInstances, 1u);
    visible[slot] = uvec4(packCorner(triangle.apex), packCorner(triangle.base0), packCorner(triangle.base1), cbtDepth(leaf));
}
