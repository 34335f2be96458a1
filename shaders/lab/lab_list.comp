// Lists the leaves for the update of a measurement's next cycle (app/bench/tree/gpu_tree.h).
#include "shaders/frame.glsl"
#include "shaders/tree/leaf_dispatch.glsl"
#include "shaders/lod/lod_buffers.glsl"

void main()
{
    uint number = leafNumber();
    if (number < state.leaves) leaves[number] = cbtLeaf(number);
}
