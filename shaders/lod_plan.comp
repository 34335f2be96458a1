// Second pass of a round: plans what each leaf does (keep, split, merge, refused) from the marks of the first pass.
#include "shaders/frame.glsl"
#include "shaders/leaf_dispatch.glsl"
#include "shaders/lod_buffers.glsl"

void main()
{
    uint number = leafNumber();
    if (number < cbtLeafCount()) lodPlan(number, leaves[number]);
}
