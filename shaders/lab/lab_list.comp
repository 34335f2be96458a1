// Lists the leaves for the cycle's next update.
#include "shaders/frame.glsl"
#include "shaders/tree/leaf_dispatch.glsl"
#include "shaders/lod/lod_buffers.glsl"

void main()
{
    uint number = leafNumber();
    if (number < state.leaves) leaves[number] = cbtLeaf(number);
}
