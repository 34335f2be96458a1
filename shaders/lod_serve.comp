// Between mark and plan, in a full tree: of what the leaves were flagged with, keeps what is served.
#include "shaders/frame.glsl"
#include "shaders/leaf_dispatch.glsl"
#include "shaders/lod_buffers.glsl"

void main()
{
    uint place = leafNumber();
    if (place >= cbtLeafCount()) return;
    uint leaf = leaves[place];
    lodServe(lodNumberAt(place), leaf);
}
