// After allot, over changing leaves: computes the links of the resulting leaves.
#include "shaders/frame.glsl"
#include "shaders/leaf_dispatch.glsl"
#include "shaders/lod_buffers.glsl"
#include "shaders/pool_change.glsl"

void main()
{
    uint place = leafNumber();
    if (place < changedCount) poolConnect(changed[place]);
}
