// Pass "mark", the first of a round of splits and merges (lod_round.glsl): evaluates the criterion for each leaf, or
// for the leaves that lod_due.comp listed.  Where a leaf splits, marks all leaves that must split with it.
#include "shaders/frame.glsl"
#include "shaders/tree/leaf_dispatch.glsl"
#include "shaders/lod/lod_buffers.glsl"
#include "shaders/lod/lod_wish.glsl"

layout(binding = kHeightTexture) uniform sampler2D heightTexture;

#include "shaders/tree/leb.glsl"
#include "shaders/surface/surface.glsl"
#include "shaders/heights/heights.glsl"
#include "shaders/lod/lod.glsl"
#ifdef OROGEN_POOL
#include "shaders/pool/pool_verdicts.glsl"
#else
#include "shaders/tree/leaf_list.glsl"
#include "shaders/lod/lod_verdicts.glsl"
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
    takeVerdict(lodNumberAt(place), leaf, verdictOn(place, leaf));
}
