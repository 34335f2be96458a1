// Lists the leaves for the next round, and those in view for the draw.  Culling decides what is drawn and never what
// exists: turning the camera does not change the tree.
#include "shaders/frame.glsl"
#include "shaders/leaf_dispatch.glsl"
#include "shaders/lod_buffers.glsl"

layout(std430, binding = kVisibleBinding) writeonly buffer VisibleBlock { uvec4 visible[]; };
layout(binding = kHeightTexture) uniform sampler2D heightTexture;
layout(binding = kRangeTexture) uniform sampler2D rangeTexture;
layout(location = 0) uniform uint relist;  // 1: the tree has changed
layout(location = 1) uniform uint cull;    // 1: the last decode of the frame

#if defined(OROGEN_EARTH) || !defined(OROGEN_POOL)
#include "shaders/leb.glsl"
#include "shaders/surface.glsl"
#include "shaders/heights.glsl"
#include "shaders/lod.glsl"
#include "shaders/in_view.glsl"
#include "shaders/drawn_leaf.glsl"
#endif

#ifdef OROGEN_POOL
#include "shaders/pool_seen.glsl"
#else
#include "shaders/tree_seen.glsl"
#endif

void main()
{
    uint place = leafNumber();
    if (place >= state.leaves) return;
    uint leaf;
    if (relist != 0u)
    {
        leaf = listLeaf(place);
        lodClear(place, lodNumberAt(place));
        // Few leaves are deeper than all before them: a plain read saves the others the atomic operation.
        uint depth = depthOfLeaf(leaf);
        if (depth > state.maxDepth) atomicMax(state.maxDepth, depth);
    }
    else
        leaf = leaves[place];
    if (cull == 0u) return;

    uvec4 entry;
    if (!leafIsSeen(place, leaf, entry)) return;
    uint slot = atomicAdd(state.visible, 1u);
    atomicAdd(state.drawInstances, 1u);
    visible[slot] = entry;
}
