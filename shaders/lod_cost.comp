// Between mark and plan, in a full tree: what the splits of every priority cost.
#include "shaders/frame.glsl"
#include "shaders/leaf_dispatch.glsl"
#include "shaders/lod_buffers.glsl"

void main()
{
    uint place = leafNumber();
    if (place < cbtLeafCount()) lodCost(place, lodNumberAt(place));
}
