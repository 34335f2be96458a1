// Runs after pool_ranks.comp, over changing leaves (pool_change.glsl): assigns free slots to the children of each leaf
// that splits.
#include "shaders/frame.glsl"
#include "shaders/tree/leaf_dispatch.glsl"
#include "shaders/lod/lod_buffers.glsl"
#include "shaders/pool/pool_change.glsl"

void main()
{
    uint place = leafNumber();
    if (place < changedCount) poolAllot(changed[place]);
}
