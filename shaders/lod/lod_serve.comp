// Runs between mark and plan while the requested splits exceed the capacity: clears the flags of refused splits.
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
