// Between mark and plan, in a full tree: cuts the priorities where the capacity ends, and lists the pairs of the one that
// is served in part.
#include "shaders/frame.glsl"
#include "shaders/leaf_dispatch.glsl"
#include "shaders/lod_buffers.glsl"

void main()
{
    uint place = leafNumber();
    if (place >= cbtLeafCount()) return;
    uint leaf = leaves[place];
    lodPairs(place, lodNumberAt(place), leaf, frame.leafCapacity);
}
