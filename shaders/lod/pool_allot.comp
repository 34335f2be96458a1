// Runs after pool_ranks.comp, over changing leaves: assigns free slots to the new leaves of those that split.
#include "shaders/frame.glsl"
#include "shaders/tree/leaf_dispatch.glsl"
#include "shaders/lod/lod_buffers.glsl"
#include "shaders/pool/pool_change.glsl"

void main()
{
    uint place = leafNumber();
    if (place < changedCount) poolAllot(changed[place]);
}
