// Lists the leaves, for the update of the measurement's next cycle.
#include "shaders/frame.glsl"
#include "shaders/tree/leaf_dispatch.glsl"
#include "shaders/lod/lod_buffers.glsl"

void main()
{
    uint number = leafNumber();
    if (number < state.leaves) leaves[number] = cbtLeaf(number);
}
