// After ranks, over changing leaves: hands out free slots to those that split.
#include "shaders/frame.glsl"
#include "shaders/leaf_dispatch.glsl"
#include "shaders/lod_buffers.glsl"
#include "shaders/pool_change.glsl"

void main()
{
    uint place = leafNumber();
    if (place < changedCount) poolAllot(changed[place]);
}
