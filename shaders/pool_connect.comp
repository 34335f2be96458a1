// After allot, over the leaves that change: what lies across the edges of the leaves that come of them.
#include "shaders/frame.glsl"
#include "shaders/leaf_dispatch.glsl"
#include "shaders/lod_buffers.glsl"
#include "shaders/pool_change.glsl"

void main()
{
    uint place = leafNumber();
    if (place < changedCount) poolConnect(changed[place]);
}
