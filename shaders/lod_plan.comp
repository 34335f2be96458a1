// Second pass of a round: what each leaf does, from the marks of all.
#include "shaders/frame.glsl"
#include "shaders/leaf_dispatch.glsl"
#include "shaders/lod_buffers.glsl"

void main()
{
    uint number = leafNumber();
    if (number < cbtLeafCount()) lodPlan(number, leaves[number], frame.leafCapacity);
}
