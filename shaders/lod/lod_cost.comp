// Between mark and plan, if the capacity binds: counts the splits of each priority.
#include "shaders/frame.glsl"
#include "shaders/tree/leaf_dispatch.glsl"
#include "shaders/lod/lod_buffers.glsl"

void main()
{
    uint place = leafNumber();
    if (place < cbtLeafCount()) lodCost(place, lodNumberAt(place));
}
