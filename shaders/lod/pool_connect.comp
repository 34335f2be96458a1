// Runs after pool_allot.comp, over changing leaves (pool_change.glsl): computes the links of the resulting leaves.
#include "shaders/frame.glsl"
#include "shaders/tree/leaf_dispatch.glsl"
#include "shaders/lod/lod_buffers.glsl"
#include "shaders/pool/pool_change.glsl"

void main()
{
    uint place = leafNumber();
    if (place < changedCount) poolConnect(changed[place]);
}
