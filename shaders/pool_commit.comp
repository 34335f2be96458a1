// The last pass over changing leaves: writes them, their links and the bits of their slots.
#include "shaders/frame.glsl"
#include "shaders/leaf_dispatch.glsl"
#include "shaders/lod_buffers.glsl"
#include "shaders/pool_change.glsl"

void main()
{
    uint place = leafNumber();
    if (place < changedCount) poolCommit(changed[place]);
}
