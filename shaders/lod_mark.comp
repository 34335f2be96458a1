// First pass of a round: evaluates the criterion for each leaf, and marks the pairs of leaves that must split for it.
#include "shaders/frame.glsl"
#include "shaders/leaf_dispatch.glsl"
#include "shaders/lod_buffers.glsl"
#include "shaders/lod_wish.glsl"

layout(binding = kHeightTexture) uniform sampler2D heightTexture;
layout(binding = kRangeTexture) uniform sampler2D rangeTexture;

#include "shaders/leb.glsl"
#include "shaders/surface.glsl"
#include "shaders/heights.glsl"
#include "shaders/lod.glsl"
#ifdef OROGEN_POOL
#include "shaders/pool_verdicts.glsl"
#else
#include "shaders/lod_verdicts.glsl"
#endif

void main()
{
    uint place = leafNumber();
#ifndef OROGEN_POOL
    if (listed != 0u)
    {
        if (place >= dueCount) return;
        place = dueList[place];
    }
#endif
    if (place >= cbtLeafCount()) return;
    uint leaf = leaves[place];
    takeVerdict(lodNumberAt(place), leaf, verdictOn(leaf));
}
