// Pass "cost" of a round of splits and merges (lod_round.glsl), run only in rounds whose requested splits exceed the
// free capacity.  Counts the requested splits by priority.
#include "shaders/frame.glsl"
#include "shaders/tree/leaf_dispatch.glsl"
#include "shaders/lod/lod_buffers.glsl"

void main()
{
    uint place = leafNumber();
    if (place < cbtLeafCount()) lodCost(place, lodNumberAt(place));
}
