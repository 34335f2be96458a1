// The last pass over changing leaves (pool_change.glsl): writes the resulting leaves, their links and the bits of their
// slots.
#include "shaders/frame.glsl"
#include "shaders/tree/leaf_dispatch.glsl"
#include "shaders/lod/lod_buffers.glsl"
#include "shaders/pool/pool_change.glsl"

void main()
{
    uint place = leafNumber();
    if (place < changedCount) poolCommit(changed[place]);
}
