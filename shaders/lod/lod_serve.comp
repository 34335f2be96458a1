// Between mark and plan, if the capacity binds: reduces each leaf's flags to the splits that are served.
#include "shaders/frame.glsl"
#include "shaders/tree/leaf_dispatch.glsl"
#include "shaders/lod/lod_buffers.glsl"

void main()
{
    uint place = leafNumber();
    if (place >= cbtLeafCount()) return;
    uint leaf = leaves[place];
    lodServe(lodNumberAt(place), leaf);
}
